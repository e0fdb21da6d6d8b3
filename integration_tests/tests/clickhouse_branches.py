"""What the macros for ClickHouse return; those that need the engine are rendered by the runs in clickhouse/."""

from __future__ import annotations

from typing import Any

_TARGET = {"database": "", "schema": "marts", "identifier": "fct"}

CLICKHOUSE_CALLS: dict[str, list[tuple[list[Any], Any]]] = {
    "clickhouse___has_transactions": [([], False)],
    "clickhouse___overwrites_at_once": [([], True)],
    "clickhouse___checksum_of": [([["a", "b"]], "toString(sumOrNull(cityHash64(tuple(a, b))))")],
    "clickhouse___distinct_rows": [([["a"]], "uniqExact(cityHash64(tuple(a)))")],
    "clickhouse___newest_sql": [(["a"], "toString(maxOrNull(a))")],
    "clickhouse___rounded_sql": [
        (["a", "float64"], "toFloat32(a)"),
        (["a", "nullable(float32)"], "toFloat32(a)"),
        (["a", "decimal(10, 2)"], "a"),
    ],
    "clickhouse___column_kind": [
        (["date"], "date"),
        (["nullable(date32)"], "date"),
        (["lowcardinality(nullable(date))"], "date"),
        (["datetime"], "timestamptz"),
        (["nullable(datetime('utc'))"], "timestamptz"),
        (["datetime64(3)"], "timestamptz"),
        (["uint64"], "integer"),
        (["nullable(int8)"], "integer"),
        (["string"], "text"),
        (["lowcardinality(nullable(fixedstring(2)))"], "text"),
        (["enum8('a' = 1)"], "text"),
        (["decimal(10, 2)"], "other"),
        (["array(date)"], "other"),
        (["float64"], "other"),
    ],
    "clickhouse___literal": [
        (["7", "integer"], "7"),
        (["2024-01-01", "date"], "'2024-01-01'"),
        (["2024-01-01 00:00:00", "timestamptz"], "toDateTime64('2024-01-01 00:00:00', 0, 'UTC')"),
        (["2024-01-01 00:00:00", "timestamp"], "toDateTime64('2024-01-01 00:00:00', 0, 'UTC')"),
        (["DE", "text"], "'DE'"),
    ],
    "clickhouse___quoted": [(["a\\'; drop table x\n"], "'a\\\\\\'; drop table x\\n'")],
    "clickhouse___now_sql": [([], "now64(6, 'UTC')")],
    "clickhouse___ledger_types": [
        (
            [],
            {
                "text": "Nullable(String)",
                "integer": "Nullable(Int64)",
                "timestamp": "Nullable(DateTime64(6, 'UTC'))",
            },
        )
    ],
    "clickhouse___log_clause": [([], " engine = MergeTree order by tuple()")],
    "clickhouse___replace_methods": [([], ["replace_partition"])],
    "clickhouse___attached_sql": [
        (
            [_TARGET],
            "select 'materialized view' as what, concat(v.1, '.', v.2) as name, '' as place, '' as how from "
            "(select arrayJoin(arrayZip(dependencies_database, dependencies_table)) as v from system.tables "
            "where database = 'marts' and name = 'fct') as views order by 2",
        )
    ],
    "clickhouse___create_like_sql": [
        (["backup", "*", "fct"], ["drop table if exists backup", "create table backup as fct"])
    ],
    "clickhouse___create_stage_sql": [
        (["rows", "fct"], ["drop table if exists rows", "create table rows as fct"])
    ],
    "clickhouse___fill_stage_sql": [
        (["rows", "a, b", "select 1, 2"], ["truncate table rows", "insert into rows (a, b) select 1, 2"])
    ],
    "clickhouse___partitioned_columns": [
        (["toYYYYMM(order_date)"], ["order_date"]),
        (["toStartOfInterval(`the day`, toIntervalMonth(1))"], ["the day"]),
        (["order_date"], ["order_date"]),
        (["(toYYYYMM(d), country)"], ["d", "country"]),
        (["toYYYYMM(a + b)"], ["toYYYYMM(a + b)"]),
    ],
}

BY_CLICKHOUSE = {
    "clickhouse___" + name
    for name in (
        "check_target",
        "end_transaction",
        "fetch",
        "overwrite_sql",
        "partition_grain",
        "query_columns",
        "rest",
        "run",
        "scans",
        "unit_partitions",
    )
}
