"""What cannot be read is said, and nothing breaks."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backfill_safety.facts.parsing import UnreadableError

from .reading import read

PIECES = (
    "select", "*", "a", "b.c", "from", "db.raw.a", "db.mart.model", "where", "ts", ">=", "(", ")", "max(ts)", "union all", "with q as",
    "join", "left join", "on", "group by", "'2024-01-01'", "now()", "not", "in", "exists", ",", "over", "partition by", "limit 1",
    "is null",
)  # fmt: skip


@pytest.mark.parametrize(
    "sql", ["", "   ", "drop table x", "select from where", "select * from (", "{{ ref('x') }}"]
)
def test_no_query_is_unreadable(sql: str) -> None:
    with pytest.raises(UnreadableError):
        read(sql)


def test_deep_nesting_is_refused_and_not_crashed_on() -> None:
    sql = "select * from " + "(select * from " * 900 + "db.raw.a" + ") q" * 900
    with pytest.raises(UnreadableError):
        read(sql)


def test_long_unions_are_read() -> None:
    sql = " union all ".join(f"select ts from db.raw.a{i} where ts > current_date" for i in range(150))
    assert len(read(sql).arms) == 150


def test_a_recursive_cte_ends() -> None:
    sql = "with recursive q as (select 1 as n union all select n + 1 from q where n < 5) select n from q"
    facts = read(sql)
    assert facts.output("n").name == "n"
    assert facts.arms


def test_ctes_that_name_each_other_end() -> None:
    facts = read("with a as (select * from b), b as (select * from a) select * from a where ts > now()")
    assert facts.arms is not None
    assert facts.self_reads == ()


def test_ctes_used_twice_each_stay_linear() -> None:
    ctes = ["c0 as (select ts from db.raw.a)"]
    ctes += [f"c{i} as (select x.ts from c{i - 1} x join c{i - 1} y using (ts))" for i in range(1, 40)]
    facts = read(f"with {', '.join(ctes)} select ts from c39 where ts > now()")
    assert [a.source for a in facts.arms] == ["db.raw.a"]
    assert facts.output("ts").paths[0].column == "ts"
    assert facts.self_reads == ()


def test_named_expressions_of_clickhouse_that_double_are_refused() -> None:
    names = ["1 as a0", *(f"concat(a{i - 1}, a{i - 1}) as a{i}" for i in range(1, 40))]
    with pytest.raises(UnreadableError, match="too often"):
        read(f"with {', '.join(names)} select a39 from db.raw.a", "clickhouse")
    many = ", ".join(f"{i} as b{i}" for i in range(201))
    with pytest.raises(UnreadableError, match="too often"):
        read(f"with {many} select b1 from db.raw.a", "clickhouse")


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=25))
def test_any_text_is_read_or_refused(pieces: list[str]) -> None:
    try:
        facts = read("select ts " + " ".join(pieces))
    except UnreadableError:
        return
    assert facts.arms is not None
    assert facts.bounds is not None
    assert facts.unstable is not None
    assert facts.self_reads is not None
    assert [facts.output(name).name for name in facts.names] == list(facts.names)
