"""What is refused, or said, on engines that cannot be run here, before anything is written. Nothing in this file has run on them."""

from __future__ import annotations

from typing import Any

import pytest
from generated_engines import ENGINES, FORMATS, HIVE_TABLE, Engine, printed, scenario
from shop import Shop

HIVE = {"connector": "hive"}
BACKUP = "backup: false is not available on {}: the old rows "
REFUSED: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("snowflake", {"backup": False}, {}, BACKUP),
    ("sqlserver", {"backup": False}, {}, BACKUP),
    ("sqlserver", {"inputs": {"a": "b"}}, {}, "inputs are not available on {}; leave inputs out"),
    ("bigquery", {"backup": False}, {}, BACKUP),
    ("trino", {"expect": {"keep_missing": True}}, {}, "expect: keep_missing is not available on {}; write"),
    (
        "databricks",
        {},
        {"file_format": "parquet"},
        "`shop`.`marts`.`fct` is stored as parquet; only tables of Delta",
    ),
    (
        "trino",
        {},
        {"connector": "delta_lake"},
        '"shop"."marts"."fct" lies in a catalog of the connector delta_lake; only',
    ),
    (
        "trino",
        {},
        HIVE | {"created": HIVE_TABLE.replace("format", "external_location = 's3://a/b',\n   format")},
        '"shop"."marts"."fct" is an external table of Hive, whose partitions Trino does not drop whole',
    ),
    (
        "trino",
        {},
        HIVE | {"created": HIVE_TABLE.replace("format", "transactional = true,\n   format")},
        '"shop"."marts"."fct" is a transactional table of Hive',
    ),
    (
        "trino",
        {},
        HIVE | {"created": HIVE_TABLE.split("WITH")[0]},
        '"shop"."marts"."fct" is a table of Hive, and has no partitions; set partitioned_by: ARRAY[\'day\']',
    ),
    (
        "trino",
        {},
        HIVE | {"created": HIVE_TABLE.replace("'day'", "'month', 'country'")},
        '"shop"."marts"."fct" is a table of Hive, and its partitions (month, country) are replaced whole; write column: month',
    ),
    (
        "trino",
        {"where": {"country": "DE"}},
        HIVE,
        'where: country cuts the partitions of "shop"."marts"."fct" (day), which are replaced whole; leave it out',
    ),
    ("trino", {"backup": False}, HIVE, BACKUP),
    ("athena", {}, {"table_type": "hive"}, '"shop"."marts"."fct" is a table of hive; only tables of Iceberg'),
]


@pytest.mark.parametrize(("name", "request_", "config", "error"), REFUSED, ids=lambda given: str(given)[:30])
def test_what_is_refused(
    shop: Shop, name: str, request_: dict[str, Any], config: dict[str, Any], error: str
) -> None:
    """In one line with the way out, and nothing but the table's own kind is asked for."""
    engine = next(engine for engine in ENGINES if engine.name == name)
    plan = scenario(request=request_)
    plan["request"]["node"]["config"] = FORMATS.get(name, {}) | config
    ended = shop.operation("run_as", double=engine.double(**config), plan=plan, does=["checks"])
    assert ended.status == 1
    assert ended.error.startswith(error.format(name)), ended.printed


@pytest.mark.parametrize(
    "sql", ["with a as (select 1 as day) select * from a", " -- why\n/* so */ WITH a as (select 1) select 1"]
)
def test_sql_server_takes_no_with_inside(shop: Shop, sql: str) -> None:
    """A model that begins with it is refused before anything is asked."""
    engine = next(engine for engine in ENGINES if engine.name == "sqlserver")
    call = {"macro": "sqlserver___query_columns", "arguments": [sql]}
    ended = shop.operation("calls_as", double=engine.double(), calls=[call])
    assert ended.error.startswith("the SQL of the model begins with WITH")


@pytest.mark.parametrize(
    ("name", "chain", "severity"),
    [
        ("redshift", ("default", "postgres", "redshift"), ["warn"]),
        ("postgres", ("default", "postgres"), []),
        ("built_on_postgres", ("default", "postgres"), ["block"]),
        ("unknown", ("default",), ["block"]),
    ],
)
def test_how_far_it_is_tried_stands_in_the_plan(
    shop: Shop, name: str, chain: tuple[str, ...], severity: list[str]
) -> None:
    """Nothing of an engine that is run here, a warning of one that is not, a block of one that nobody has looked at."""
    engine = Engine(name, "", chain, '"', ("text", "bigint", "timestamp"), "")
    call = {"macro": "_proof_findings", "arguments": []}
    ((findings, _),) = printed(shop.operation("calls_as", double=engine.double(), calls=[call]))
    assert [finding["severity"] for finding in findings] == severity
    assert all(finding["code"] == "BF110" and name in finding["message"] for finding in findings)


@pytest.mark.parametrize(("connector", "seen"), [("hive", ["BF305"]), ("iceberg", [])])
def test_tables_of_hive_are_not_replaced_at_once(shop: Shop, connector: str, seen: list[str]) -> None:
    """Which the plan says, and that the schedule has to be paused."""
    engine = next(engine for engine in ENGINES if engine.name == "trino")
    double = engine.double(connector=connector)
    plan = scenario(request={"live": "running"})
    findings = printed(shop.operation("run_as", double=double, plan=plan, does=["checks", "plan"]))[
        "isolated"
    ]
    assert [finding["code"] for finding in findings] == ["BF304", *seen]
    assert findings[0]["alternative"] == "pause the schedule and write live: paused"
    assert all("day empty or half-written" in finding["message"] for finding in findings[1:])
