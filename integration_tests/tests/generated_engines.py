"""The engines whose SQL is rendered and read here, but not run: how each quotes, and what dbt's own macros give there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


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
        } | more


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
