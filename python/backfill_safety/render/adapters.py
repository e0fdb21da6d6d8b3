"""What differs between adapters before any SQL is read: names of parents and the quote character.

From the adapters' own packages: `__init__.py` (dependencies) and `relation.py` (quote character).
"""

from __future__ import annotations

_PARENTS = {
    "databricks": ("spark",),
    "redshift": ("postgres",),
    "materialize": ("postgres",),
    "sqlserver": ("fabric",),
    "synapse": ("fabric", "sqlserver"),
}

_BACKTICK = frozenset(
    {"bigquery", "databricks", "spark", "clickhouse", "mysql", "mariadb", "doris", "starrocks"}
)


def chain(adapter: str) -> tuple[str, ...]:
    """The adapter and those it builds on: the order in which dbt looks for `adapter__macro`."""
    return (adapter, *_PARENTS.get(adapter, ()))


def quote_character(adapter: str) -> str:
    return "`" if adapter in _BACKTICK else '"'


_BASE_TYPES = {
    "STRING": "TEXT",
    "TIMESTAMP": "TIMESTAMP",
    "FLOAT": "FLOAT",
    "INTEGER": "INT",
    "BOOLEAN": "BOOLEAN",
}
_TYPES = {
    "bigquery": {
        "STRING": "STRING",
        "TEXT": "STRING",
        "FLOAT": "FLOAT64",
        "INTEGER": "INT64",
        "BOOLEAN": "BOOL",
    },
    "spark": {"LONG": "BIGINT"},
    "databricks": {"LONG": "BIGINT"},
    "trino": {"STRING": "VARCHAR", "FLOAT": "DOUBLE"},
    "clickhouse": {"STRING": "String", "TIMESTAMP": "DateTime", "FLOAT": "Float32", "INTEGER": "Int32"},
}


def translate_type(adapter: str, name: str) -> str:
    """A type's name in the adapter's SQL, as its `Column.translate_type` gives it."""
    return _TYPES.get(adapter, _BASE_TYPES).get(name.upper(), name)
