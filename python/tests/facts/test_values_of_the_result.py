"""What is known of the result's columns and of its stability."""

from __future__ import annotations

import pytest

from .reading import read


@pytest.mark.parametrize(
    ("expression", "stamp"),
    [
        ("now()", True),
        ("cast(now() as date)", True),
        ("md5(id || current_date)", True),
        ("greatest(ts, now())", True),
        ("coalesce(ts, now())", False),
        ("date_diff('day', ts, now())", False),
        ("case when ts > now() then 1 else 0 end", False),
        ("'now()'", False),
        ("ts", False),
    ],
)
def test_a_stamp(expression: str, stamp: bool) -> None:
    assert (
        read(f"with q as (select {expression} as c from db.raw.a) select c from q").output("c").stamp is stamp
    )


@pytest.mark.parametrize(
    ("expression", "null"),
    [
        ("b.k", True),
        ("coalesce(b.k, 'x')", False),
        ("a.k || b.k", True),
        ("count(b.k)", False),
        ("nullif(a.k, '')", True),
        ("case when a.k = 1 then 2 end", True),
        ("case when a.k = 1 then 2 else 3 end", False),
        ("try_cast(a.k as int)", True),
        ("a.k", False),
    ],
)
def test_a_key_that_can_be_null(expression: str, null: bool) -> None:
    facts = read(f"select {expression} as k from db.raw.a a left join db.dim.b b on b.id = a.id")
    assert bool(facts.nullable("k")) is null


def test_a_filter_that_drops_what_is_not_matched() -> None:
    facts = read("select b.k from db.raw.a a left join db.dim.b b on b.id = a.id where b.state = 'open'")
    assert facts.nullable("k") == ""


@pytest.mark.parametrize(
    ("sql", "what"),
    [
        ("select random() as r from db.raw.a", ["random"]),
        ("select id from db.raw.a where random() < 0.1", ["random"]),
        ("select id from db.raw.a limit 5", ["limit"]),
        ("select id from db.raw.a order by random() limit 5", ["limit"]),
        ("select id from db.raw.a order by id limit 5", []),
        ("select id, n, row_number() over (partition by id) as rn from db.raw.a", ["unordered"]),
        ("select id, n, row_number() over (partition by id order by id) as rn from db.raw.a", ["unordered"]),
        ("select id, n, row_number() over (partition by id order by ts) as rn from db.raw.a", []),
        ("select id, row_number() over (partition by id) as rn from db.raw.a", []),
        ("select id, sum(n) over (partition by id) as s from db.raw.a", []),
        ("select id, (select x from db.dim.d limit 1) as x from db.raw.a", []),
    ],
)
def test_what_is_unstable(sql: str, what: list[str]) -> None:
    assert [u.what for u in read(sql).unstable] == what


def test_stars_are_followed_as_far_as_they_can_be() -> None:
    facts = read("with q as (select id, ts as seen from db.raw.a) select q.*, 1 as one from q")
    assert facts.names == ("id", "seen", "one")
    assert facts.output("seen").paths[0].column == "ts"
