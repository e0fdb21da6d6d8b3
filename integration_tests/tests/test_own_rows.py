"""A model whose first build reads its own table: its units go in order, one a commit, each by itself and none ahead of its turn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from generated_engines import ENGINES, printed
from shop import Shop, own_project

WAREHOUSES = ["duckdb", "postgres"]

DAYS: dict[str, Any] = {"start": "2024-12-18", "end": "2024-12-24", "column": "order_date"}
MODEL = """
{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='order_date') }}
select d.order_date, d.amount, d.amount + coalesce(t.total, 0) as total
from (
    select cast(event_ts as date) as order_date, sum(amount) as amount
    from {{ ref('stg_events') }} where event_ts is not null group by 1
) as d
left join {{ this }} as t on t.order_date = d.order_date - 1
"""
RIGHT = """
    create table marts.fct_onward as
    select cast(event_ts as date) as order_date, sum(amount) as amount, sum(sum(amount)) over (order by cast(event_ts as date)) as total
    from raw.events where event_ts is not null group by 1
"""


@pytest.fixture
def onward(shop: Shop, tmp_path: Path) -> Shop:
    """The project with such a model, and its table as it ought to be."""
    shop.project = own_project(shop.dbt, tmp_path)
    (shop.project / "models" / "fct_onward.sql").write_text(MODEL)
    shop.sql(RIGHT)
    return shop


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"order": "descending"},
        {"units_per_commit": 4},
        {"units_per_commit": "auto", "read": "per_unit"},
        {"order": "descending", "inputs": {"stg_events": "event_ts"}},
    ],
    ids=str,
)
def test_each_unit_builds_on_the_one_before(onward: Shop, asked: dict[str, Any]) -> None:
    """Whatever order and size are asked for, spoiled totals are right again, and the plan says how it goes."""
    right = onward.copy(onward.folder.parent / "right")
    onward.sql("update marts.fct_onward set total = 0 where order_date >= date '2024-12-18'")
    ended = onward.backfill("fct_onward", branch="first", **DAYS, **asked)
    assert ended.status == 0, ended.printed
    days = "order_date < date '2024-12-24'"
    assert onward.differing_rows(right, "marts.fct_onward", days) == 0
    assert "as a full refresh would build it, oldest first; each " in ended.printed
    assert "one day a commit" in ended.printed
    assert "BF209: fct_onward reads its own earlier rows" in ended.printed
    done = [line.split()[1] for line in ended.printed.splitlines() if "/6 " in line]
    assert done == [f"2024-12-{day}" for day in range(18, 24)], ended.printed


def test_the_form_has_to_be_chosen(onward: Shop) -> None:
    """Which of the two gives the rows is still asked; BF209 is said of either."""
    codes = [finding["code"] for finding in onward.plan("fct_onward", **DAYS)["findings"]]
    assert {"BF209", "BF212"} <= set(codes)
    assert "BF212" not in [
        finding["code"] for finding in onward.plan("fct_onward", branch="first", **DAYS)["findings"]
    ]


def test_it_is_not_read_once(onward: Shop) -> None:
    """One line, and nothing is read or written."""
    before = onward.checksums()
    ended = onward.backfill("fct_onward", branch="first", read="once", **DAYS)
    assert ended.status == 1
    assert ended.error == (
        "read: once cannot be used: each unit of fct_onward reads the units before it (it reads its own table); leave read out"
    )
    assert onward.checksums() == before


NAMED = [
    ('select * from "shop"."marts"."fct"', '"shop"."marts"."fct"', True),
    ('select * from (select * from "shop"."marts"."fct" where a < 1) as "fct"', '"shop"."marts"."fct"', True),
    ("select * from marts.fct)", "marts.fct", True),
    ("select * from marts.fct", "marts.fct", True),
    ("select * from marts.fct_raw", "marts.fct", False),
    ("select * from other_marts.fct", "marts.fct", False),
    ("select * from other.marts.fct", "marts.fct", False),
    ('select * from "shop"."marts"."fct_raw"', '"shop"."marts"."fct"', False),
    ("select 1 -- as marts.fct had it", "marts.fct", False),
    ("select 1 /* not\n marts.fct */ as a", "marts.fct", False),
    ("select 'from marts.fct' as a", "marts.fct", False),
    ("select '--' as a from marts.fct", "marts.fct", True),
    ("select 'it''s -- ' as a from marts.fct -- 'done'", "marts.fct", True),
    ("-- it's\nselect * from marts.fct", "marts.fct", True),
    ('select "/*" from marts.fct -- */', "marts.fct", True),
    ("select $$--$$ from marts.fct", "marts.fct", True),
    ("select $a$ ' $a$, * from marts.fct where x = ''", "marts.fct", True),
    ("select '\\' from marts.fct -- '", "marts.fct", True),
]


def test_a_longer_name_is_another_table(shop: Shop) -> None:
    """Where names are not quoted, that of a table may begin with the model's own."""
    calls = [{"macro": "_names_relation", "arguments": [sql, name]} for sql, name, _ in NAMED]
    ended = shop.operation("call_macros", calls=calls)
    assert ended.status == 0, ended.printed
    answers = json.loads(ended.printed.strip().splitlines()[-1])
    assert [(*case[:2], answer) for case, answer in zip(NAMED, answers, strict=True)] == NAMED


