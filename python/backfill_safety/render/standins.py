"""Forms of dbt's cross-database macros for a manifest that was parsed with another adapter, and so lacks them.

Only the few by which models bound time; each gives the SQL of the adapter's own macro in its plainest form. Source:
`macros/utils` of dbt-trino, dbt-bigquery, dbt-spark, dbt-postgres, dbt-duckdb, dbt-clickhouse and dbt-sqlserver.
"""

from __future__ import annotations

from backfill_safety.manifest import Macro

_TRINO = {
    "dateadd": "date_add('{{ datepart }}', {{ interval }}, {{ from_date_or_timestamp }})",
    "datediff": "date_diff('{{ datepart }}', {{ first_date }}, {{ second_date }})",
    "current_timestamp": "current_timestamp",
}
_SPARK = {
    "dateadd": "dateadd({{ datepart }}, {{ interval }}, {{ from_date_or_timestamp }})",
    "datediff": "datediff({{ datepart }}, {{ first_date }}, {{ second_date }})",
    "current_timestamp": "current_timestamp()",
}
_FORMS = {
    "trino": _TRINO,
    "athena": _TRINO,
    "spark": _SPARK,
    "databricks": _SPARK,
    "bigquery": {
        "dateadd": "datetime_add(cast({{ from_date_or_timestamp }} as datetime), interval {{ interval }} {{ datepart }})",
        "datediff": "datetime_diff(cast({{ second_date }} as datetime), cast({{ first_date }} as datetime), {{ datepart }})",
        "date_trunc": "timestamp_trunc(cast({{ date }} as timestamp), {{ datepart }})",
        "current_timestamp": "current_timestamp()",
    },
    "snowflake": {"current_timestamp": "convert_timezone('UTC', current_timestamp())"},
    "redshift": {"current_timestamp": "getdate()"},
    "postgres": {
        "dateadd": "{{ from_date_or_timestamp }} + ((interval '1 {{ datepart }}') * ({{ interval }}))",
        "datediff": "date_diff('{{ datepart }}', {{ first_date }}, {{ second_date }})",
        "current_timestamp": "now()",
    },
    "duckdb": {
        "dateadd": "date_add({{ from_date_or_timestamp }}, interval ({{ interval }}) {{ datepart }})",
        "datediff": "date_diff('{{ datepart }}', {{ first_date }}, {{ second_date }})",
        "current_timestamp": "now()",
    },
    "clickhouse": {
        "dateadd": "dateAdd({{ datepart }}, {{ interval }}, {{ from_date_or_timestamp }})",
        "datediff": "dateDiff('{{ datepart }}', {{ first_date }}, {{ second_date }})",
        "current_timestamp": "now()",
    },
    "sqlserver": {
        "date_trunc": "datetrunc({{ datepart }}, {{ date }})",
        "current_timestamp": "sysdatetime()",
    },
}

_ARGUMENTS = {
    "dateadd": "datepart, interval, from_date_or_timestamp",
    "datediff": "first_date, second_date, datepart",
    "date_trunc": "datepart, date",
    "current_timestamp": "",
}

PACKAGE = "backfill_safety"


def stand_ins(adapter: str) -> list[Macro]:
    """Macros named `adapter__x`, as if a package of ours defined them."""
    made = []
    for name, form in sorted(_FORMS.get(adapter, {}).items()):
        text = f"{{% macro {adapter}__{name}({_ARGUMENTS[name]}) %}}{form}{{% endmacro %}}"
        unique_id = f"macro.{PACKAGE}.{adapter}__{name}"
        made.append(
            Macro(unique_id=unique_id, name=f"{adapter}__{name}", package_name=PACKAGE, macro_sql=text)
        )
    return made
