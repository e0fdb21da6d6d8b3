"""The shop's tables of Iceberg, in a catalog of its own that has no views."""

from __future__ import annotations

from spark_shop import Shop

# model → what it is partitioned by
MODELS = {"ice_daily": "order_date", "ice_hidden": "days(event_ts)", "ice_whole": ""}
# What months of use have left: rows with wrong amounts, and rows that are there twice.
SPOILED = {
    "ice_daily": "orders + 1 as orders",
    "ice_hidden": "amount + 1000 as amount",
    "ice_whole": "amount + 1000 as amount",
}


class IcebergShop(Shop):
    """A shop that is there already, with `ice` for its catalog."""

    def __init__(self, shop: Shop) -> None:
        self.__dict__ = shop.__dict__

    def make(self) -> None:
        """`want` holds what dbt builds, `used` what use has left of it."""
        schemas = [f"create schema ice.{name}" for name in ("marts", "used", "want")]
        events = (
            "create table ice.marts.stg_events using iceberg as select * from spark_catalog.marts.stg_events"
        )
        self.sql(";\n".join([*schemas, events]))
        assert (ended := self.run("run", "--select", *MODELS)).status == 0, ended.printed
        for model in MODELS:
            names = [row[0] for row in self.sql(f"describe query select * from marts.{model}")]
            wrong = [SPOILED[model] if SPOILED[model].endswith(f" as {name}") else name for name in names]
            self._create("want", model, f"select * from marts.{model}")
            self._create(
                "used",
                model,
                f"select * from want.{model} union all select {', '.join(wrong)} from want.{model}",
            )

    def restore(self, *models: str) -> None:
        """The tables as they are used, and none of the package's."""
        tables = [row[1] for row in self.sql("show tables in marts like 'backfill_safety_*'")]
        for table in tables:
            self.sql(f"drop table marts.{table}")
        for model in models:
            self.sql(f"drop table if exists marts.{model}")
            self._create("marts", model, f"select * from used.{model}")

    def _create(self, schema: str, model: str, query: str) -> None:
        parts = f"partitioned by ({MODELS[model]})" if MODELS[model] else ""
        self.sql(f"create table {schema}.{model} using iceberg {parts} as {query}")

    def entries(self, name: str) -> str:
        """The newest entries of a log of the ledger, as docs/spark.md reads them."""
        key = {"units": "run_id, unit_no", "leases": "relation"}.get(name, "run_id")
        return (
            f"(select * from (select *, row_number() over (partition by {key} order by coalesce(seq, 0) desc) as newest "
            f"from marts.backfill_safety_{name}_log) where newest = 1)"
        )

    def units(self, run_id: str) -> list[str]:
        """The states of a run's units, in order."""
        text = f"select state from {self.entries('units')} where run_id = '{run_id}' order by unit_no"
        return [row[0] for row in self.sql(text)]

    def expire_leases(self) -> None:
        """As if a quarter of an hour had passed."""
        if self.sql("show tables in marts like 'backfill_safety_leases_log'"):
            self.sql(
                "insert into marts.backfill_safety_leases_log "
                f"select relation, holder, taken_at, taken_at, seq + 1 from {self.entries('leases')} where holder is not null"
            )

    def paths(self, model: str) -> set[str]:
        """The data files that a table is made of."""
        return {row[0] for row in self.sql(f"select file_path from marts.{model}.files")}

    def snapshots(self, model: str) -> int:
        """How often the table was changed."""
        return len(self.sql(f"select 1 from marts.{model}.snapshots"))
