"""The table that a model writes: strategy, key and partitions, as its configuration and adapter have them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import sqlglot
from msgspec import Struct
from sqlglot import exp
from sqlglot.errors import SqlglotError

from .adapters import Adapter, Write, adapter_named
from .grain import Grain, grain_of


class PartitionColumn(Struct, frozen=True):
    """One column of the partitioning. grain: what it is cut to there, None when it is taken as it is."""

    name: str
    grain: Grain | None = None


class Partitioning(Struct, frozen=True, kw_only=True):
    """How the target is partitioned. effective: the adapter heeds the setting. typed: the column's type where the setting names it."""

    columns: tuple[PartitionColumn, ...]
    effective: bool
    typed: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(c.name for c in self.columns)


class Target(Struct, frozen=True, kw_only=True):
    """What the configuration says of the target.

    adapter: its name. configured: the strategy as written, "" when unset. key: the key's columns in lower case; key_parts: as written.
    named_partitions: those that BigQuery's `partitions` lists, as written: they are replaced whatever the query gives.
    """

    adapter: str
    configured: str
    strategy: str
    write: Write
    key: tuple[str, ...]
    key_parts: tuple[str, ...]
    partitioning: Partitioning | None
    predicates: tuple[str, ...]
    named_partitions: tuple[str, ...]
    copies_partitions: bool
    batch_size: Grain | None
    event_time: str
    full_refresh: bool | None
    on_schema_change: str
    engine: str

    @property
    def traits(self) -> Adapter:
        return adapter_named(self.adapter)

    @property
    def microbatch(self) -> bool:
        return self.strategy == "microbatch"

    @property
    def by_key(self) -> bool:
        return bool(self.key_parts) and self.write in (Write.MERGE, Write.DELETE_INSERT)


def target_of(config: Mapping[str, Any], adapter: str) -> Target:
    """Read a model's configuration; odd values are taken as unset rather than raised."""
    traits = adapter_named(adapter)
    parts = _strings(config.get("unique_key"))
    key = tuple(dict.fromkeys(name for part in parts for name in columns_in(part, traits.dialect)))
    configured = str(config.get("incremental_strategy") or "").lower().replace("-", "_")
    configured = "delete+insert" if configured == "delete_insert" else configured
    if configured == "default":
        configured = ""
    strategy = configured or (traits.keyed if parts else traits.keyless)
    if adapter == "athena" and not configured and str(config.get("table_type") or "").lower() == "iceberg":
        strategy = "append"
    partitioning = _partitioning(config, traits)
    return Target(
        adapter=adapter,
        configured=configured,
        strategy=strategy,
        write=_write(strategy, traits, bool(parts), partitioning, config),
        key=key,
        key_parts=parts,
        partitioning=partitioning,
        predicates=_strings(config.get("incremental_predicates") or config.get("predicates")),
        copies_partitions=isinstance(config.get("partition_by"), Mapping)
        and bool(config["partition_by"].get("copy_partitions")),
        named_partitions=_strings(config.get("partitions")) if adapter == "bigquery" else (),
        batch_size=grain_of(str(config.get("batch_size") or "")),
        event_time=str(config.get("event_time") or "").lower(),
        full_refresh=config["full_refresh"] if isinstance(config.get("full_refresh"), bool) else None,
        on_schema_change=str(config.get("on_schema_change") or "ignore").lower(),
        engine=str(config.get("engine") or ""),
    )


def _write(
    strategy: str, traits: Adapter, keyed: bool, partitioning: Partitioning | None, config: Mapping[str, Any]
) -> Write:
    if strategy == "microbatch":
        return Write.BATCH if keyed or traits.dialect != "clickhouse" else Write.INSERT
    if strategy == "append":
        return Write.INSERT
    if strategy == "merge":
        return Write.MERGE if keyed else (traits.merge_bare or Write.UNKNOWN)
    if strategy == "delete+insert":
        return Write.DELETE_INSERT if keyed else Write.INSERT
    if strategy == "insert_overwrite":
        found = traits.overwrite if partitioning and partitioning.effective else traits.overwrite_bare
        return found or Write.UNKNOWN
    if strategy == "replace_where":
        return Write.PREDICATE if config.get("incremental_predicates") else Write.TABLE
    if strategy == "legacy":
        return Write.DELETE_INSERT if keyed else Write.INSERT
    return Write.UNKNOWN


def _strings(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,) if value.strip() else ()
    if isinstance(value, (list, tuple)):
        return tuple(str(v) for v in value if v is not None and str(v).strip())
    return ()


def _partitioning(config: Mapping[str, Any], traits: Adapter) -> Partitioning | None:
    value = config.get("partition_by") or config.get("partitioned_by")
    properties = config.get("properties")
    if not value and isinstance(properties, Mapping):
        value = _property_list(properties.get("partitioning") or properties.get("partitioned_by"))
    if isinstance(value, Mapping):
        field = str(value.get("field") or "").lower()
        if not field:
            return None
        kind = str(value.get("data_type") or "date").lower()
        grain = (
            grain_of(str(value.get("granularity") or "day"))
            if kind in ("date", "timestamp", "datetime")
            else None
        )
        return Partitioning(columns=(PartitionColumn(field, grain),), effective=traits.partitions, typed=kind)
    columns = tuple(c for part in _strings(value) for c in _partition_columns(part))
    return Partitioning(columns=columns, effective=traits.partitions) if columns else None


def _property_list(value: object) -> object:
    return re.findall(r"'([^']+)'", value) if isinstance(value, str) else value


@lru_cache(maxsize=4096)
def _partition_columns(text: str) -> tuple[PartitionColumn, ...]:
    """`day`, `day(ts)`, `toYYYYMM(ts)`, `(toYYYYMM(ts), tenant)`."""
    if re.fullmatch(r"\w+", text.strip()):
        return (PartitionColumn(text.strip().lower()),)
    found = []
    for part in re.findall(
        r"\w+\s*\([^()]*\)|\w+",
        text.strip().removeprefix("(").removesuffix(")") if text.strip().startswith("(") else text,
    ):
        function, _, inside = part.partition("(")
        name = re.search(r"[A-Za-z_]\w*", inside or function)
        if name:
            found.append(PartitionColumn(name[0].lower(), _function_grain(function) if inside else None))
    return tuple(found)


def _function_grain(function: str) -> Grain | None:
    word = function.strip().lower()
    known = {
        "toyyyymm": Grain.MONTH, "toyyyymmdd": Grain.DAY, "todate": Grain.DAY, "tomonday": Grain.WEEK, "toyear": Grain.YEAR,
        "tostartofmonth": Grain.MONTH, "tostartofday": Grain.DAY, "tostartofhour": Grain.HOUR, "tostartofweek": Grain.WEEK,
        "date": Grain.DAY,
    }  # fmt: skip
    return known.get(word) or grain_of(word)


@lru_cache(maxsize=4096)
def columns_in(text: str, dialect: str) -> tuple[str, ...]:
    """The columns of a key as written: a name, `(a, b)`, `concat_ws('-', a, b)`, `t.id`."""
    stripped = text.strip()
    if re.fullmatch(r"\w+", stripped):
        return (stripped.lower(),)
    try:
        tree = sqlglot.parse_one(stripped, dialect=dialect)
    except (SqlglotError, RecursionError):
        return ()
    return tuple(dict.fromkeys(c.name.lower() for c in tree.find_all(exp.Column)))
