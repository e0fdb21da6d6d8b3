"""Fixtures: one dbt a worker, one build for all workers, one copy of the database a test."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from building import build, copy_project, installed
from shop import Dbt, Shop


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of this test run share."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shop"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def built(shared: Path) -> Iterator[tuple[Shop, Shop]]:
    """(the shop as it is used, the same after a full refresh): read them, never write to them."""
    with Dbt(shared / "project") as dbt:
        with (shared / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (shared / "project").exists():
                copy_project(shared / "project")
                installed(dbt, shared / "none.duckdb")
            shops = build(shared, dbt)
        yield shops


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
