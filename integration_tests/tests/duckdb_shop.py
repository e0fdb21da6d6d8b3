"""The test project on DuckDB: each copy of the database is a file in a folder of its own."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import duckdb
from shop import Shop


class DuckdbShop(Shop):
    """Every file is let go at once: dbt needs it for itself."""

    row_hash = "hash(rowid)"
    row_id = "rowid"

    @property
    def file(self) -> Path:
        """The database file."""
        return self.folder / "shop.duckdb"

    @property
    def environment(self) -> dict[str, str]:
        """By what the profile finds this database."""
        return {"SHOP_DATABASE": str(self.file)}

    def copy(self, folder: Path) -> DuckdbShop:
        """The same database in another folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for source in self.folder.glob("shop.duckdb*"):
            shutil.copy(source, folder / source.name)
        return replace(self, folder=folder, vars=dict(self.vars))

    def sql(self, text: str, writes: bool = True) -> list[tuple[Any, ...]]:
        """Run SQL, its time zone UTC; returns the rows of the last statement."""
        with _attached(self.file, writes=writes) as connection:
            cursor = connection.execute(text)
            return cursor.fetchall() if cursor.description else []

    def differing_rows(
        self, other: DuckdbShop, relation: str, where: str = "true", columns: str = "*"
    ) -> int:
        """How many rows the two databases do not share, repeated rows counted."""
        with _attached(self.file, other.file) as connection:
            mine, theirs = (
                f"select {columns} from {side}.{relation} where {where}" for side in ("shop", "other")
            )
            row = connection.execute(
                f"select (select count(*) from ({mine} except all {theirs})) + (select count(*) from ({theirs} except all {mine}))"
            ).fetchone()
        assert row
        count: int = row[0]
        return count

    def checksums(self) -> dict[str, tuple[int, str]]:
        """Every table of the database: its rows and a checksum of them, and its columns."""
        # files that nobody wrote to since hold the same
        files = sorted(self.folder.glob("shop.duckdb*"))
        return _checksums(tuple((file, file.stat().st_size, file.stat().st_mtime_ns) for file in files))

    def scans(self, query: str) -> list[tuple[int, int]]:
        """Run a query: (rows that it gave, rows that it looked at) for each scan of a table."""
        [(_, text)] = self.sql("explain (analyze, format json) " + query)
        return [
            (
                scan.get("intermediate_rows", scan.get("operator_cardinality")),
                scan.get("rows_scanned", scan.get("operator_rows_scanned")),
            )
            for scan in _scans(json.loads(text))
        ]


@cache
def _engine() -> duckdb.DuckDBPyConnection:
    """One for all files, since beginning one costs more than most questions; what it sends is small."""
    return duckdb.connect(config={"threads": 1})


@contextmanager
def _attached(*files: Path, writes: bool = False) -> Iterator[duckdb.DuckDBPyConnection]:
    """A session in which the first file is the database, as `shop`; a second one is there as `other`."""
    names = ("shop", "other")[: len(files)]
    with _engine().cursor() as session:
        try:
            for name, file in zip(names, files, strict=True):
                session.execute(f"attach '{file}' as {name}{'' if writes else ' (read_only)'}")
            session.execute("use shop; set timezone = 'UTC'")
            yield session
        finally:
            with suppress(duckdb.TransactionException):  # there is none
                session.execute("rollback")
            session.execute("use memory")
            for name in names:
                session.execute(f"detach database if exists {name}")


@lru_cache
def _checksums(files: tuple[tuple[Path, int, int], ...]) -> dict[str, tuple[int, str]]:
    """Of a database file, given before its log; of each its size and when it was written."""
    database, found = files[0][0], {}
    with _attached(database) as connection:
        tables = connection.execute(
            """select schema_name || '."' || replace(table_name, '"', '""') || '"' from duckdb_tables()
            where not internal and database_name = 'shop' order by 1"""
        ).fetchall()
        for (table,) in tables:
            row = connection.execute(
                f"select count(*), cast(sum(hash(t)) as varchar) from {table} as t"
            ).fetchone()
            shape = connection.execute(f"describe {table}").fetchall()
            assert row
            found[table] = (row[0], f"{row[1]} {[column[:2] for column in shape]}")
    return found


def _scans(node: Any) -> list[dict[str, Any]]:
    """The scans of a table, whichever way DuckDB nests them."""
    if isinstance(node, list):
        return [scan for child in node for scan in _scans(child)]
    here = [node] if "Table" in (node.get("extra_info") or {}) else []
    return here + _scans(node.get("operator", [])) + _scans(node.get("children", []))