def test_a_backslash_escapes_where_the_engine_says_so(shop: Shop) -> None:
    """There a quote behind one ends no text, and so the dashes stand inside of it."""
    calls = [{"macro": "_without_comments", "arguments": ["select 'it\\' -- ', b -- c"]}]
    found = {
        engine.name: printed(shop.operation("calls_as", double=engine.double(), calls=calls))[0][0]
        for engine in ENGINES
    }
    escaping = {"bigquery", "databricks", "redshift", "snowflake"}
    assert {name for name, sql in found.items() if "', b" in sql} == escaping, found


NAMES_ITSELF = """
{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='order_date') }}
-- once left join {{ this }} as t, limit 10, and max(order_date) from {{ this }}
select cast(e.event_ts as date) as order_date, /* now() as order_date */ sum(e.amount) as amount, 1 as total
from {{ ref('stg_events') }} -- the events
    as e
where e.event_ts is not null and 'as {{ this.name }} -- ' <> ''
{% if is_incremental() %} and e.event_ts >= '2024-01-01' {% endif %} -- {{ this }}
group by 1
"""


def test_what_a_comment_says_is_no_sql(onward: Shop) -> None:
    """No finding and no cursor from it, and a parent that is bounded keeps the alias that stands behind one."""
    (onward.project / "models" / "fct_onward.sql").write_text(NAMES_ITSELF)
    plan = onward.plan("fct_onward", inputs={"stg_events": "event_ts"}, **DAYS)
    assert plan["verdict"] == "SAFE TO RUN", plan
    assert {finding["code"] for finding in plan["findings"]} <= {"BF101", "BF604"}
    assert plan["summary"]["cursor"] == []


OTHER_ROWS = """
{{ config(materialized='incremental', unique_key='order_date') }}
select cast(event_ts as date) as order_date, amount, 1 as total from {{ ref('stg_events') }}
where country <> '--' {% if is_incremental() %} or amount > 0 {% endif %}
"""


def test_what_stands_behind_two_dashes_in_a_text_is_compared(onward: Shop) -> None:
    """Another condition of the live run behind such a text is a difference of the two forms."""
    (onward.project / "models" / "fct_onward.sql").write_text(OTHER_ROWS)
    assert "BF212" in [finding["code"] for finding in onward.plan("fct_onward", **DAYS)["findings"]]


NAMES = {
    "by_schema": "(select max(event_ts) from {{ this.schema }}.{{ this.name }})",
    "by_render": "(select max(event_ts) from {{ this.render() }})",
    "asked": "timestamp '{{ run_query('select max(event_ts) from ' ~ this.schema ~ '.' ~ this.identifier)[0][0] }}'",
    "by_this": "(select coalesce(max(event_ts), '2024-01-01') from {{ this }})",
    "without_database": "(select coalesce(max(event_ts), '2024-01-01') from {{ this.include(database=false) }})",
}


@pytest.fixture
def naming(shop: Shop, tmp_path: Path) -> Shop:
    """The project with models that name their own table, each in a way of its own."""
    shop.project = own_project(shop.dbt, tmp_path)
    for name, newest in NAMES.items():
        (shop.project / "models" / f"{name}.sql").write_text(
            "{{ config(materialized='incremental', incremental_strategy='append') }}\n"
            "select event_id, event_ts from {{ ref('stg_events') }} where event_ts is not null\n"
            "{% if is_incremental() %} and event_ts > " + newest + " {% endif %}"
        )
        shop.sql(
            f"create table marts.{name} as select event_id, event_ts from raw.events where event_ts is not null"
        )
    return shop


def test_a_live_run_that_names_its_table_otherwise(naming: Shop) -> None:
    """Only `this` can be cut to the rows before the unit: what else is named would be read whole, and every lost day stay lost."""
    day: dict[str, Any] = {"start": "2024-03-02", "end": "2024-03-03", "column": "event_ts", "branch": "live"}
    right = naming.copy(naming.folder.parent / "right")
    for name in NAMES:
        naming.sql(f"delete from marts.{name} where cast(event_ts as date) = date '2024-03-02'")
        ended = naming.backfill(name, **day)
        if name in ("by_this", "without_database"):
            assert ended.status == 0, ended.printed
            assert naming.differing_rows(right, f"marts.{name}") == 0
        else:
            assert ended.status == 1, name
            assert ended.error == (
                f"branch: live cannot be used: {name} names its own table otherwise than by this, and so would read the rows of the unit "
                "and after it; write this alone there, or branch: first"
            )
