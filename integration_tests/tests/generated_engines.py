"""The engines whose SQL is rendered and read here, but not run: how each quotes, what dbt's own macros give there, and plans for them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from shop import Ended


@dataclass(frozen=True)
class Engine:
    """`chain`: where dbt looks for a macro, the last place first. `stages`: a unit is judged aside and replaced by one statement."""

    name: str
    dialect: str
    chain: tuple[str, ...]
    quote: str
    types: tuple[str, str, str]
    dateadd: str
    date_trunc: str = "date_trunc('{part}', {x})"
    stages: bool = True

    def double(self, **more: Any) -> dict[str, Any]:
        """What stands in for it in dbt."""
        quotes = ["[", "]"] if self.quote == "[" else [self.quote, self.quote]
        return {
            "engine": self.name,
            "chain": list(self.chain),
            "quote": quotes,
            "types": list(self.types),
            "dateadd": self.dateadd,
            "date_trunc": self.date_trunc,
            "holder": "me",
            "done": 3,
            "groups": [],
            "checksums": [],
            "columns": COLUMNS,
            "created": HIVE_TABLE,
        } | more


# https://trino.io/docs/current/sql/show-create-table.html
HIVE_TABLE = "CREATE TABLE shop.marts.fct (\n   id bigint,\n   day date\n)\nWITH (\n   format = 'ORC',\n   partitioned_by = ARRAY['day']\n)"

COLUMNS = [
    {"name": "day", "data_type": "date"},
    {"name": "id", "data_type": "bigint"},
    {"name": "country", "data_type": "varchar"},
    {"name": "loaded_at", "data_type": "timestamp"},
    {"name": "amount", "data_type": "double"},
]

ENGINES = [
    Engine(
        "snowflake",
        "snowflake",
        ("default", "snowflake"),
        '"',
        ("text", "bigint", "timestamp_ntz"),
        "dateadd({part}, {n}, {x})",
        stages=False,
    ),
    Engine(
        "redshift",
        "redshift",
        ("default", "postgres", "redshift"),
        '"',
        ("text", "bigint", "timestamp"),
        "dateadd({part}, {n}, {x})",
        stages=False,
    ),
    Engine(
        "sqlserver",
        "tsql",
        ("default", "fabric", "sqlserver"),
        '"',
        ("varchar(8000)", "bigint", "datetime2(6)"),
        "dateadd({part}, {n}, {x})",
        "datetrunc({part}, {x})",
        stages=False,
    ),
    Engine(
        "bigquery",
        "bigquery",
        ("default", "bigquery"),
        "`",
        ("string", "int64", "timestamp"),
        "datetime_add(cast({x} as datetime), interval {n} {part})",
        "timestamp_trunc(cast({x} as timestamp), {part})",
    ),
    Engine(
        "databricks",
        "databricks",
        ("default", "spark", "databricks"),
        "`",
        ("string", "bigint", "timestamp"),
        "to_timestamp(to_unix_timestamp({x}) + cast({n} * {seconds} as int))",
    ),
    Engine(
        "trino",
        "trino",
        ("default", "trino"),
        '"',
        ("varchar", "bigint", "timestamp(3)"),
        "date_add('{part}', {n}, {x})",
    ),
    Engine(
        "athena",
        "athena",
        ("default", "athena"),
        '"',
        ("varchar", "bigint", "timestamp"),
        "date_add('{part}', {n}, {x})",
    ),
]
RENDERED = {engine.name for engine in ENGINES}

BOUNDS = {
    "date": ["2024-03-01", "2024-03-02", "2024-03-03"],
    "timestamptz": ["2024-03-01 00:00:00", "2024-03-01 01:00:00", "2024-03-01 02:00:00"],
    "text": ["DE", "O'Neil\\"],
}


def scenario(kind: str = "date", column: str = "day", **more: Any) -> dict[str, Any]:
    """A plan as the operation makes it, without what is read from a warehouse."""
    bounds = BOUNDS[kind]
    is_list = kind == "text"
    request = {
        "node": {
            "unique_id": "model.shop.fct",
            "name": "fct",
            "config": {},
            "depends_on": {"nodes": ["model.shop.stg_large", "source.shop.raw.customers"]},
        },
        "column": column,
        "column_kind": kind,
        "column_format": None,
        "timezone": "UTC",
        "grain": "value" if is_list else ("hour" if kind == "timestamptz" else "day"),
        "where": {},
        "key_columns": [],
        "columns": COLUMNS,
        "expect": {},
        "backup": True,
        "worker": None,
        "units_per_commit": 1,
        "seconds_per_commit": 10,
        "pause_seconds": 0,
        "limits": {"units": 1000},
        "accept": {},
        "inputs": {},
        "order": "ascending",
        "branch": None,
        "microbatch": False,
        "hooks": "none",
        "reason": "it's wrong \\ here",
        "run_id": None,
        "vars": {},
        "read": "auto",
        "skip_units": [],
        "mode": "in_place",
        "replace_by": None,
        "only_changed": False,
        "live": "paused",
        "cascade": "none",
    } | more.pop("request", {})
    bounds = more.get("bounds", bounds)
    slots = len(bounds) if is_list else len(bounds) - 1
    return {
        "request": request,
        "bounds": bounds,
        "slots": slots,
        "units": slots,
        "skipped": [],
        "resumed": None,
        "run_id": "r1",
        "settings": {},
        "inputs": {},
        "whole": [],
        "branch": "first",
        "holder": "me",
        "rendered": {"sql": "select * from events", "header": "", "bounds": []},
        "renders_each": False,
        "columns": [given["name"] for given in COLUMNS],
        "added": [],
        "read": "per_unit",
        "fingerprint": "f1",
        "cursor": [
            {"column": "loaded_at", "kind": "timestamp", "type": "timestamp", "value": "2024-06-30 00:00:00"}
        ],
        "findings": [],
        "verdict": {"word": "SAFE TO RUN", "reason": ""},
        "estimate": None,
        "hooks": [],
        "reads_itself": False,
    } | more


FORMATS = {"athena": {"table_type": "iceberg"}}


def printed(ended: Ended) -> Any:
    """What an operation printed last, as JSON."""
    assert ended.status == 0, ended.printed
    return json.loads(ended.printed.strip().splitlines()[-1])
