"""Puts rendered pieces together: the SQL, the marked SQL, and the line each of its lines came from."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from .budget import MAX_TEXT, BudgetError
from .tracer import OPEN, PRIVATE, Tracer

ADDRESS = re.compile(r" at 0x[0-9a-f]{6,}(?=>)", re.I)
"""Where an object without a text of its own lies in memory: it prints that, and it differs from run to run."""


class Output(NamedTuple):
    sql: str
    marked: str
    lines: list[int | None]


def assemble(chunks: Iterable[tuple[int, str]], tracer: Tracer) -> Output:
    """Join what a template gave. A chunk's line is negative where all of it belongs to one line (see
    `compiler.py`)."""
    plain: list[str] = []
    marked: list[str] = []
    lines: list[int | None] = [None]
    size = 0
    for line, text in chunks:
        size += len(text)
        if size > MAX_TEXT:
            raise BudgetError(f"makes SQL of more than {MAX_TEXT:,} characters")
        if OPEN in text:
            segments = tracer.segments(text)
            text = "".join(s.text for s in segments)
            for segment in segments:
                shown = tracer.mark_of(segment)
                missing = segment.text.count("\n") - shown.count("\n")
                marked.append(shown + "\n" * max(missing, 0))
        else:
            marked.append(text)
        plain.append(text)
        _note_lines(lines, line, text)
    sql, with_marks = "".join(plain), "".join(marked)
    if PRIVATE.search(sql) or ADDRESS.search(sql):
        sql, with_marks = (ADDRESS.sub("", PRIVATE.sub("", text)) for text in (sql, with_marks))
    return Output(sql, with_marks, _filled(lines))


def _note_lines(lines: list[int | None], line: int, text: str) -> None:
    if "\n" not in text:
        if lines[-1] is None and text and not text.isspace():
            lines[-1] = abs(line)
        return
    for number, part in enumerate(text.split("\n")):
        if number:
            lines.append(None)
        if lines[-1] is None and part and not part.isspace():
            lines[-1] = line + number if line > 0 else -line


def _filled(lines: list[int | None]) -> list[int | None]:
    """Blank lines belong where the line before them does; those at the top where the first line of text
    does."""
    last = next((line for line in lines if line is not None), None)
    for place, line in enumerate(lines):
        last = lines[place] = line if line is not None else last
    return lines


_BLANK = re.compile(r"(?:\s+|--[^\n]*(?:\n|$)|/\*.*?\*/)*", re.S)
_WITH = re.compile(r"with\b(?:\s+recursive\b)?", re.I)


def insert_ctes(output: Output, ctes: list[tuple[str, Output]]) -> Output:
    """Put ephemeral parents before the model's own SQL, as dbt does. Source: dbt-core,
    `_inject_ctes_into_sql`."""
    if not ctes:
        return output
    sql, at = _with_ctes(output.sql, [(name, cte.sql) for name, cte in ctes])
    marked, _ = _with_ctes(output.marked, [(name, cte.marked) for name, cte in ctes])
    line = output.sql.count("\n", 0, at)
    added = sql.count("\n") - output.sql.count("\n")
    before, after = output.lines[: line + 1], output.lines[line:]
    return Output(sql, marked, [*before, *([None] * (added - 1)), *after] if added else output.lines)


def _with_ctes(sql: str, ctes: list[tuple[str, str]]) -> tuple[str, int]:
    """The SQL with CTEs inserted, and the place where."""
    joined = ", ".join(f" {name} as (\n{text}\n)" for name, text in ctes)
    blank = _BLANK.match(sql)
    start = blank.end() if blank else 0
    found = _WITH.match(sql, start)
    if found:
        return f"{sql[: found.end()]}{joined},{sql[found.end() :]}", found.end()
    return f"{sql[:start]}with{joined} {sql[start:]}", start
