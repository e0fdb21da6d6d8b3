"""Builds the test project once: its packages, a target as months of use leave it, and a full refresh of it to compare with."""

from __future__ import annotations

import os
import shutil
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from duckdb_shop import DuckdbShop
from shop import PACKAGE, PROJECT, Dbt, Ended, Shop

if TYPE_CHECKING:
    from postgres_shop import Databases

# The folder of an earlier test run (pytest's --basetemp, then shop), whose databases and parsed project are taken over.
REUSED = os.environ.get("BACKFILL_SAFETY_BUILT")

# dbt 1.8 has no microbatch; its tests are not among those that run on it.
HAS_MICROBATCH = not version("dbt-core").startswith("1.8.")
# Microbatch models are asked for their own window, else dbt would go on to today.
BATCHES = {
    "batch_day": ["--event-time-start", "2024-10-01", "--event-time-end", "2025-01-01"],
    "batch_month": ["--event-time-start", "2024-01-01", "--event-time-end", "2025-01-01"],
}

# Columns change places, and newer ones are not there yet.
_AGED = """
    create table marts.aged as select country, orders, amount, order_date from marts.fct_reordered;
    drop table marts.fct_reordered;
    alter table marts.aged rename to fct_reordered;
    alter table marts.fct_new_column drop column amount;
"""
_WITHOUT_DBT = """
    drop table if exists marts.fct_semicolon;
    create table marts.fct_semicolon as
    select cast(event_ts as date) as order_date, sum(amount) as amount, ';' as mark from raw.events group by 1
"""


def on_duckdb(folder: Path, dbt: Dbt) -> tuple[Shop, Shop]:
    """(the shop as it is used, the same after a full refresh), built in `folder` unless they are there."""
    shop, refreshed = DuckdbShop(folder / "used", dbt), DuckdbShop(folder / "refreshed", dbt)
    if refreshed.file.exists():
        return shop, refreshed
    _copy_project(folder, dbt)
    if REUSED:
        DuckdbShop(Path(REUSED) / "duckdb" / "used", dbt).copy(shop.folder)
        return shop, DuckdbShop(Path(REUSED) / "duckdb" / "refreshed", dbt).copy(refreshed.folder)
    shop.folder.mkdir(parents=True)
    _use(shop)
    built = shop.copy(folder / "building")
    _build_models(built, "--full-refresh")
    built.folder.rename(refreshed.folder)
    return shop, refreshed


def on_postgres(folder: Path, dbt: Dbt) -> Databases:
    """A server of this process's own with the same two as `used` and `refreshed`: its data are built in `folder` once."""
    from postgres_shop import Databases, PostgresShop

    data = Path(REUSED or folder.parent) / "postgres" / "data"
    if not dbt.project.exists():
        _copy_project(folder, dbt)
    if not data.exists():
        with Databases() as databases:
            databases.command("create database used")
            _use(PostgresShop(folder, dbt, databases, "used"))
            databases.take(None)
            databases.command("create database refreshed template used")
            _build_models(PostgresShop(folder, dbt, databases, "refreshed"), "--full-refresh")
            databases.take(None)
            databases.server.keep(data)
    return Databases(data)


def _copy_project(folder: Path, dbt: Dbt) -> None:
    """The project in a folder of its own, with the package that is to be tested, as `dbt deps` installs it."""
    ignored = shutil.ignore_patterns(
        "tests", "target", "dbt_packages", "logs", "*.duckdb*", "package-lock.yml"
    )
    shutil.copytree(PROJECT, dbt.project, ignore=ignored)
    parsed = Path(REUSED or folder.parent) / folder.name / "project" / "target" / "partial_parse.msgpack"
    if parsed.exists():
        (dbt.project / "target").mkdir()
        shutil.copy(parsed, dbt.project / "target")
    packages = dbt.project / "packages.yml"
    packages.write_text(packages.read_text().replace("local: ../", f"local: {PACKAGE}"))
    _passed(dbt("deps", output=folder / "printed.txt", environment={}, fresh=True))


def _use(shop: Shop) -> None:
    """What months of use leave."""
    shop.sql((PROJECT / "data" / "raw.sql").read_text())
    _build_models(shop)
    shop.sql(_AGED)
    shop.sql((PROJECT / "data" / "late.sql").read_text())


def _build_models(shop: Shop, *flags: str) -> None:
    _passed(shop.run("run", "--exclude", "tag:batch_day", "tag:batch_month", "tag:semicolon", *flags))
    shop.sql(_WITHOUT_DBT)
    for tag, window in BATCHES.items() if HAS_MICROBATCH else []:
        # the batches of a model wait for ever in dbt 1.9 where there is one thread
        _passed(shop.run("run", "--select", f"tag:{tag}", "--threads", "2", *flags, *window))


def _passed(ended: Ended) -> None:
    assert ended.status == 0, ended.printed
