"""dbt's selection syntax, as far as it is understood."""

from __future__ import annotations

import pytest
from small_manifest import manifest, node

from backfill_safety.audit.select import names_like, select
from backfill_safety.manifest import SelectionError

TOLD = manifest(
    node("stg_orders", folder="staging", tags=["daily"], config={"materialized": "view"}),
    node("fct_orders", parents=("stg_orders",), tags=["daily", "finance"]),
    node(
        "fct_days", parents=("fct_orders",), config={"tags": "finance", "enabled": True, "meta": {"o": "x"}}
    ),
    node("fct_years", parents=("fct_days",), version=2, unique_id="model.shop.fct_years.v2"),
    node("fct_logs", package_name="logs", folder="deep/er"),
)
ALL = ["stg_orders", "fct_orders", "fct_days", "fct_years", "fct_logs"]


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        ([], ALL),
        (["fct_orders"], ["fct_orders"]),
        (["shop.fct_orders"], ["fct_orders"]),
        (["model.shop.fct_orders"], ["fct_orders"]),
        (["fct_*"], ["fct_orders", "fct_days", "fct_years", "fct_logs"]),
        (["fct_days fct_logs"], ["fct_days", "fct_logs"]),
        (["fct_days", "fct_logs"], ["fct_days", "fct_logs"]),
        (["tag:finance"], ["fct_orders", "fct_days"]),
        (["tag:finance,tag:daily"], ["fct_orders"]),
        (["path:models/staging"], ["stg_orders"]),
        (["path:./models/staging/"], ["stg_orders"]),
        (["path:models/staging/stg_orders.sql"], ["stg_orders"]),
        (["path:models/stag"], []),
        (["path:models/*/fct_*.sql"], ["fct_orders", "fct_days", "fct_years", "fct_logs"]),
        (["package:logs"], ["fct_logs"]),
        (["shop.marts"], ["fct_orders", "fct_days", "fct_years"]),
        (["marts"], ["fct_orders", "fct_days", "fct_years"]),
        (["logs"], ["fct_logs"]),
        (["fct_years.v2"], ["fct_years"]),
        (["fct_years_v2"], ["fct_years"]),
        (["config.materialized:view"], ["stg_orders"]),
        (["config.enabled:true"], ["fct_days"]),
        (["config.meta.o:x"], ["fct_days"]),
        (["resource_type:model"], ALL),
        (["stg_orders+"], ["stg_orders", "fct_orders", "fct_days", "fct_years"]),
        (["stg_orders+1"], ["stg_orders", "fct_orders"]),
        (["+fct_days"], ["stg_orders", "fct_orders", "fct_days"]),
        (["1+fct_days+1"], ["fct_orders", "fct_days", "fct_years"]),
        (["nothing_like_it"], []),
        ([","], []),
    ],
)
def test_select(wanted: list[str], names: list[str]) -> None:
    nodes = [TOLD.find(name) for name in ALL]
    assert [n.name for n in select(TOLD, nodes, wanted, [])] == names


def test_exclude_wins() -> None:
    chosen = select(TOLD, TOLD.models, ["fct_*"], ["tag:finance", "package:logs"])
    assert [n.name for n in chosen] == ["fct_years"]


@pytest.mark.parametrize("text", ["state:modified", "source:x", "a:b:c:+", "+", "tag:+", "@fct_days"])
def test_what_is_not_understood_is_said(text: str) -> None:
    with pytest.raises(SelectionError) as raised:
        select(TOLD, TOLD.models, [text], [])
    assert text in str(raised.value)
    assert "tag:" in str(raised.value)


def test_a_near_name_is_offered() -> None:
    assert names_like(TOLD, ["fct_order"]) == "; close: fct_orders, stg_orders"
    assert names_like(TOLD, ["zzzzzz"]) == ""
