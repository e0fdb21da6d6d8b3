"""Lists in docs/promises.md which tests prove which promise; `--check` only says whether it has drifted.

A test file or a test says it in its docstring: `P3: killed anywhere, a later run resumes.`
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "promises.md"
TESTS = ROOT / "integration_tests" / "tests"
NAMES = {"clickhouse": "ClickHouse", "duckdb": "DuckDB", "postgres": "Postgres", "spark": "Spark"}

_BLOCK = re.compile(r"(<!-- listed from the tests -->\n).*?(<!-- end -->)", re.DOTALL)
_CLAIM = re.compile(r"(?P<promises>P\d+(?:(?:, | and )P\d+)*): (?P<what>.+)", re.DOTALL)


class Proof(NamedTuple):
    """A test, or a file of tests, that says which promise it proves."""

    promise: int
    test: str
    engines: str
    what: str


def proofs() -> list[Proof]:
    """Every proof, by promise, file and test."""
    return sorted(proof for file in sorted(TESTS.rglob("test_*.py")) for proof in _proofs_of(file))


def _proofs_of(file: Path) -> Iterator[Proof]:
    module = ast.parse(file.read_text(encoding="utf-8"))
    name = file.relative_to(TESTS).as_posix()
    engines = _engines_of(module, name)
    yield from _proofs_in(module, name, engines)
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield from _proofs_in(node, f"{name}::{node.name}", engines)


def _engines_of(module: ast.Module, name: str) -> str:
    """By its folder, or as its WAREHOUSES list them."""
    found = [name.partition("/")[0]] if "/" in name else ["duckdb"]
    for node in module.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "WAREHOUSES":
            found = ast.literal_eval(node.value)
    return ", ".join(NAMES.get(engine, engine) for engine in found)


def _proofs_in(node: ast.Module | ast.FunctionDef, name: str, engines: str) -> Iterator[Proof]:
    claim = _CLAIM.fullmatch(ast.get_docstring(node) or "")
    if claim:
        what = " ".join(claim["what"].split("\n\n")[0].split())
        for promise in re.findall(r"\d+", claim["promises"]):
            yield Proof(int(promise), name, engines, what)


def listed() -> str:
    """The list as a Markdown table."""
    rows = [f"| P{proof.promise} | `{proof.test}` | {proof.engines} | {proof.what} |" for proof in proofs()]
    return "\n".join(["| promise | test | on | what it looks at |", "|---|---|---|---|", *rows, ""])


def main(arguments: list[str]) -> int:
    """Write the list, or with `--check` return 1 when it should be written."""
    old = PAGE.read_text(encoding="utf-8")
    new = _BLOCK.sub(lambda block: block[1] + listed() + block[2], old)
    if arguments == ["--check"]:
        print(
            "docs/promises.md lists the tests"
            if new == old
            else "docs/promises.md has drifted; run: make docs"
        )
        return 0 if new == old else 1
    PAGE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
