"""What each adapter does with a configuration, and what hooks write."""

from __future__ import annotations

import pytest

from backfill_safety.facts.adapters import Write
from backfill_safety.facts.grain import Grain, boundary_of, grain_of, is_moment
from backfill_safety.facts.hooks import HookReader
from backfill_safety.facts.names import says_time
from backfill_safety.facts.target import target_of
from backfill_safety.render import Hook


@pytest.mark.parametrize(
    ("adapter", "config", "write"),
    [
        ("duckdb", {}, Write.INSERT),
        ("duckdb", {"unique_key": "id"}, Write.DELETE_INSERT),
        ("postgres", {}, Write.INSERT),
        ("postgres", {"unique_key": "id"}, Write.DELETE_INSERT),
        ("redshift", {"unique_key": []}, Write.INSERT),
        ("snowflake", {"unique_key": "id"}, Write.MERGE),
        ("snowflake", {}, Write.INSERT),
        ("snowflake", {"incremental_strategy": "insert_overwrite", "partition_by": "day"}, Write.TABLE),
        ("bigquery", {}, Write.INSERT),
        (
            "bigquery",
            {"incremental_strategy": "insert_overwrite", "partition_by": {"field": "d"}},
            Write.PARTITIONS,
        ),
        ("databricks", {"unique_key": ["a", "b"]}, Write.MERGE),
        ("databricks", {"incremental_strategy": "replace_where"}, Write.TABLE),
        (
            "databricks",
            {"incremental_strategy": "replace_where", "incremental_predicates": ["d > 1"]},
            Write.PREDICATE,
        ),
        ("spark", {"unique_key": "id"}, Write.INSERT),
        ("spark", {"incremental_strategy": "insert_overwrite"}, Write.TABLE),
        ("spark", {"incremental_strategy": "insert_overwrite", "partition_by": ["d"]}, Write.PARTITIONS),
        ("trino", {"unique_key": "id"}, Write.INSERT),
        ("trino", {"unique_key": "id", "incremental_strategy": "delete+insert"}, Write.DELETE_INSERT),
        ("athena", {}, Write.INSERT),
        ("athena", {"partitioned_by": ["d"]}, Write.PARTITIONS),
        (
            "clickhouse",
            {"unique_key": "(a, b)", "incremental_strategy": "delete_insert"},
            Write.DELETE_INSERT,
        ),
        ("clickhouse", {"incremental_strategy": "microbatch"}, Write.INSERT),
        ("sqlserver", {"unique_key": "id"}, Write.MERGE),
        ("sqlserver", {}, Write.INSERT),
        ("snowflake", {"incremental_strategy": "microbatch"}, Write.BATCH),
        ("snowflake", {"incremental_strategy": "my_upsert", "unique_key": "id"}, Write.UNKNOWN),
        ("never-heard-of", {"unique_key": "id"}, Write.DELETE_INSERT),
    ],
)
def test_what_is_written(adapter: str, config: dict[str, object], write: Write) -> None:
    assert target_of(config, adapter).write is write


@pytest.mark.parametrize(
    ("key", "columns"),
    [
        ("id", ("id",)),
        (["A", "b"], ("a", "b")),
        ("(day, shop)", ("day", "shop")),
        ("concat_ws('-', a, b)", ("a", "b")),
        (None, ()),
        (5, ()),
    ],
)
def test_the_columns_of_a_key(key: object, columns: tuple[str, ...]) -> None:
    assert target_of({"unique_key": key}, "snowflake").key == columns


def test_partitions_in_each_adapters_words() -> None:
    clickhouse = target_of({"partition_by": "toYYYYMM(day)"}, "clickhouse").partitioning
    assert clickhouse is not None
    assert [(c.name, c.grain) for c in clickhouse.columns] == [("day", Grain.MONTH)]
    trino = target_of({"properties": {"partitioning": "ARRAY['day(ts)', 'tenant']"}}, "trino").partitioning
    assert trino is not None
    assert [(c.name, c.grain) for c in trino.columns] == [("ts", Grain.DAY), ("tenant", None)]


@pytest.mark.parametrize(
    ("sql", "verb", "target"),
    [
        ("truncate table db.mart.model", "truncate", True),
        ("lock table db.mart.model in access exclusive mode", "lock", True),
        ("delete from db.mart.model", "delete", True),
        ("drop table if exists db.mart.other", "drop", False),
        ("update ops.cursors set v = (select max(ts) from db.mart.model)", "update", False),
        ("insert into ops.log values ('x', now())", "insert", False),
    ],
)
def test_what_a_hook_writes(sql: str, verb: str, target: bool) -> None:
    (write,) = HookReader("db.mart.model", {}, "postgres", ("model",)).of("pre_hook", [Hook(sql, sql)])
    assert (write.verb.value, write.target) == (verb, target)


@pytest.mark.parametrize(
    "sql",
    [
        "grant select on x to y",
        "analyze x",
        "lock table x in access share mode",
        "comment on table x is 'drop it'",
        "select 1",
    ],
)
def test_hooks_that_write_nothing(sql: str) -> None:
    assert [
        w
        for w in HookReader("x", {}, "postgres", ()).of("pre_hook", [Hook(sql, sql)])
        if w.verb.value != "unknown"
    ] == []


@pytest.mark.parametrize(
    "name",
    [
        "paid_at",
        "event_day",
        "_inserted_timestamp",
        "time",
        "block_time",
        "updated_on",
        "date",
        "month_start",
        "ts_ms",
        "createdAt".lower(),
    ],
)
def test_names_that_say_time(name: str) -> None:
    assert says_time(name)


@pytest.mark.parametrize(
    "name",
    [
        "status",
        "amount",
        "time_zone",
        "day_of_week",
        "is_dated",
        "candidate",
        "id",
        "lead_time",
        "daily_count",
        "update",
        "station",
    ],
)
def test_names_that_do_not(name: str) -> None:
    assert not says_time(name)


def test_boundaries() -> None:
    assert boundary_of("2024-01-15") is Grain.DAY
    assert boundary_of("2024-02-01") is Grain.MONTH
    assert boundary_of("2024-04-01 00:00:00") is Grain.QUARTER
    assert boundary_of("2024-01-01") is Grain.YEAR
    assert boundary_of("2024-01-15 06:00:00") is Grain.HOUR
    assert boundary_of("never") is None
    assert grain_of("DAYS") is Grain.DAY
    assert grain_of("week(monday)") is Grain.WEEK
    assert not Grain.MONTH.lies_on(Grain.WEEK)
    assert is_moment("20240101")
    assert not is_moment("99999999")
