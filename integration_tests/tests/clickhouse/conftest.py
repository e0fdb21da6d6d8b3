"""Fixtures: one ClickHouse and one warm dbt for all the tests, and tables that each test finds as they are used."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from clickhouse_shop import Shop


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    """The tables as they are used (`used`) and after a full refresh (`want`)."""
    for wheel, module in (("chdb-core", "chdb"), ("dbt-clickhouse", "dbt.adapters.clickhouse")):
        pytest.importorskip(
            module, reason=f"the proofs on ClickHouse need {wheel}: requirements/clickhouse.txt"
        )
    from clickhouse_shop import Shop

    with Shop(tmp_path_factory.mktemp("clickhouse")) as shop:
        shop.build()
        yield shop


@pytest.fixture
def shop(built: Shop) -> Shop:
    """The shop, its ledger empty; a test restores the tables that it writes to."""
    built.restore()
    return built
