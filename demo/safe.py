"""The safe way: a plan, a run and its proof; then a run killed half-way and resumed, and a run undone."""

from __future__ import annotations

import re

from dbt_process import WORK, dbt, dbt_killed
from history import MODEL, WINDOW, figures
from story import Story
from warehouse import TABLE, Warehouse

OTHER_DAYS = f"not ({WINDOW})"
WATERMARK = f"select max(flight_date) from {TABLE}"


def operation(name: str, arguments: str) -> tuple[str, list[str]]:
    """A dbt operation, as a person would type it and as a list of arguments."""
    args = "{" + arguments + "}"
    return f"$ dbt run-operation {name} --args '{args}'", ["run-operation", name, "--args", args]


def backfill(more: str = "") -> tuple[str, list[str]]:
    """The backfill of the sixty days."""
    window = "start: 2013-03-02, end: 2013-05-01"
    return operation("safe_backfill", f"model: {MODEL}, column: flight_date, {window}{more}")


def without_plan(printed: list[str]) -> list[str]:
    """What a run prints after its plan, with the first and last three units only."""
    verdict = next(number for number, line in enumerate(printed) if line.startswith("Verdict:"))
    resumes = [line for line in printed[:verdict] if line.startswith("resumes")]
    ran = printed[verdict + 1 :]
    units = [number for number, line in enumerate(ran) if re.match(r"\s*\d+/60 ", line)]
    return ["… (the plan)", *resumes, *ran[units[0] : units[0] + 3], "       …", *ran[units[-1] - 2 :]]


def _keep(name: str, command: str, printed: list[str]) -> None:
    """Keep what was printed, for the README."""
    (WORK / f"{name}.txt").write_text("\n".join([command, *printed]) + "\n", encoding="utf-8")


def the_plan(story: Story, warehouse: Warehouse, wrong: Warehouse) -> None:
    """Print the plan."""
    story.chapter("The safe way begins with a plan, which writes nothing")
    command, arguments = backfill(", dry_run: true")
    printed = dbt(*arguments, database=warehouse.file)
    _keep("plan", command, printed)
    story.show([command, *printed])
    story.claim("the plan wrote nothing", warehouse.differing_rows(wrong, "true") == 0)


def the_run(story: Story, warehouse: Warehouse, wrong: Warehouse, refreshed: Warehouse) -> None:
    """Run it, and compare the result."""
    story.chapter("The run replaces one day after another, each in a transaction of its own")
    command, arguments = backfill(", reason: flights were rounded to whole hours")
    printed = dbt(*arguments, database=warehouse.file)
    ran = without_plan(printed)
    _keep("run", command, ran)
    story.show([command, *ran])
    _claim_reprocessed(story, warehouse, wrong, refreshed)


def _claim_reprocessed(story: Story, warehouse: Warehouse, wrong: Warehouse, refreshed: Warehouse) -> None:
    mended = warehouse.differing_rows(wrong, WINDOW) // 2
    story.claim(
        f"the sixty days are, row for row, what the full refresh gave; {mended:,} rows were wrong",
        mended > 0 and warehouse.differing_rows(refreshed, WINDOW) == 0,
    )
    story.claim(
        f"the other {figures(warehouse, OTHER_DAYS).days} days are as they were, January among them",
        warehouse.differing_rows(wrong, OTHER_DAYS) == 0,
    )
    stands = warehouse.value(WATERMARK)
    story.claim(f"the watermark still stands at {stands}", stands == wrong.value(WATERMARK))


def the_kill(story: Story, killed: Warehouse, wrong: Warehouse, refreshed: Warehouse) -> None:
    """Kill a run on its way, look at what it left, and resume it."""
    story.chapter("A run is killed on its way, in a copy, and resumed by the same command")
    command, arguments = backfill()
    printed = dbt_killed(*arguments, database=killed.file, at="12/60")
    story.show(
        [command, "… (the plan)", "       …", *printed[-3:], "Killed                              (kill -9)"]
    )
    mended = 60 - len(killed.differing_days(refreshed, WINDOW))
    untouched = 60 - len(killed.differing_days(wrong, WINDOW))
    story.claim(
        f"{mended} days are mended, {untouched} as they were, none is in between",
        0 < mended < 60 and mended + untouched == 60,
    )
    done = killed.value(
        "select count(*) from marts.backfill_safety_units where state in ('done', 'unchanged')"
    )
    story.claim(f"the ledger says the same: {done} of 60 days done", done == mended)
    printed = dbt(*arguments, database=killed.file)
    story.show([command, *without_plan(printed)])
    _claim_reprocessed(story, killed, wrong, refreshed)


def the_rollback(story: Story, warehouse: Warehouse, wrong: Warehouse) -> None:
    """Undo the run."""
    story.chapter("The first run is undone")
    run_id = warehouse.value("select run_id from marts.backfill_safety_runs")
    command, arguments = operation("rollback_backfill", f"run_id: {run_id}")
    printed = dbt(*arguments, database=warehouse.file)
    story.show([command, *printed])
    story.claim("every row is as it was before the run", warehouse.differing_rows(wrong, "true") == 0)
