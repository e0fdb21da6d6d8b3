"""The safe way: a plan, a run, its proof; then a run killed half-way and resumed, and a run undone."""

from __future__ import annotations

import re
from pathlib import Path

from dbt_process import WORK, dbt, dbt_killed
from history import MODEL, WINDOW, figures
from story import Story
from warehouse import TABLE, Warehouse

START_TO_END = f"model: {MODEL}, column: flight_date, start: 2013-03-02, end: 2013-05-01"
OTHER_DAYS = f"not ({WINDOW})"
WATERMARK = f"select max(flight_date) from {TABLE}"


def _backfill(more: str = "") -> tuple[str, str, str]:
    return ("run-operation", "safe_backfill", "--args=" + "{" + START_TO_END + more + "}")


def _command(arguments: tuple[str, str, str]) -> str:
    verb, macro, args = arguments
    return f"$ dbt {verb} {macro} --args '{args.removeprefix('--args=')}'"


def _keep(name: str, command: str, printed: list[str]) -> None:
    """Keep what was printed, for the README."""
    Path(WORK / f"{name}.txt").write_text("\n".join([command, *printed]) + "\n", encoding="utf-8")


def the_plan(story: Story, warehouse: Warehouse, wrong: Warehouse) -> None:
    story.chapter("The safe way: first the plan, which writes nothing")
    arguments = _backfill(", dry_run: true")
    printed = dbt(*arguments, database=warehouse.file)
    _keep("plan", _command(arguments), printed)
    story.show([_command(arguments), *printed])
    story.claim("the plan wrote nothing", warehouse.differing_rows(wrong, "true") == 0)


def the_run(story: Story, warehouse: Warehouse, wrong: Warehouse, refreshed: Warehouse) -> None:
    story.chapter("The run: one day after another, each in a transaction of its own")
    arguments = _backfill(", reason: flights were rounded to whole hours")
    printed = dbt(*arguments, database=warehouse.file)
    _keep("run", _command(arguments), printed)
    story.show([_command(arguments), *printed], keep=40)
    _claim_reprocessed(story, warehouse, wrong, refreshed)


def _claim_reprocessed(story: Story, warehouse: Warehouse, wrong: Warehouse, refreshed: Warehouse) -> None:
    differ = warehouse.differing_rows(wrong, WINDOW) // 2
    story.claim(f"{differ:,} wrong rows were mended", differ > 0)
    story.claim(
        "the sixty days are, row for row, what the full refresh gives in its copy",
        warehouse.differing_rows(refreshed, WINDOW) == 0,
    )
    days = figures(warehouse, OTHER_DAYS)["days"]
    story.claim(f"the other {days} days are as they were, January too", warehouse.differing_rows(wrong, OTHER_DAYS) == 0)
    stands = warehouse.value(WATERMARK)
    story.claim(f"the watermark of the scheduled job still stands at {stands}", stands == wrong.value(WATERMARK))


def the_kill(story: Story, killed: Warehouse, wrong: Warehouse, refreshed: Warehouse) -> None:
    story.chapter("Killed half-way with `kill -9`, on a copy, and resumed by the same command")
    printed = dbt_killed(*_backfill(), database=killed.file, at="30/60")
    story.show(printed[-3:])
    story.say("kill -9")
    days = _days_equal(killed, refreshed)
    story.claim(f"{days} days are done, the others as they were, none in between", days + _days_equal(killed, wrong) >= 60)
    printed = dbt(*_backfill(), database=killed.file)
    story.show(printed, keep=20)
    _claim_reprocessed(story, killed, wrong, refreshed)


def the_rollback(story: Story, warehouse: Warehouse, wrong: Warehouse) -> None:
    story.chapter("Undone")
