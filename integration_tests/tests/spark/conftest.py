"""Fixtures: one Spark session and one dbt for all the tests, and tables that each test finds as they are used."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from iceberg_shop import IcebergShop
from spark_shop import MODELS, Shop


def _skip_unless_installed() -> None:
    for name, module in (("pyspark", "pyspark"), ("dbt-spark[session]", "dbt.adapters.spark")):
        pytest.importorskip(module, reason=f"the proofs on Spark need {name}: requirements/spark.txt")
    if shutil.which("java") is None:
        pytest.skip("the proofs on Spark need Java 17: apt-get install openjdk-17-jre-headless")


@pytest.fixture(scope="session")
def spark_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a Spark has its tables; skips where there can be none."""
    _skip_unless_installed()
    return tmp_path_factory.mktemp("spark")


@pytest.fixture(scope="session")
def built(spark_folder: Path) -> Iterator[Shop]:
    """A session with the tables as they are used (`used`) and after a full refresh (`want`)."""
    with Shop(spark_folder) as shop:
        shop.build(*MODELS)
        yield shop


@pytest.fixture
def shop(built: Shop) -> Shop:
    """The session, its ledger empty; a test restores the tables that it writes to."""
    built.restore()
    return built


@pytest.fixture(scope="session")
def iced(built: Shop) -> IcebergShop:
    """The same session with tables of Iceberg beside the others."""
    pytest.importorskip("snowpark_connect_deps_iceberg", reason="Iceberg's jars come for Python up to 3.12")
    shop = IcebergShop(built)
    shop.sql("use ice")
    shop.make()
    shop.sql("use spark_catalog")
    return shop


@pytest.fixture
def ice(iced: IcebergShop) -> Iterator[IcebergShop]:
    """Iceberg's catalog is the session's, its ledger empty; a test restores the tables that it writes to."""
    iced.sql("use ice")
    iced.restore()
    yield iced
    iced.sql("use spark_catalog")
