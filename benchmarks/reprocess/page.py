"""RESULTS.md: what was measured, where and with what, beside the targets."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from datetime import date
from importlib.metadata import version

from contestants import COPIED, DAILY, PLANS, RUNS, SCALES, Contestant
from rounds import Results
from targets import PLAN_SECONDS, PLAN_UNITS, TARGETS, judged

HEAD = """# Speed of reprocessing a year

Written by `make bench`; {today}, {cores} cores, Python {python}, dbt-core {dbt}, dbt-duckdb {dbt_duckdb},
DuckDB {duckdb}, SQLMesh {sqlmesh}.

`events` of {sizes} rows lie over 365 days of 2024 in the order of time. Their daily figures (day × 50
buckets: count, sum, count distinct) are in the table already and are computed anew. Every contestant runs
in a process of its own on tables as they were; contestants take turns, in {repeat} rounds, so that all
meet the same machine. Figures are medians; ratios are medians of the ratios within a round.

Seconds are those of the work alone: for plain DuckDB from the first statement to the last commit, for
`dbt run` from the first node to the last, for an operation from opening its connection to the end of its
macro, for SQLMesh one plan that fills the window of a new model. Starting, importing and parsing are left
out; peak memory is that of the whole process. Processor seconds count all threads and say more than the
clock where other work was running: the load of the machine was {load} while this was measured.

"""


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines) + "\n"


def figure(value: float | None, form: str = "{:,.2f}") -> str:
    """A number, or a dash where there is none."""
    return "–" if value is None else form.format(value)


def comparison(results: Results, who: Sequence[Contestant], bases: Sequence[tuple[str, str]]) -> str:
    """Contestants with their figures and their ratios to some of them."""
    rows = []
    for one in who:
        cells = [one.label, *(figure(results.median(one.key, name)) for name in ("seconds", "cpu_seconds"))]
        cells.append(figure(results.median(one.key, "peak_mib"), "{:,.0f}"))
        cells += [figure(results.ratio(one.key, base)) for base, _ in bases]
        rows.append([*cells[:1], *cells[1:]])
    return table(
        ["", "seconds", "processor seconds", "peak MiB", *(f"× {words}" for _, words in bases)], rows
    )


def shares(results: Results) -> str:
    """Engine seconds of the row-level run by kind of statement."""
    found = [measured["shares"] for measured in results.rounds.get("copied_safe_shares", [])]
    if not found:
        return ""
    total = sum(found[0].values())
    rows = [
        [kind, f"{s:.2f}", f"{100 * s / total:.0f} %"]
        for kind, s in sorted(found[0].items(), key=lambda x: -x[1])
    ]
    return "Where the engine's time goes there:\n\n" + table(["statement", "seconds", "share"], rows)


def scaling(results: Results) -> str:
    """Plans and runs of very many units."""
    rows = []
    for words, key in (
        ("plan", "plan_{}"),
        ("run, one unit a commit", "run_{}"),
        ("run, units_per_commit: auto", "run_auto_{}"),
    ):
        cells = []
        for n in SCALES:
            seconds = results.median(key.format(n))
            cells.append("–" if seconds is None else f"{seconds:,.2f} s, {1000 * seconds / n:.2f} ms a unit")
        rows.append([words, *cells])
    return table(["", *(f"{n:,} units" for n in SCALES)], rows)


def page(by_size: dict[str, Results], repeat: int, sqlmesh: str) -> str:
    """The whole page."""
    loads = [m["load"] for results in by_size.values() for one in results.rounds.values() for m in one]
    parts = [
        HEAD.format(
            today=date.today(),
            cores=os.cpu_count(),
            python=platform.python_version(),
            dbt=version("dbt-core"),
            dbt_duckdb=version("dbt-duckdb"),
            duckdb=version("duckdb"),
            sqlmesh=sqlmesh,
            sizes=" and ".join(size.upper().replace("M", " M") for size in by_size if size != "units"),
            repeat=repeat,
            load=f"{min(loads):.1f} to {max(loads):.1f}" if loads else "unknown",
        ),
        "## Targets\n\n",
        targets(by_size),
    ]
    for size, results in by_size.items():
        if size != "units":
            parts.append(f"\n## {size.upper().replace('M', ' M')} rows\n\n")
            bases = [("loop", "bare loop"), ("full_refresh", "full refresh")]
            parts.append(comparison(results, DAILY, bases))
            if any(one.key in results.rounds for one in COPIED):
                parts.append("\nOne row for each source row, replaced day by day:\n\n")
                parts += [comparison(results, COPIED, [("copied_loop", "bare loop")]), "\n", shares(results)]
    if "units" in by_size:
        parts += [
            "\n## Very many units\n\nHours from 2013 on, one source row each.\n\n",
            scaling(by_size["units"]),
        ]
    return "".join(parts)


def targets(by_size: dict[str, Results]) -> str:
    """The promises beside what was measured."""
    empty = Results()
    rows = [judged(target, by_size.get(target.size, empty)) for target in TARGETS]
    seconds = by_size.get("units", empty).median(f"plan_{PLAN_UNITS}")
    met = "–" if seconds is None else "met" if seconds <= PLAN_SECONDS else "**not met**"
    words = f"plan of {PLAN_UNITS:,} units"
    rows.append(["", words, f"at most {PLAN_SECONDS:.0f} s", figure(seconds, "{:.2f} s"), "", "", met])
    head = ["", "safe_backfill", "target", "measured", "by processor seconds", "the bare loop itself", ""]
    return table(head, rows)


WHO = {"daily": DAILY, "copied": COPIED, "plans": PLANS, "runs": RUNS}
