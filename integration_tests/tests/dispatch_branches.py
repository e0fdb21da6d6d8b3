"""The branches of dispatch, each with its arguments and what it returns, or where it is met; engines that cannot be run here among them."""

from __future__ import annotations

from typing import Any

from clickhouse_branches import BY_CLICKHOUSE, CLICKHOUSE_CALLS

TARGET = {"database": "shop", "schema": "Marts", "identifier": "fct"}
WAIT = (
    "select set_config('lock_timeout', coalesce(nullif(current_setting('lock_timeout'), '0'), '2min'), true)"
)
HASH = "hashtextextended(encode(record_send(row(a, b)), 'hex'), 0)"
HOLDER = "hashtextextended('backfill_safety holder ' || 'me', 0)"
TURN = "hashtextextended('backfill_safety shop.marts.fct', 0)"
GUARD = (
    "do $backfill_safety$ declare before text := current_setting('lock_timeout'); begin "
    "if current_setting('transaction_isolation') not like 'read %' then raise exception"
)

# branch → [(arguments, what it returns)]; those that need an engine are met by an operation on a plain one.


def reading(rows: int, unbounded: int = 0) -> dict[str, Any]:
    """A plan of ten units that reads so many rows, those of tables without bounds apart."""
    estimate = {"rows": rows, "unbounded": unbounded}
    return {"read": "per_unit", "units": 10, "inputs": {"events": {}}, "estimate": estimate}


