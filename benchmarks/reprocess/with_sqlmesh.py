"""SQLMesh as a contestant: `python with_sqlmesh.py PROJECT DATABASE BATCH` in an environment of its own.

Timed is the first plan that fills the whole window of a model that is new to it; importing SQLMesh, loading
the project and setting up its state tables are left out. BATCH 0 means no batch size.
"""

from __future__ import annotations

import sys
from pathlib import Path

import duckdb
import sqlmesh
from sqlmesh import Context
from sqlmesh.core.config import Config, DuckDBConnectionConfig, GatewayConfig, ModelDefaultsConfig
from stopwatch import Stopwatch, report
from work import DAILY, END, FIRST

MODEL = """
model (
    name bench.daily,
    kind incremental_by_time_range (time_column day{batch}),
    start '{first}', end '{last}', cron '@daily', grain (day, bucket)
);
{rows}
"""


def main(project: Path, database: str, batch: int) -> None:
    """Fill the window once."""
    (project / "models").mkdir(parents=True, exist_ok=True)
    bounds = "event_ts >= @start_ts::timestamp and event_ts <= @end_ts::timestamp"
    model = MODEL.format(
        batch=f", batch_size {batch}" if batch else "",
        first=FIRST,
        last=END.replace(day=END.day - 1),
        rows=DAILY.format(bounds=bounds),
    )
    (project / "models" / "daily.sql").write_text(model)
    config = Config(
        gateways={"bench": GatewayConfig(connection=DuckDBConnectionConfig(database=database))},
        default_gateway="bench",
        model_defaults=ModelDefaultsConfig(dialect="duckdb"),
    )
    context = Context(paths=[str(project)], config=config)
    context.migrate()
    watch = Stopwatch()
    with watch.running():
        context.plan(auto_apply=True, no_prompts=True, skip_tests=True)
    context.close()
    with duckdb.connect(database) as db:
        rows, events = db.execute("select count(*), sum(events) from bench.daily").fetchall()[0]
    report(watch, rows=rows, events=int(events), sqlmesh=sqlmesh.__version__, duckdb=duckdb.__version__)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
