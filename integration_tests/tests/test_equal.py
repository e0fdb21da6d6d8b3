"""P1: afterwards the window holds what a full refresh gives, and every other row is as it was."""

from __future__ import annotations

import pytest
from matrix import Combination, combinations
from shop import Shop

WAREHOUSES = ["duckdb", "postgres"]

ALL = combinations()


def spoiled(shop: Shop, given: Combination) -> None:
    """Spoil the target: wrong values and missing rows and, where no constraint forbids it, doubled rows in the window."""
    table, window = given.table, given.window
    key, row = shop.row_hash, shop.row_id
    statements = [
        f"update {table} set {given.spoil} = {given.spoil} + 1000 where ({window}) and {key} % 3 = 0",
        f"delete from {table} where ({window}) and {key} % 3 = 1 and {row} > (select min({row}) from {table} where {window})",
    ]
    if given.repeats:
        statements.append(f"insert into {table} select * from {table} where ({window}) and {key} % 3 = 2")
    shop.sql(";".join(statements))


def test_the_matrix_is_large_enough() -> None:
    """Sixty combinations are what the project promises."""
    assert len({given.name for given in ALL}) == len(ALL) >= 60


@pytest.mark.parametrize("given", ALL, ids=[given.name for given in ALL])
def test_equals_a_full_refresh(shop: Shop, refreshed: Shop, given: Combination) -> None:
    """The window is that of a full refresh; the rest, NULL partitions among it, that of before."""
    spoiled(shop, given)
    before = shop.copy(shop.folder.parent / "before")
    assert before.differing_rows(refreshed, given.table, given.window, _shared(given)) > 0

    ended = shop.backfill(given.model, **given.arguments)

    assert ended.status == 0, ended.printed
    [(state, units)] = shop.runs(given.table.split(".")[0])
    assert state == "done"
    assert units == ["done"] * (given.units or len(units))
    names = refreshed.columns(given.table, given.but)
    assert shop.differing_rows(refreshed, given.table, given.window, names) == 0
    assert shop.differing_rows(before, given.table, f"({given.window}) is not true", _shared(given)) == 0


def _shared(given: Combination) -> str:
    return "order_date, orders" if given.model == "fct_new_column" else "*"