CALLS: dict[str, list[tuple[list[Any], Any]]] = {
    **CLICKHOUSE_CALLS,
    "default___newest_sql": [(["a"], "cast(max(a) as TEXT)")],
    "default___rounded_sql": [(["a", "double"], "cast(a as real)"), (["a", "integer"], "a")],
    "default___partition_grain": [([{}, "a"], None)],
    "default___partitioned_columns": [(["a"], ["a"])],
    "default___literal": [
        (["7", "integer"], "7"),
        (["2024-01-01", "date"], "date '2024-01-01'"),
        (["2024-01-01 00:00:00", "timestamp"], "timestamp '2024-01-01 00:00:00'"),
        (["2024-01-01 00:00:00", "timestamptz"], "timestamp with time zone '2024-01-01 00:00:00+00'"),
        (["O'Neil", "text"], "'O''Neil'"),
    ],
    "default___quoted": [(["a'; drop table x; --"], "'a''; drop table x; --'")],
    "default___column_kind": [
        (["date"], "date"),
        (["timestamp with time zone"], "timestamptz"),
        (["timestamp_ntz"], "timestamp"),
        (["datetime"], "timestamp"),
        (["timestamp_tz"], "timestamptz"),
        (["int64"], "integer"),
        (["hugeint"], "integer"),
        (["number(38,0)"], "integer"),
        (["decimal(10, 2)"], "other"),
        (["double"], "other"),
        (["varchar(20)"], "text"),
        (["nvarchar"], "text"),
        (["boolean"], "other"),
        (["interval"], "other"),
        (["integer[]"], "other"),
        (["varchar[]"], "other"),
    ],
    "spark___column_kind": [
        (["timestamp"], "timestamptz"),
        (["timestamp_ntz"], "timestamp"),
        (["string"], "text"),
    ],
    "default___now_sql": [([], "cast(current_timestamp at time zone 'UTC' as timestamp)")],
    "default___holds_database_alone": [([], False)],
    "duckdb___holds_database_alone": [([], True)],
    "default___scans": [(["select 1"], None)],
    "default___replace_methods": [([], ["delete+insert"])],
    "duckdb___checksum_of": [([["a", "b"]], "cast(sum(hash(a, b)) as varchar)")],
    "duckdb___distinct_rows": [([["a"]], "count(distinct hash(a))")],
    "default___distinct_rows": [
        (
            [["a", "b"]],
            "count(distinct md5(coalesce(length(\n        cast(a as TEXT)\n    ) || ':' || cast(a as TEXT), '-')",
        )
    ],
    "default___checksum_of": [([["a"]], "cast(sum(cast(cast(('x' || substr(md5(coalesce(length(")],
    "default___run": [([["select 1", "select 2, 3"]], [[2, 3]])],
    "default___fetch": [(["select 1, 'x' union all select 2, null order by 1"], [[1, "x"], [2, None]])],
    "duckdb___run": [([["select 1", "select 2, 3"]], [[2, 3]])],
    "duckdb___fetch": [(["select 1, 'x'"], [[1, "x"]])],
    "duckdb___scans": [
        (
            ["with few as materialized (from range(5)) select * from few as a join few as b using (range)"],
            [{"table": None, "rows": 5, "size": 5}],
        )
    ],
    "default___units_in_select": [([{}], None)],
    "duckdb___units_in_select": [
        ([reading(1_000_000)], 2),
        ([reading(30_000_000)], 1),
        ([reading(0)], 250_000),
        ([reading(1_000_000, unbounded=100_000)], 2),
        ([reading(1_000_000, unbounded=100_001)], None),
        ([reading(1_000_000) | {"inputs": {"events": {"lookback": "1 day"}}}], None),
        ([reading(1_000_000) | {"inputs": {"events": {"lookahead": "1 day"}}}], None),
        ([reading(1_000_000) | {"read": "once"}], None),
        ([reading(1_000_000) | {"estimate": None}], None),
    ],
    "duckdb___rest": [([0], None)],
    "duckdb___query_columns": [(["select 1 as a"], [{"name": "a", "data_type": "INTEGER"}])],
    "duckdb___end_transaction": [([], None)],
    "default___try_turn_sql": [([TARGET], None)],
    "default___alone_sql": [([], [])],
    "default___begin_sql": [([], "begin")],
    "postgres___begin_sql": [([], "begin isolation level read committed")],
    "default___wait_for_locks": [([], [])],
    "postgres___wait_for_locks": [([], [WAIT])],
    "default___check_now_sql": [([], [])],
    "postgres___check_now_sql": [([], ["set constraints all immediate"])],
    "default___returns_deleted": [([[]], False)],
    "postgres___returns_deleted": [([[["trigger", "a", "", ""]]], True), ([[["rule", "a", "", ""]]], False)],
    "default___generated_columns": [([TARGET], [])],
    "default___filled_columns": [([TARGET], None)],
    "default___shared_database": [([TARGET], None)],
    "default___as_they_were": [([], "")],
    "postgres___as_they_were": [([], " overriding system value")],
    "default___try": [
        (
            [["select 1", {"rows": "select 2, 3"}, {"rows": "select 4 where false"}], []],
            {"answers": [[[2, 3]], []], "trouble": None, "locked": False},
        )
    ],
    "default___lease_key": [([], "")],
    "default___has_transactions": [([], True)],
    "default___check_target": [([{}], None)],
    "default___begin_plan": [([], None)],
    "default___create_like_sql": [
        (["backup", "*", "fct"], ["create table backup as select * from fct where 1 = 0"])
    ],
    "default___create_stage_sql": [
        (["rows", "fct"], ["drop table if exists rows", "create table rows as select * from fct where 1 = 0"])
    ],
    "default___fill_like_sql": [
        (
            ["rows", "a, b", "fct", "set a = 1; ", "select 1 as a, 2 as b"],
            [
                "create table rows as select a, b from fct where 1 = 0",
                "set a = 1; insert into rows (a, b) select 1 as a, 2 as b",
            ],
        )
    ],
    "default___fill_stage_sql": [
        (["rows", "a, b", "select 1, 2"], ["insert overwrite table rows (a, b) select 1, 2"])
    ],
    "default___see_others_sql": [(["fct"], [])],
    "default___log_clause": [([], "")],
    "default___proof": [([], {"engine": None, "is": None})],
    "duckdb___proof": [([], {"engine": "duckdb", "is": "real"})],
    "postgres___proof": [([], {"engine": "postgres", "is": "real"})],
    "spark___proof": [([], {"engine": "spark", "is": "real"})],
    "clickhouse___proof": [([], {"engine": "clickhouse", "is": "real"})],
    "default___overwrites_at_once": [([], True)],
    "spark___overwrites_at_once": [([], False)],
    "default___has_views": [([], True)],
    "default___left_out": [(["leases", []], [])],
    "spark___left_out": [(["leases", ["relation", "holder"]], ["taken_at", "expires_at", "seq"])],
    "spark___partitioned_columns": [
        (["order_date"], ["order_date"]),
        (["Days(event_ts)"], ["event_ts"]),
        (["bucket(16, `id`)"], ["id"]),
        (["truncate(10, name)"], ["name"]),
    ],
    "spark___partition_grain": [
        ([{"config": {"partition_by": "hours(event_ts)"}}, "event_ts"], "hour"),
        ([{"config": {"partition_by": ["country", "month(at)"]}}, "at"], "month"),
        ([{"config": {"partition_by": ["country", "bucket(4, id)"]}}, "id"], None),
        ([{"config": {"partition_by": "order_date"}}, "at"], None),
    ],
    "default___make_and_insert_sql": [([["create"], ["insert"]], ["create", "insert"])],
    "default___add_columns": [
        (
            [{"added": [{"name": "a", "data_type": "int"}], "request": {"relation": "fct"}}],
            ['alter table fct add column "a" int'],
        )
    ],
    "default___add_column_sql": [
        (["fct", {"name": "a", "data_type": "int"}], 'alter table fct add column "a" int')
    ],
    "default___lease_alone_sql": [([TARGET], [])],
    "default___before_commit_sql": [([TARGET], [])],
    "default___can_take_turns": [([], False)],
    "postgres___can_take_turns": [([], True)],
    "default___except": [([], " except ")],
    "default___ledger_types": [([], {"text": "TEXT", "integer": "bigint", "timestamp": "timestamp"})],
    "default___cast_types": [([], {"text": "TEXT", "integer": "bigint", "timestamp": "timestamp"})],
    "default___create_missing_sql": [
        (["runs", ["a int", "b int"]], ["create table if not exists runs (a int, b int)"])
    ],
    "default___unit_partitions": [
        (["fct", ["rows", "fct"], "a = 1", '"a"'], [{"predicate": "a = 1", "column": '"a"'}])
    ],
    "default___plain_timestamp": [([], "timestamp")],
    "spark___has_transactions": [([], False)],
    "spark___run": [([["begin", "select 2, 3", "commit"]], [[2, 3]])],
    "spark___fetch": [(["select 1, 'x'"], [[1, "x"]])],
    "spark___checksum_of": [
        (
            [["a", "b"]],
            "cast(sum(cast(xxhash64(a, a is null, b, b is null) as decimal(38, 0))) as string)",
        )
    ],
    "spark___distinct_rows": [([["a"]], "count(distinct xxhash64(a, a is null))")],
    "spark___literal": [
        (["7", "integer"], "7"),
        (["2024-01-01", "date"], "date '2024-01-01'"),
        (["2024-01-01 00:00:00", "timestamp"], "timestamp_ntz '2024-01-01 00:00:00'"),
        (["2024-01-01 00:00:00", "timestamptz"], "timestamp '2024-01-01 00:00:00+00:00'"),
    ],
    "spark___quoted": [(["a\\'; drop table x\n"], "'a\\\\\\'; drop table x\\n'")],
    "spark___now_sql": [
        ([], "cast(to_utc_timestamp(current_timestamp(), current_timezone()) as timestamp_ntz)")
    ],
    "spark___plain_timestamp": [([], "timestamp_ntz")],
    "spark___replace_methods": [([], ["insert_overwrite", "merge"])],
    "spark___log_clause": [([], " using parquet")],
    "default___on_taken_lease": [([], "")],
    "default___attached_sql": [([TARGET], None)],
    "postgres___attached_sql": [([TARGET], "with tree as (select ")],
    "default___show_alive_sql": [(["me"], [])],
    "default___holder_is_gone_sql": [([], "1 = 0")],
    "default___live_run_ends_sql": [([TARGET], "select 1")],
    "duckdb___live_run_begins_sql": [([TARGET, "wait", 5], "select 1")],
    "postgres___fetch": [(["select 1, 'x'"], [[1, "x"]])],
    "postgres___run": [([["select 1", "select 2, 3"]], [[2, 3]])],
    "postgres___checksum_of": [
        ([["a", "b"]], f"cast(sum({HASH}) as text)"),
    ],
    "postgres___distinct_rows": [([["a", "b"]], f"count(distinct {HASH})")],
    "postgres___lease_key": [([], " primary key")],
    "postgres___on_taken_lease": [([], " on conflict (relation) do nothing")],
    "postgres___now_sql": [([], "cast(clock_timestamp() at time zone 'UTC' as timestamp)")],
    "postgres___show_alive_sql": [
        (
            ["me"],
            [WAIT, f"select pg_advisory_lock_shared({HOLDER})"],
        )
    ],
    "postgres___holder_is_gone_sql": [
        ([], "pg_try_advisory_xact_lock(hashtextextended('backfill_safety holder ' || holder, 0))")
    ],
    "postgres___try_turn_sql": [
        ([TARGET], f"{WAIT.replace('2min', '10s')}; select pg_try_advisory_xact_lock({TURN})")
    ],
    "default___try_shared_turn_sql": [([TARGET], None)],
    "postgres___try_shared_turn_sql": [([TARGET], f"pg_try_advisory_xact_lock_shared({TURN})")],
    "default___why_no_workers": [([], "it has no row locks that end with a transaction")],
    "duckdb___why_no_workers": [([], "one process holds the file")],
    "postgres___why_no_workers": [([], None)],
    "default___index_sql": [(["t", "day"], [])],
    "postgres___index_sql": [
        (["t", "day"], ["create index on t (day)"]),
        (["t", "a, b", "n"], ["create index if not exists n on t (a, b)"]),
    ],
    "default___worker_locks": [(["me"], None)],
    "postgres___worker_locks": [
        (
            ["me"],
            {
                "enter": "select pg_try_advisory_lock(hashtextextended('backfill_safety gate ' || 'me', 0))",
                "pass": "select pg_advisory_unlock(hashtextextended('backfill_safety gate ' || 'me', 0))",
                "alone": f"select pg_try_advisory_xact_lock({HOLDER})",
                "leave": f"select pg_advisory_unlock_shared({HOLDER})",
            },
        )
    ],
    "postgres___alone_sql": [
        ([], [WAIT, "select pg_advisory_xact_lock(hashtextextended('backfill_safety ledger', 0))"])
    ],
    "postgres___live_run_begins_sql": [([TARGET, how, 5], GUARD) for how in ("wait", "fail")],
}
PREFIX_ONLY = {
    "postgres___attached_sql",
    "default___distinct_rows",
    "default___checksum_of",
    "postgres___live_run_begins_sql",
}
NO_ANSWER = {"duckdb___rest", "duckdb___end_transaction"}
# Rendered by the runs in spark/, each of them by every backfill there.
BY_SPARK = (
    "end_transaction",
    "rest",
    "query_columns",
    "create_like_sql",
    "create_stage_sql",
    "fill_stage_sql",
    "see_others_sql",
    "has_views",
    "check_target",
    "unit_partitions",
    "overwrite_sql",
)
# Rendered by the runs below, by the other tests of this file, and by those in postgres/.
BY_OPERATION = {
    "default___attempt",
    "default___estimate",
    "postgres___attempt",
    "postgres___add_columns",
    "postgres___begin_plan",
    "postgres___generated_columns",
    "duckdb___generated_columns",
    "postgres___filled_columns",
    "postgres___fill_like_sql",
    "postgres___units_in_select",
    "duckdb___filled_columns",
    "duckdb___shared_database",
    "postgres___live_run_ends_sql",
    "postgres___try",
    "default___replace_sql",
    "default___replace_and_record",
    "default___query_columns",
    "default___end_transaction",
    "postgres___scans",
    "postgres___rest",
    "default___rest",
    "default___live_run_begins_sql",
    *("spark___" + name for name in BY_SPARK),
    *BY_CLICKHOUSE,
}
