"""What each adapter does with an incremental model: its dialect, its default strategy, what an overwrite replaces.

From the adapters' own sources as of November 2026 (dbt-bigquery 1.10, dbt-snowflake 1.10, dbt-postgres 1.9, dbt-redshift 1.9,
dbt-spark 1.9, dbt-databricks 1.10, dbt-duckdb 1.9, dbt-trino 1.9, dbt-athena 1.9, dbt-clickhouse 1.9, dbt-sqlserver 1.9).
"""

from __future__ import annotations

from enum import Enum

from msgspec import Struct


class Write(Enum):
    """What a live run does to the target's rows."""

    INSERT = "insert"
    """Adds the new rows, touches no old one."""
    MERGE = "merge"
    """Updates rows by key, adds the others."""
    DELETE_INSERT = "delete+insert"
    """Deletes the rows whose key is among the new ones, then adds all."""
    PARTITIONS = "partitions"
    """Replaces every partition that the new rows touch."""
    TABLE = "table"
    """Replaces all rows."""
    PREDICATE = "predicate"
    """Replaces what a predicate covers (`replace_where`)."""
    BATCH = "batch"
    """Replaces one microbatch."""
    UNKNOWN = "unknown"
    """A strategy that the project defines itself."""


class Adapter(Struct, frozen=True, kw_only=True):
    """One adapter.

    dialect: sqlglot's name. keyed, keyless: the strategy when none is set, with and without a key. overwrite, overwrite_bare: what
    `insert_overwrite` replaces with and without partitions; None where the adapter refuses it. batch: how a microbatch is
    written: `delete+insert`, `partitions`, `merge`, `predicate`. merge_bare: what merge does without a key; None where it is
    refused. partitions: `partition_by` means something to it. casts_event_time: dbt casts a parent's `event_time` column there, which
    defeats pruning. prunes_wrapped: functions of time around a partition column still prune. prunes_subquery:
    a scalar subquery still prunes. in_steps: the writes that it does in steps which commit one by one, so that readers see between them.
    """

    dialect: str
    keyed: str
    keyless: str
    overwrite: Write | None = None
    overwrite_bare: Write | None = None
    batch: str = "delete+insert"
    merge_bare: Write | None = Write.INSERT
    partitions: bool = False
    casts_event_time: bool = False
    prunes_wrapped: bool = True
    prunes_subquery: bool = True
    in_steps: frozenset[Write] = frozenset()


ADAPTERS: dict[str, Adapter] = {
    "duckdb": Adapter(dialect="duckdb", keyed="delete+insert", keyless="append", prunes_wrapped=True),
    "postgres": Adapter(
        dialect="postgres", keyed="delete+insert", keyless="append", batch="merge", prunes_wrapped=False
    ),
    "redshift": Adapter(dialect="redshift", keyed="delete+insert", keyless="append", prunes_wrapped=False),
    "snowflake": Adapter(
        dialect="snowflake",
        keyed="merge",
        keyless="merge",
        overwrite=Write.TABLE,
        overwrite_bare=Write.TABLE,
        in_steps=frozenset(
            {Write.BATCH}
        ),  # its other strategies are wrapped in begin and commit, microbatch is not
    ),
    "bigquery": Adapter(
        dialect="bigquery",
        keyed="merge",
        keyless="merge",
        overwrite=Write.PARTITIONS,
        batch="partitions",
        partitions=True,
        casts_event_time=True,
        prunes_wrapped=False,
        prunes_subquery=False,
    ),
    "databricks": Adapter(
        dialect="databricks",
        keyed="merge",
        keyless="merge",
        overwrite=Write.PARTITIONS,
        overwrite_bare=Write.TABLE,
        batch="predicate",
        partitions=True,
        prunes_wrapped=False,
    ),
    "spark": Adapter(
        dialect="spark",
        keyed="append",
        keyless="append",
        overwrite=Write.PARTITIONS,
        overwrite_bare=Write.TABLE,
        batch="partitions",
        partitions=True,
        prunes_wrapped=False,
    ),
    "trino": Adapter(
        dialect="trino",
        keyed="append",
        keyless="append",
        partitions=True,
        prunes_wrapped=True,
        in_steps=frozenset({Write.DELETE_INSERT, Write.BATCH}),
    ),
    "athena": Adapter(
        dialect="athena",
        keyed="insert_overwrite",
        keyless="insert_overwrite",
        overwrite=Write.PARTITIONS,
        overwrite_bare=Write.INSERT,
        merge_bare=None,
        partitions=True,
        prunes_wrapped=False,
        in_steps=frozenset(
            {Write.PARTITIONS, Write.BATCH}
        ),  # the partitions' files are deleted, then rows are inserted
    ),
    "clickhouse": Adapter(
        dialect="clickhouse",
        keyed="delete+insert",
        keyless="append",
        overwrite=Write.PARTITIONS,
        overwrite_bare=Write.TABLE,
        partitions=True,
        in_steps=frozenset({Write.DELETE_INSERT, Write.BATCH}),
    ),
    "sqlserver": Adapter(dialect="tsql", keyed="merge", keyless="append", prunes_wrapped=False),
    "synapse": Adapter(dialect="tsql", keyed="delete+insert", keyless="append", prunes_wrapped=False),
    "fabric": Adapter(dialect="tsql", keyed="merge", keyless="append", prunes_wrapped=False),
    "mysql": Adapter(dialect="mysql", keyed="delete+insert", keyless="append", prunes_wrapped=False),
}

OTHER = Adapter(dialect="", keyed="delete+insert", keyless="append")
"""An adapter that is not in the table: dbt's own default strategy, and nothing else taken for granted."""

_SAME = {
    "fabricspark": "spark",
    "glue": "spark",
    "mariadb": "mysql",
    "materialize": "postgres",
    "starburst": "trino",
}


def known_adapters() -> frozenset[str]:
    """The names that are told apart."""
    return frozenset(ADAPTERS) | frozenset(_SAME)


def adapter_named(name: str) -> Adapter:
    """The adapter of this name, or `OTHER`."""
    lowered = name.lower()
    return ADAPTERS.get(_SAME.get(lowered, lowered), OTHER)
