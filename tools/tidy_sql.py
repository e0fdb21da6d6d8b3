"""Checks that Jinja SQL is tidy, file by file: `python tools/tidy_sql.py [FILE…]`, by default all there are.

Formatters of SQL leave macros alone, so the few conventions of this project are checked here.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from jinja2 import TemplateSyntaxError, nodes
from macro_files import MACROS, ROOT, macros_of, parse

FOLDERS = ("macros", "integration_tests", "demo", "benchmarks")
GENERATED = {"target", "dbt_packages", "logs", ".work"}
LONGEST_LINE = 140
LONGEST_FILE = 300
# What dbt and Jinja give to a macro of the package.
GIVEN = """
    api adapter backfill_safety builtins config context dbt env_var exceptions execute flags fromjson graph invocation_id
    is_incremental local_md5 log model modules print project_name ref render return run_query run_started_at set source
    statement target this tojson var caller dict kwargs loop namespace range varargs zip
"""

Problem = tuple[int, str]


def problems(file: Path) -> list[Problem]:
    """What is untidy in a file, as (line, message), by line."""
    text = file.read_text(encoding="utf-8")
    found = [*_lines(text), *_indentation(text), *_tags(text)]
    try:
        parse(text)
    except TemplateSyntaxError as error:
        found.append((error.lineno, f"does not parse: {error.message}"))
    else:
        if MACROS in file.parents:
            found += [*_macro_file(file, text), *_names(text)]
    return sorted(found)


def _lines(text: str) -> Iterator[Problem]:
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        if "\t" in line:
            yield number, "holds a tab; indent by four spaces"
        if line != line.rstrip():
            yield number, "ends in blanks"
        if len(line) > LONGEST_LINE:
            yield number, f"has {len(line)} characters; at most {LONGEST_LINE}"
        if lines[number - 1 : number + 2] == ["", "", ""] and number + 2 < len(lines):
            yield number, "begins three blank lines in a row; at most two, between macros"
    if not text.endswith("\n") or text.endswith("\n\n"):
        yield len(lines), "the file does not end in exactly one line break"


def _indentation(text: str) -> Iterator[Problem]:
    def only_breaks(comment: re.Match[str]) -> str:
        return "\n" * comment[0].count("\n")

    outside_comments = re.sub(r"\{#.*?#\}", only_breaks, text, flags=re.DOTALL)
    for number, line in enumerate(outside_comments.split("\n"), start=1):
        indent = len(line) - len(line.lstrip(" "))
        if line.strip() and indent % 4:
            yield number, f"is indented by {indent} spaces; by a multiple of four"


def _tags(text: str) -> Iterator[Problem]:
    """Tags have a blank inside their braces: `{{ this }}`, `{%- if … -%}`."""
    for tag in re.finditer(r"\{\{-?(?=[^\s{-])|\{%-?(?=[^\s%-])|\{#-?(?=[^\s#-])", text):
        yield text.count("\n", 0, tag.start()) + 1, f"has no blank after {tag[0]}"
    for tag in re.finditer(r"(?<=[^\s}-])-?\}\}(?!\})|(?<=[^\s%-])-?%\}|(?<=[^\s#-])-?#\}", text):
        if tag[0].endswith(("%}", "#}")):
            yield text.count("\n", 0, tag.start()) + 1, f"has no blank before {tag[0]}"


def _macro_file(file: Path, text: str) -> Iterator[Problem]:
    lines = text.split("\n")
    if len(lines) > LONGEST_FILE:
        yield len(lines), f"the file has {len(lines)} lines; at most {LONGEST_FILE}"
    public = [macro for macro in macros_of(file) if macro.is_public]
    for macro in public[1:]:
        yield macro.line, f"{macro.name} is the second public macro of the file, after {public[0].name}"
    for number, line in enumerate(lines, start=1):
        if re.match(r"\{%-?\s*endmacro", line) and number < len(lines) - 1 and lines[number]:
            yield number, "no blank line follows the macro"


def _names(text: str) -> Iterator[Problem]:
    """Jinja renders a name that nobody has set as nothing, without a word."""
    for macro in parse(text).find_all(nodes.Macro):
        names = list(macro.find_all(nodes.Name))
        read = {name.name for name in names if name.ctx == "load"}
        given = {*GIVEN.split(), *(argument.name for argument in macro.args)}
        for name in names:
            if name.ctx == "load" and name.name not in given.union(n.name for n in names if n.ctx == "store"):
                yield name.lineno, f"{name.name} is read and never set"
            if name.ctx == "store" and name.name not in read and name.name != "_":
                yield name.lineno, f"{name.name} is set and never read"


def all_files() -> list[Path]:
    """The project's own Jinja SQL, sorted."""
    files = (file for folder in FOLDERS for file in (ROOT / folder).rglob("*.sql"))
    return sorted(file for file in files if not GENERATED.intersection(file.parts))


def main(arguments: list[str]) -> int:
    """Print every problem; returns 1 when there is one."""
    files = [Path(argument).resolve() for argument in arguments] or all_files()
    found = [(file, *problem) for file in files for problem in problems(file)]
    for file, line, message in found:
        print(f"{file.relative_to(ROOT)}:{line}: {message}")
    print(f"{len(files)} files of Jinja SQL: {f'{len(found)} untidy places' if found else 'tidy'}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
