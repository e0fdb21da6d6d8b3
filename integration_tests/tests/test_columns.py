"""Columns are written by name and whole: one that only the target has is said before, and so is a type that would cut the rows."""

from __future__ import annotations

import json

from matrix import between
from shop import Shop

WAREHOUSES = ["duckdb", "postgres"]
WINDOW = {"start": "2024-03-01", "end": "2024-03-05"}
DAYS = between("order_date", "2024-03-01", "2024-03-05")


def test_a_column_that_the_model_no_longer_gives(shop: Shop, refreshed: Shop) -> None:
    """Replaced rows hold its default, the others what they held."""
    shop.sql("""
        alter table marts.fct_daily add column note text;
        alter table marts.fct_daily alter column note set default 'new';
        update marts.fct_daily set note = 'old'
    """)

    ended = shop.backfill("fct_daily", column="order_date", live="paused", **WINDOW)

    assert ended.status == 0, ended.printed
    assert "note is a column of the target that the model no longer gives" in " ".join(ended.printed.split())
    notes = f"select distinct ({DAYS}) is true, note from marts.fct_daily order by 1"
    assert shop.sql(notes) == [(False, "old"), (True, "new")]
    names = refreshed.columns("marts.fct_daily")
    assert shop.differing_rows(refreshed, "marts.fct_daily", DAYS, names) == 0


def test_columns_that_change_between_a_run_and_its_resume(shop: Shop) -> None:
    """The backup has the old ones: one line that says which, and how to go on; a new run then does the window."""
    given = {"column": "order_date", "run_id": "told", **WINDOW}
    assert shop.backfill("fct_daily", limits={"minutes": 0.0001}, **given).status == 1
    shop.sql("alter table marts.fct_daily add column note text")
    before = shop.checksums()
    ended = shop.backfill("fct_daily", **given)
    assert ended.status == 1
    assert ended.error == (
        'the columns of "shop"."marts"."fct_daily" have changed since run told began (new: note), and its backup has the old ones; '
        "end it: dbt run-operation cancel_backfill --args '{run_id: told}', then ask again"
    ), ended.printed
    assert shop.checksums() == before
    assert shop.operation("cancel_backfill", run_id="told").status == 0
    ended = shop.backfill("fct_daily", **{**given, "run_id": "anew"})
    assert ended.status == 0, ended.printed


def test_a_type_that_cannot_hold_what_the_model_gives(shop: Shop) -> None:
    """Fractions would be cut without a word: nothing is written until the table has the type, as the plan says, or it is accepted."""
    given = {"column": "order_date", "live": "paused", **WINDOW}
    shop.sql(
        "update raw.events set amount = amount + 0.25; alter table marts.fct_daily alter column amount type integer"
    )
    before = shop.checksums()
    ended = shop.backfill("fct_daily", **given)
    assert ended.status == 1
    assert ended.error.startswith("RESTRUCTURE FIRST: nothing was written; BF604: amount is ")
    assert shop.checksums() == before
    copy = shop.copy(shop.folder.parent / "accepted")
    ended = copy.backfill("fct_daily", accept={"BF604": "whole euros are meant"}, **given)
    assert ended.status == 0, ended.printed
    assert copy.differing_rows(shop, "marts.fct_daily", DAYS) > 0

    [advice] = [
        found["alternative"]
        for found in shop.plan("fct_daily", **given)["findings"]
        if found["severity"] == "block"
    ]
    told = advice.removeprefix("give amount of the table the type ").partition(" first")[0]
    shop.sql(f"alter table marts.fct_daily alter column amount type {told}")
    ended = shop.backfill("fct_daily", **given)
    assert ended.status == 0, ended.printed
    right = "select cast(event_ts as date), country, sum(amount) from raw.events group by 1, 2"
    wrong = f"select order_date, country, amount from marts.fct_daily where {DAYS} except {right}"
    assert shop.value(f"select count(*) from ({wrong}) as wrong") == 0


NARROWER = [
    ("decimal(10,2)", "integer", True),
    ("numeric(10, 2)", "decimal(10,1)", True),
    ("decimal", "bigint", True),
    ("double", "decimal(8,1)", True),
    ("float64", "int64", True),
    ("double precision", "real", True),
    ("double", "float", True),
    ("varchar", "bigint", True),
    ("unicode", "date", True),
    ("timestamp without time zone", "date", True),
    ("timestamptz", "date", True),
    ("timestamp", "timestamp_s", True),
    ("timestamp_ns", "timestamp", True),
    ("timestamp_ms", "timestamp", False),
    ("int", "boolean", True),
    ("decimal(10,2)", "decimal(12,2)", False),
    ("decimal", "numeric(10,2)", False),
    ("decimal(10,2)", "decimal", False),
    ("float", "double", False),
    ("float", "double precision", False),
    ("float", "real", False),
    ("decimal(10,2)", "double", False),
    ("double", "decimal", False),
    ("bigint", "integer", False),
    ("hugeint", "bigint", False),
    ("longinteger", "bigint", False),
    ("number(38,0)", "bigint", False),
    ("integer", "decimal(10,2)", False),
    ("date", "timestamp", False),
    ("timestamp", "varchar(10)", False),
    ("decimal(10,2)", "text", False),
    ("varchar", "enum('a', 'b')", False),
    ("uuid", "integer", False),
    ("decimal(10,2)[]", "integer[]", True),
    ("decimal(10,2)[][]", "integer[][]", True),
    ("struct(a decimal(4,2))", "struct(a integer)", True),
    ("struct(a integer, b varchar)", "struct(a integer)", True),
    (
        'struct(a integer, "b c" struct(d decimal(4,2), e varchar)[])',
        'struct("b c" struct(d integer, e varchar)[], a integer)',
        True,
    ),
    (
        'struct(a integer, "b c" struct(d decimal(4,2), e varchar)[])',
        'struct("b c" struct(e varchar, d double)[], a bigint)',
        False,
    ),
    ("struct(a integer)", "struct(a integer, b varchar)", False),
    ("bigint[]", "double[]", False),
    ("integer[]", "integer", False),
    ("array<decimal(4,2)>", "int", False),
    ("fixed", "number(38,0)", False),
]


def test_which_types_hold_less(shop: Shop) -> None:
    """Only what is known to be cut or refused; a number without a scale or an engine's own type is not."""
    calls = [{"macro": "_is_narrower", "arguments": [gives, holds]} for gives, holds, _ in NARROWER]
    ended = shop.operation("call_macros", calls=calls)
    assert ended.status == 0, ended.printed
    answers = json.loads(ended.printed.strip().splitlines()[-1])
    assert [(*case[:2], answer) for case, answer in zip(NARROWER, answers, strict=True)] == NARROWER
