"""Where a query is bounded, by what, and through what."""

from __future__ import annotations

import pytest

from backfill_safety.facts.grain import Grain
from backfill_safety.facts.types import Kind, Side

from .reading import read, var

LO, HI = var("lo", "2024-01-01"), var("hi", "2024-01-02")


def kinds(sql: str, side: Side = Side.LOWER, dialect: str = "duckdb") -> list[set[str]]:
    """For each stream, what bounds it on one side."""
    facts = read(sql, dialect, (LO, HI))
    return [{k.value for b in arm.on(side) for k in b.kinds} for arm in facts.arms]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("ts >= '__var_lo__'", {"var"}),
        ("'__var_lo__' <= ts", {"var"}),
        ("ts >= current_date - interval '3' day", {"clock"}),
        ("ts > (select max(ts) from db.mart.model)", {"itself"}),
        ("ts > (select coalesce(max(ts), '1900-01-01') from db.mart.model)", {"itself"}),
        ("ts > (select last_value from ops.cursors where job = 'x')", {"other"}),
        ("ts >= '2020-01-01'", {"literal"}),
        ("ts between '__var_lo__' and '__var_hi__'", {"var"}),
        ("not (ts < '__var_lo__')", {"var"}),
        ("ts in ('__var_lo__', '__var_hi__')", {"var"}),
        ("date_diff('day', ts, current_date) <= 3", {"clock"}),
        ("ts + interval '3' day >= now()", {"clock"}),
        ("ts >= least('__var_lo__'::date, current_date)", {"var", "clock"}),
        ("ts >= '__var_lo__' or ts is null", {"var"}),
        ("ts >= '__var_lo__' or state = 'x'", set()),
        ("status = 'won'", set()),
        ("amount > 5", set()),
        ("ts < '__var_hi__'", set()),
    ],
)
def test_what_bounds_a_column_below(condition: str, expected: set[str]) -> None:
    assert kinds(f"select id, ts from db.raw.events where {condition}") == [expected]


@pytest.mark.parametrize(
    "sql",
    [
        "with a as (select * from db.raw.events), b as (select * from a where ts >= '__var_lo__') select * from b",
        "select * from (select id, ts as seen from db.raw.events) q where seen >= '__var_lo__'",
        "with days as (select day from db.d.days where day >= '__var_lo__') select e.* from days join db.raw.events e on e.ts = days.day",
        "select * from db.raw.lines where id in (select id from db.raw.events where ts >= '__var_lo__')",
        "select * from db.raw.lines l where exists (select 1 from db.raw.events e where e.id = l.id and e.ts >= '__var_lo__')",
        "with p as (select date '__var_lo__' as lo) select e.* from db.raw.events e cross join p where e.ts >= p.lo",
        "select e.*, d.name from db.raw.events e left join db.dim.d d on d.id = e.id where e.ts >= '__var_lo__'",
        "select * from db.raw.events where ts >= '__var_lo__' union all select * from db.raw.old where 1 = 0",
    ],
)
def test_a_bound_is_followed(sql: str) -> None:
    assert kinds(sql) == [{"var"}]


def test_each_arm_of_a_union_is_a_stream() -> None:
    sql = "select ts from db.raw.a where ts >= '__var_lo__' union all select ts from db.raw.b"
    assert kinds(sql) == [{"var"}, set()]


def test_a_bound_on_the_optional_side_bounds_nothing() -> None:
    sql = "select a.* from db.raw.a a left join db.raw.b b on b.id = a.id and b.ts >= '__var_lo__'"
    facts = read(sql, marks=(LO,))
    assert [arm.bounds for arm in facts.arms] == [()]
    assert [b.column for b in facts.bounds] == ["b.ts"]


def test_a_total_is_no_bound_on_what_is_read() -> None:
    assert kinds("select id, max(ts) as ts from db.raw.a group by id having max(ts) >= '__var_lo__'") == [
        set()
    ]


def test_a_row_of_the_target_beside_is_no_watermark() -> None:
    sql = "select s.* from db.raw.a s join db.mart.model t on t.id = s.id"
    assert kinds(sql) == [set()]


@pytest.mark.parametrize(
    ("value", "grain"),
    [
        ("current_date", Grain.DAY),
        ("current_date - interval '1' month", Grain.DAY),
        ("now() - interval '6' hour", Grain.SECOND),
        ("date_trunc('day', now() - interval '6' hour)", Grain.DAY),
        ("date_trunc('minute', now())", Grain.MINUTE),
        ("current_date - interval '6' hour", Grain.HOUR),
        ("current_date - interval '48' hour", Grain.DAY),
        ("'__var_lo__'", None),
    ],
)
def test_the_boundary_on_which_a_value_lies(value: str, grain: Grain | None) -> None:
    (arm,) = read(f"select ts from db.raw.a where ts >= {value}", marks=(LO,)).arms
    assert arm.lower[0].grain is grain


def test_a_given_var_is_judged_by_its_value() -> None:
    mark = var("lo", "2024-01-01 06:00:00")
    (arm,) = read("select ts from db.raw.a where ts >= '__var_lo__'", marks=(mark,), given=("lo",)).arms
    assert arm.lower[0].grain is Grain.HOUR


def test_the_columns_behind_a_bound() -> None:
    sql = "with q as (select date_trunc('day', seen_at) as day from db.raw.a) select * from q where day >= '__var_lo__'"
    path = read(sql, marks=(LO,)).arms[0].lower[0].paths[0]
    assert (path.table, path.column, path.grain) == ("db.raw.a", "seen_at", Grain.DAY)


def test_the_line_of_a_bound() -> None:
    (arm,) = read("select ts\nfrom db.raw.a\nwhere id = 1\n  and ts >= '__var_lo__'", marks=(LO,)).arms
    assert arm.lower[0].line == 4


def test_a_var_is_shown_as_it_was_written() -> None:
    (arm,) = read("select ts from db.raw.a where ts >= '__var_lo__'", marks=(LO,)).arms
    assert arm.lower[0].value == "'{{ var('lo') }}'"


def test_the_answer_of_a_query_on_the_target_is_its_watermark() -> None:
    from backfill_safety.render import Mark

    mark = Mark("__query_1__", "query", "select max(ts) from db.mart.model", None)
    (arm,) = read("select ts from db.raw.a where ts > '__query_1__'", marks=(mark,)).arms
    assert arm.lower[0].kinds == {Kind.ITSELF}
    assert arm.lower[0].itself == ("ts",)


@pytest.mark.parametrize(
    ("dialect", "value", "days"),
    [
        ("trino", "current_date - interval '3' day", 3),
        ("snowflake", "dateadd(day, -7, current_date)", 7),
        ("bigquery", "date_sub(current_date(), interval 30 day)", 30),
        ("spark", "date_sub(current_date(), 3)", 3),
        ("tsql", "dateadd(day, -1, cast(sysutcdatetime() as date))", 1),
        ("clickhouse", "today() - 2", 2),
        ("trino", "date_trunc('day', now() - interval '2' week)", 14),
    ],
)
def test_how_far_back_a_clock_looks(dialect: str, value: str, days: float) -> None:
    (arm,) = read(f"select ts from raw.a where ts >= {value}", dialect).arms
    assert arm.lower[0].days_back == days
