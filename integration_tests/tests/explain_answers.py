"""What engines answer when they are asked what a query would read, in the shape that their documentation shows."""

from __future__ import annotations

from typing import Any

# https://docs.snowflake.com/en/sql-reference/functions/system_explain_plan_json, the example of its page
SNOWFLAKE = """{"GlobalStats":{"partitionsTotal":2,"partitionsAssigned":2,"bytesAssigned":1024},"Operations":[[
{"id":0,"operation":"Result","expressions":["Z1.ID","Z2.ID"]},{"id":1,"parentOperators":[0],"operation":"InnerJoin",
"expressions":["joinKey: (Z2.ID = Z1.ID)"]},{"id":2,"parentOperators":[1],"operation":"TableScan",
"objects":["TESTDB.TEMPORARY_DOC_TEST.Z2"],"expressions":["ID"],"partitionsAssigned":1,"partitionsTotal":1,"bytesAssigned":512}]]}"""

# https://trino.io/docs/current/sql/explain.html#explain-type-io, its example; the page leaves out the quotes of the keys
TRINO = """{"inputTableColumnInfos": [
  {"table": {"catalog": "hive", "schemaTable": {"schema": "tpch", "table": "test_orders"}},
   "columnConstraints": [{"columnName": "orderkey", "type": "bigint", "domain": {"nullsAllowed": false, "ranges": []}}],
   "estimate": {"outputRowCount": 2, "outputSizeInBytes": 40, "cpuCost": 40, "maxMemory": 0, "networkCost": 0}}],
 "estimate": {"outputRowCount": "NaN", "outputSizeInBytes": "NaN", "cpuCost": "NaN", "maxMemory": "NaN", "networkCost": "NaN"}}"""

# Spark 3.5.9, from which Databricks has it, on two tables of Parquet, one of them partitioned by day
SPARK = """== Optimized Logical Plan ==
Aggregate [day#31, name#33], [day#31, name#33, sum(amount#30L) AS amount#23L], Statistics(sizeInBytes=833.0 KiB)
+- Project [amount#30L, day#31, name#33], Statistics(sizeInBytes=833.0 KiB)
   +- Join Inner, (id#29L = id#32L), Statistics(sizeInBytes=1166.3 KiB)
      :- Filter ((day#31 < 2024-03-02) AND isnotnull(id#29L)), Statistics(sizeInBytes=1553.0 B)
      :  +- Relation spark_catalog.default.events[id#29L,amount#30L,day#31] parquet, Statistics(sizeInBytes=1553.0 B)
      +- Filter isnotnull(id#32L), Statistics(sizeInBytes=769.0 B, rowCount=10)
         +- Relation spark_catalog.default.dims[id#32L,name#33] parquet, Statistics(sizeInBytes=769.0 B, rowCount=10)

== Physical Plan ==
AdaptiveSparkPlan isFinalPlan=false
+- HashAggregate(keys=[day#31, name#33], functions=[sum(amount#30L)], output=[day#31, name#33, amount#23L])
"""

# https://docs.aws.amazon.com/redshift/latest/dg/c-the-query-plan.html, its first example
REDSHIFT = [
    ["XN HashAggregate  (cost=131.97..133.41 rows=576 width=17)"],
    ["  ->  XN Seq Scan on event  (cost=0.00..87.98 rows=8798 width=17)"],
]

TOLD: list[tuple[str, list[list[Any]], dict[str, int]]] = [
    ("snowflake", [[SNOWFLAKE]], {"bytes": 1024, "partitions": 2}),
    ("trino", [[TRINO]], {"rows": 2, "bytes": 40}),
    ("databricks", [[SPARK]], {"bytes": 1553 + 769}),
    ("redshift", REDSHIFT, {"rows": 8798}),
]

UNKNOWN: list[tuple[str, list[list[Any]]]] = [
    *(
        (engine, answer)
        for engine in ("snowflake", "trino", "databricks", "redshift")
        for answer in ([], [[None]], [[""]], [["null"]])
    ),
    *(
        (engine, [["Error: it cannot be told"]])
        for engine in ("snowflake", "trino", "databricks", "redshift")
    ),
    ("snowflake", [["[1, 2]"]]),
    ("snowflake", [['{"GlobalStats": 3}']]),
    ("snowflake", [['{"Operations": [[]]}']]),
    ("snowflake", [['{"GlobalStats": {"partitionsTotal": 2}}']]),
    ("snowflake", [['{"GlobalStats": {"partitionsTotal": 2, "bytesAssigned": "a lot"}}']]),
    # an external table has no micro-partitions
    ("snowflake", [['{"GlobalStats": {"partitionsTotal": 0, "partitionsAssigned": 0, "bytesAssigned": 0}}']]),
    ("trino", [['{"inputTableColumnInfos": []}']]),
    ("trino", [['{"inputTableColumnInfos": [{"table": {}}]}']]),
    ("trino", [[TRINO.replace("2,", '"NaN",').replace("40,", '"NaN",')]]),
    ("trino", [[TRINO.replace("2,", "NaN,").replace("40,", "NaN,")]]),
    # one of two tables was never analyzed
    ("databricks", [[SPARK.replace("1553.0 B", "8.0 EiB")]]),
    ("databricks", [[SPARK.replace("parquet, Statistics(sizeInBytes=769.0 B, rowCount=10)", "parquet")]]),
    ("databricks", [[SPARK.replace("Statistics", "")]]),
    # https://docs.aws.amazon.com/redshift/latest/dg/identify-tables-with-missing-statistics.html
    ("redshift", [*REDSHIFT, ["----- Tables missing statistics: event -----"]]),
    ("redshift", [["  ->  XN Seq Scan on event  (cost=0.00..87.98)"]]),
]
