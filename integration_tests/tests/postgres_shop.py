"""The test project on Postgres: each copy is a database of one server."""

from __future__ import annotations

import itertools
import weakref
from collections import Counter
from pathlib import Path
from types import TracebackType
from typing import Any

from postgres_server import Server
from shop import Dbt, Shop


class Databases:
    """The databases of a server. The one that dbt works on is called shop, as the parsed project has it."""

    def __init__(self, data: Path | None = None) -> None:
        self.server = Server(data)
        self._numbers = itertools.count()
        self._taken: str | None = None

    def __enter__(self) -> Databases:
        self.server.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.server.stop()

    def name(self, own: str) -> str:
        """What a database is called now."""
        return "shop" if own == self._taken else own

    def take(self, own: str | None) -> None:
        """Make a database the one that dbt works on; none gives every database its own name again."""
        if own != self._taken:
            if self._taken is not None:
                self.command(f"alter database shop rename to {self._taken}")
            if own is not None:
                self.command(f"alter database {own} rename to shop")
            self._taken = own

    def copy(self, own: str) -> str:
        """A copy of a database; answers with its name."""
        copy = f"copy_{next(self._numbers)}"
        self.command(f"create database {copy} template {self.name(own)}")
        return copy

    def drop(self, own: str) -> None:
        """Remove a database, unless the server is gone."""
        if self.server.is_there:
            self.command(f"drop database {self.name(own)} with (force)")
            self._taken = None if own == self._taken else self._taken

    def command(self, text: str) -> None:
        """Run what concerns databases as a whole."""
        connection = self.server.connect("postgres")
        try:
            connection.cursor().execute(text)
        finally:
            connection.close()


class PostgresShop(Shop):
    """A copy lasts as long as somebody holds it."""

    row_id = "ctid"
    row_hash = "abs(hashtext(cast(ctid as text)))"

    def __init__(self, folder: Path, dbt: Dbt, databases: Databases, name: str) -> None:
        super().__init__(folder, dbt)
        self._databases = databases
        self._name = name

    @property
    def environment(self) -> dict[str, str]:
        """By what the profile finds this database."""
        self._databases.take(self._name)
        return {"SHOP_TARGET": "postgres", "SHOP_PORT": str(self._databases.server.port)}

    def copy(self, folder: Path) -> PostgresShop:
        """The same database once more."""
        folder.mkdir(parents=True, exist_ok=True)
        shop = PostgresShop(folder, self.dbt, self._databases, self._databases.copy(self._name))
        shop.project, shop.vars = self.project, dict(self.vars)
        weakref.finalize(shop, self._databases.drop, shop._name).atexit = False
        return shop

    def sql(self, text: str, writes: bool = True) -> list[tuple[Any, ...]]:
        """Run SQL, its time zone UTC; returns the rows of the last statement."""
        connection = self._databases.server.connect(self._databases.name(self._name))
        try:
            connection.set_session(readonly=not writes)
            cursor = connection.cursor()
            cursor.execute(text)
            return cursor.fetchall() if cursor.description else []
        finally:
            connection.close()

    def differing_rows(
        self, other: PostgresShop, relation: str, where: str = "true", columns: str = "*"
    ) -> int:
        """How many rows the two databases do not share, repeated rows counted."""
        mine, theirs = (
            Counter(shop.sql(f"select {columns} from {relation} where {where}", writes=False))
            for shop in (self, other)
        )
        return ((mine - theirs) + (theirs - mine)).total()

    def checksums(self) -> dict[str, tuple[int, str]]:
        """Every table of the database: its rows and a checksum of them, and its columns."""
        tables = self.sql("""
            select format('%I.%I', schemaname, tablename), (
                select string_agg(format('%s %s', attname, format_type(atttypid, atttypmod)), ', ' order by attnum)
                from pg_attribute where attrelid = format('%I.%I', schemaname, tablename)::regclass and attnum > 0 and not attisdropped
            )
            from pg_tables where schemaname not in ('pg_catalog', 'information_schema')
        """)
        rows = " union all ".join(
            f"select {number}, count(*), sum(hashtextextended(t::text, 0))::text from {table} as t"
            for number, (table, _) in enumerate(tables)
        )
        return {
            tables[number][0]: (count, f"{checksum} {tables[number][1]}")
            for number, count, checksum in self.sql(rows)
        }

    def scans(self, query: str) -> list[tuple[int, int]]:
        """Run a query: (rows that it gave, rows that it looked at) for each scan of a table."""
        [(answer,)] = self.sql("explain (analyze, format json) " + query)
        return _scans(answer[0]["Plan"])


def _scans(node: dict[str, Any]) -> list[tuple[int, int]]:
    found = [scan for child in node.get("Plans", []) for scan in _scans(child)]
    if "Relation Name" in node:
        found.append((node["Actual Rows"], node["Actual Rows"] + node.get("Rows Removed by Filter", 0)))
    return found
