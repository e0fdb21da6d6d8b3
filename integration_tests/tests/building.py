"""Builds the test project once: its packages, a target as months of use leave it, and a full refresh of it to compare with."""

from __future__ import annotations

import os
import shutil
from importlib.metadata import version
from pathlib import Path

import duckdb
from shop import PACKAGE, PROJECT, Dbt, Ended, Shop

# The folder of an earlier test run (pytest's --basetemp, then shop), whose databases and parsed project are taken over.
REUSED = os.environ.get("BACKFILL_SAFETY_BUILT")

# dbt 1.8 has no microbatch; its tests are not among those that run on it.
HAS_MICROBATCH = not version("dbt-core").startswith("1.8.")
# Microbatch models are asked for their own window, else dbt would go on to today.
BATCHES = {
    "batch_day": ["--event-time-start", "2024-10-01", "--event-time-end", "2025-01-01"],
    "batch_month": ["--event-time-start", "2024-01-01", "--event-time-end", "2025-01-01"],
}

_WITHOUT_DBT = """
    create or replace table marts.fct_semicolon as
    select cast(event_ts as date) as order_date, sum(amount) as amount, ';' as mark from raw.events group by 1
"""


def copy_project(folder: Path) -> Path:
    """The project in a folder of its own, with the package that is to be tested; `dbt deps` has yet to run."""
    ignored = shutil.ignore_patterns(
        "tests", "target", "dbt_packages", "logs", "*.duckdb*", "package-lock.yml"
    )
    shutil.copytree(PROJECT, folder, ignore=ignored)
    parsed = Path(REUSED or folder) / "project" / "target" / "partial_parse.msgpack"
    if parsed.exists():
        (folder / "target").mkdir()
        shutil.copy(parsed, folder / "target")
    packages = folder / "packages.yml"
    packages.write_text(packages.read_text().replace("local: ../", f"local: {PACKAGE}"))
    return folder


def installed(dbt: Dbt, database: Path) -> None:
    """Install the packages, as `dbt deps` does."""
    _passed(dbt("deps", database=database, fresh=True))


def build(folder: Path, dbt: Dbt) -> tuple[Shop, Shop]:
    """(the shop as it is used, the same after a full refresh), built in `folder` unless they are there."""
    shop, refreshed = Shop(folder / "used", dbt), Shop(folder / "refreshed", dbt)
    if refreshed.file.exists():
        return shop, refreshed
    if REUSED:
        Shop(Path(REUSED) / "used", dbt).copy(shop.folder)
        return shop, Shop(Path(REUSED) / "refreshed", dbt).copy(refreshed.folder)
    shop.folder.mkdir(parents=True)
    shop.sql((PROJECT / "data" / "raw.sql").read_text())
    _build_models(shop)
    _age(shop)
    shop.sql((PROJECT / "data" / "late.sql").read_text())
    built = shop.copy(folder / "building")
    _build_models(built, "--full-refresh")
    built.folder.rename(refreshed.folder)
    return shop, refreshed


def _build_models(shop: Shop, *flags: str) -> None:
    _passed(shop.run("run", "--exclude", "tag:batch_day", "tag:batch_month", "tag:semicolon", *flags))
    shop.sql(_WITHOUT_DBT)
    for tag, window in BATCHES.items() if HAS_MICROBATCH else []:
        # the batches of a model wait for ever in dbt 1.9 where there is one thread
        _passed(shop.run("run", "--select", f"tag:{tag}", "--threads", "2", *flags, *window))


def _age(shop: Shop) -> None:
    """What months of use do to tables: columns change places, and newer ones are not there yet."""
    with duckdb.connect(str(shop.file)) as connection:
        connection.execute("""
            create or replace table marts.fct_reordered as select country, orders, amount, order_date from marts.fct_reordered;
            alter table marts.fct_new_column drop column amount;
        """)


def _passed(ended: Ended) -> None:
    assert ended.status == 0, ended.printed
