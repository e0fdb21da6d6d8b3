"""P1 and P8: what another session writes to rows of a unit while a commit or an undo is at them is neither doubled nor lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from pg_shop import Running, Shop

WINDOW: dict[str, Any] = {
    "start": "2024-03-30",
    "end": "2024-04-01",
    "column": "order_date",
    "inputs": {"stg_events": "event_ts"},
    "run_id": "first",
}
OF_THE_UNIT = "event_id = (select min(event_id) from marts.fct_indexed where order_date = date '2024-03-31')"
MENDED = f"update marts.fct_indexed set amount = -1 where {OF_THE_UNIT}"
ADDED = "lock table marts.fct_indexed in share mode; insert into marts.fct_indexed values (9999, date '2024-03-31', -1)"


@contextmanager
def written_meanwhile(shop: Shop, text: str, waits_for: str) -> Iterator[list[Running]]:
    """A session that has written, and commits once what the block begins waits for it."""
    connection = shop.server.connect("shop")
    try:
        connection.autocommit = False
        connection.cursor().execute(text)
        begun: list[Running] = []
        yield begun
        shop.until_waiting(begun[0], waits_for)
        connection.commit()
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("written", "waits_for", "trigger"),
    [(MENDED, "transactionid", False), (ADDED, "relation", False), (ADDED, "relation", True)],
    ids=["mended", "added", "added, with a trigger"],
)
def test_a_backup_keeps_what_a_commit_takes(shop: Shop, written: str, waits_for: str, trigger: bool) -> None:
    """The delete waits for the other session, and takes what it has written: that is kept, and an undo gives it back."""
    if trigger:
        shop.sql("""
            create function raw.nothing() returns trigger language plpgsql as 'begin return old; end';
            create trigger awake before delete on marts.fct_indexed for each row execute function raw.nothing()
        """)
    with written_meanwhile(shop, written, waits_for) as begun:
        begun.append(
            shop.begin_backfill("fct_indexed", order="descending", expect={"max_shrink": 0.5}, **WINDOW)
        )
    ended = begun[0].ended()
    assert ended.status == 0, ended.printed
    assert shop.value("select count(*) from marts.fct_indexed where amount = -1") == 0
    assert shop.value("select count(*) from marts.backfill_safety_backup_first where amount = -1") == 1
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 0, ended.printed
    assert shop.value("select count(*) from marts.fct_indexed where amount = -1") == 1


def test_rows_read_once_see_what_was_written(shop: Shop) -> None:
    """Rows that were read before the other session has committed are not put in the place of what it wrote."""
    with written_meanwhile(shop, MENDED, "transactionid") as begun:
        begun.append(shop.begin_backfill("fct_indexed", read="once", **WINDOW))
    ended = begun[0].ended()
    assert ended.status == 1
    assert "2024-03-31" in ended.error, ended.printed
    assert shop.units("first") == ["done", "deferred"]
    assert shop.value("select count(*) from marts.fct_indexed where amount = -1") == 1


@pytest.mark.parametrize(
    ("written", "waits_for"), [(MENDED, "transactionid"), (ADDED, "relation")], ids=["mended", "added"]
)
def test_an_undo_leaves_what_was_written(shop: Shop, written: str, waits_for: str) -> None:
    """It has waited for the other session, and finds that the unit is no more as the run left it."""
    ended = shop.backfill("fct_indexed", **WINDOW)
    assert ended.status == 0, ended.printed
    with written_meanwhile(shop, written, waits_for) as begun:
        begun.append(shop.begin_operation("rollback_backfill", run_id="first"))
    ended = begun[0].ended()
    assert ended.status == 1
    assert ended.error == (
        "2024-03-31 was written to while it was being undone; it is left as it is. Ask again"
    ), ended.printed
    assert shop.value("select count(*) from marts.fct_indexed where amount = -1") == 1
    assert shop.units("first") == ["done", "done"]


def test_an_undo_of_a_table_with_a_rule(shop: Shop) -> None:
    """Postgres does not let a statement there tell what it has deleted; the undo looks before it."""
    shop.sql("""
        create table raw.log (day date);
        create rule also as on delete to marts.fct_indexed do also insert into raw.log values (old.order_date)
    """)
    before = shop.rows("fct_indexed")
    ended = shop.backfill("fct_indexed", **WINDOW)
    assert ended.status == 0, ended.printed
    ended = shop.operation("rollback_backfill", run_id="first")
    assert ended.status == 0, ended.printed
    assert shop.rows("fct_indexed") == before


@pytest.mark.parametrize("changed", [{}, {"backup": False}, {"read": "once"}, {"worker": "a"}], ids=str)
def test_a_trigger_that_keeps_rows(shop: Shop, changed: dict[str, Any]) -> None:
    """Rows that stay when they are deleted would stand beside the new ones: the unit is not written."""
    shop.sql("""
        create function raw.keep() returns trigger language plpgsql as
            'begin if old.event_id % 7 = 0 then return null; end if; return old; end';
        create trigger kept before delete on marts.fct_partitioned for each row execute function raw.keep()
    """)
    before = shop.rows("fct_partitioned")
    ended = shop.backfill("fct_partitioned", **WINDOW, **changed)
    assert ended.status == 1
    assert (
        "2024-03-30 could not be replaced: 2 of its rows stay when they are deleted: a trigger of the table keeps them"
        in ended.error
    ), ended.printed
    assert shop.rows("fct_partitioned") == before
