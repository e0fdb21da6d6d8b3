"""What a query reads its own target for."""

from __future__ import annotations

import pytest

from .reading import read


@pytest.mark.parametrize(
    ("sql", "uses"),
    [
        ("select * from db.raw.a where ts > (select max(ts) from db.mart.model)", ["watermark"]),
        (
            "with w as (select max(ts) m from db.mart.model) select a.* from db.raw.a a cross join w where a.ts > w.m",
            ["watermark"],
        ),
        (
            "select a.* from db.raw.a a where not exists (select 1 from db.mart.model t where t.id = a.id)",
            ["anti_join"],
        ),
        ("select * from db.raw.a where id not in (select id from db.mart.model)", ["anti_join"]),
        (
            "select a.* from db.raw.a a left join db.mart.model t on t.id = a.id where t.id is null",
            ["anti_join"],
        ),
        ("select id from db.raw.a except select id from db.mart.model", ["anti_join"]),
        ("select * from db.raw.a where id in (select id from db.mart.model)", ["filter"]),
        ("select a.id, t.total + a.n from db.raw.a a left join db.mart.model t on t.id = a.id", ["rows"]),
        ("select id from db.raw.a union all select id from db.mart.model", ["rows"]),
        ("select a.id from db.raw.a a left join db.mart.model t on t.id = a.id", []),
        ("select id from db.raw.a", []),
        (
            "with q as (select * from db.raw.a where ts > (select max(ts) from db.mart.model)) select * from q",
            ["watermark"],
        ),
    ],
)
def test_uses(sql: str, uses: list[str]) -> None:
    assert [r.use.value for r in read(sql).self_reads] == uses


@pytest.mark.parametrize(
    ("sql", "anti"),
    [
        ("select * from db.raw.a where id not in (select id from db.mart.model)", True),
        (
            "select a.* from db.raw.a a left join db.mart.model t on t.id = a.id where t.id is null or a.ts > t.ts",
            True,
        ),
        (
            "with k as (select id from db.raw.a except select id from db.mart.model) select a.* from db.raw.a a join k using (id)",
            True,
        ),
        ("select * from db.raw.a where id not in (select id from db.dim.closed)", False),
        (
            "select * from db.raw.a where ts > 1 and id not in (select id from db.mart.model where ts > current_date)",
            False,
        ),
    ],
)
def test_only_what_the_target_lacks(sql: str, anti: bool) -> None:
    assert [arm.anti for arm in read(sql).arms] == [anti]
