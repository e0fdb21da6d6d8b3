"""Two models, one that blocks and one that is safe, and how to read what a command printed."""

from __future__ import annotations

import json
from typing import Any

from click.testing import Result
from small_manifest import node

SAFE = """{{ config(unique_key='sold_on', incremental_strategy='delete+insert') }}
select cast(sold_at as date) as sold_on, count(*) as sales from raw.sales
{% if is_incremental() %}
where sold_at >= cast('{{ var("from_day", "2024-01-01") }}' as date)
and sold_at < cast('{{ var("to_day", "2024-01-02") }}' as date)
{% endif %}
group by 1
"""
RISKY = """{{ config(incremental_strategy='append') }}
select id, sold_at from raw.sales
{% if is_incremental() %}
where sold_at >= '{{ var("from_day", "2024-01-01") }}'
{% endif %}
"""


def risky(name: str = "risky", **more: Any) -> dict[str, Any]:
    """A model that appends: BF201, a block."""
    config = {"incremental_strategy": "append", **more.pop("config", {})}
    return node(name, RISKY, config=config, **more)


def safe(name: str = "safe", **more: Any) -> dict[str, Any]:
    """A model that deletes and inserts whole days of a window."""
    config = {"incremental_strategy": "delete+insert", "unique_key": "sold_on"}
    return node(name, SAFE, config=config, **more)


def told(result: Result) -> dict[str, Any]:
    """The JSON that a command printed."""
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def codes(result: Result, severity: str | None = None) -> list[str]:
    """The codes of the findings, in order, info left out unless asked for."""
    found = told(result)["findings"]
    return [f["code"] for f in found if (f["severity"] == severity if severity else f["severity"] != "info")]
