"""P10: a setting in `meta.backfill_safety` that is misspelt or of another shape is said in one line, and not passed over."""

from __future__ import annotations

from typing import Any

import pytest
from shop import Shop, own_project

WAREHOUSES = ["duckdb"]

DAYS: dict[str, Any] = {"start": "2024-03-01", "end": "2024-03-03", "column": "event_ts"}
KNOWN = "watermark, volatile, allow, column, grain, timezone, column_format, vars, inputs"

# (what stands in meta, what is said of it)
WRONG: list[tuple[object, str]] = [
    ({"colum": "event_ts"}, f"knows no 'colum'; write one of: {KNOWN}"),
    ("event_ts", "must be a mapping such as {column: order_date}, not event_ts"),
    (["column"], "must be a mapping such as {column: order_date}, not ['column']"),
    ({"inputs": ["raw.events"]}, ": inputs must be a mapping or text, not the list ['raw.events']"),
    ({"vars": ["start_date"]}, ": vars must be a mapping, not the list ['start_date']"),
    ({"column_format": 7}, ": column_format must be a text, not the number 7"),
    ({"timezone": 2}, ": timezone must be a text, not the number 2"),
    ({"volatile": "drawn_at"}, ": volatile must be a list, not the text drawn_at"),
]
RIGHT = {
    "column": "event_ts",
    "grain": "day",
    "timezone": None,
    "inputs": {"raw.events": "event_ts"},
    "volatile": ["amount"],
    "allow": [{"rule": "BF101", "reason": "the table is small"}],
}


@pytest.fixture(scope="module")
def told(built: tuple[Shop, Shop], tmp_path_factory: pytest.TempPathFactory) -> Shop:
    """A project of models with such settings."""
    folder = tmp_path_factory.mktemp("told")
    shop = built[0].copy(folder / "shop")
    shop.project = own_project(shop.dbt, folder)
    for number, meta in enumerate([meta for meta, _ in WRONG] + [RIGHT]):
        head = f"{{{{ config(meta={{'backfill_safety': {meta!r}}}) }}}}\n".replace("None", "none")
        text = head + "select event_id, event_ts, amount from {{ source('raw', 'events') }}"
        (shop.project / "models" / f"meta_{number}.sql").write_text(text)
        shop.sql(f"create table marts.meta_{number} as select event_id, event_ts, amount from raw.events")
    return shop


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_what_is_wrong(told: Shop, number: int) -> None:
    """Before anything is written."""
    before = told.checksums()
    ended = told.backfill(f"meta_{number}", **DAYS)
    assert ended.status == 1
    told_so = WRONG[number][1]
    assert ended.error == f"meta.backfill_safety of meta_{number}" + (
        told_so if told_so[0] == ":" else f" {told_so}"
    )
    assert told.checksums() == before


def test_what_is_right(told: Shop) -> None:
    """All settings beside each other, the checker's own among them."""
    plan = told.plan(f"meta_{len(WRONG)}", start="2024-03-01", end="2024-03-03")
    assert plan["verdict"] == "SAFE TO RUN", plan
