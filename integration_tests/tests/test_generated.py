"""SQL for engines that cannot be run here. Nothing in this file has run on them.

Every branch of the package for them is called, and whole plans, runs and undos are written down by dbt with a list in the
place of the connection. The text is pinned in generated/ENGINE.txt, and each statement has to be one in the engine's dialect,
as sqlglot reads it. `BACKFILL_SAFETY_PIN=1` writes the files anew: read them before they are kept.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
import sqlglot
from generated_engines import BOUNDS, ENGINES, FORMATS, Engine, printed, scenario
from macro_files import package_macros
from shop import Shop
from sqlglot import exp

PINNED = Path(__file__).parent / "generated"

# name → arguments of a call of it; every branch of an engine is called with them.
CALLS: dict[str, list[list[Any]]] = {
    "_literal": [
        ["7", "integer"],
        ["2024-01-01", "date"],
        ["2024-01-01 00:00:00", "timestamp"],
        ["2024-01-01 00:00:00", "timestamptz"],
        ["O'Neil\\", "text"],
    ],
    "_quoted": [["a\\'; drop table x; --"], ["Zürich"]],
    "_column_kind": [["date"], ["timestamp"], ["datetime"], ["datetimeoffset"], ["timestamp_tz"], ["bigint"]],
    "_checksum_of": [[["a"]], [["a", "b"]]],
    "_distinct_rows": [[["a", "b"]]],
    "_now_sql": [[]],
    "_plain_timestamp": [[]],
    "_ledger_types": [[]],
    "_cast_types": [[]],
    "_except": [[]],
    "_index_sql": [["fct", "day"]],
    "_rounded_sql": [["a", "float64"], ["a", "numeric"]],
    "_can_take_turns": [[]],
    "_proof": [[]],
    "_has_transactions": [[]],
    "_overwrites_at_once": [[]],
    "_end_transaction": [[]],
    "_run": [[["begin", "select 1", 'drop table if exists "a"."b"', "commit", "rollback"]]],
    "_replace_methods": [[]],
    "_make_and_insert_sql": [[["create"], ["insert"]]],
    "_create_like_sql": [["<relation>", "*", "<relation>"]],
    "_create_stage_sql": [["<relation>", "<relation>"]],
    "_create_missing_sql": [["<relation>", ["a bigint", "b bigint"]]],
    "_add_column_sql": [["<relation>", {"name": "note", "data_type": "varchar(20)"}]],
    "_units_in_select": [[{}]],
    "_fill_like_sql": [["<rows>", "a, b", "<relation>", "", "select 1 as a, 2 as b"]],
    "_fill_stage_sql": [["stage", "a, b", "select 1 as a, 2 as b"]],
    "_unit_partitions": [["<relation>", [], "a = 1", "a"]],
    "_log_clause": [[]],
    "_see_others_sql": [["<relation>"]],
    "_has_views": [[]],
    "_left_out": [["leases", ["relation", "holder"]]],
    "_partitioned_columns": [["day"]],
    "_partition_grain": [[{"config": {"partition_by": "day"}}, "day"]],
    "_lease_alone_sql": [["<relation>"]],
    "_before_commit_sql": [["<relation>"]],
    "_alone_sql": [[]],
    "_begin_sql": [[]],
    "_wait_for_locks": [[]],
    "_check_now_sql": [[]],
    "_returns_deleted": [[[]]],
    "_generated_columns": [["<relation>"]],
    "_filled_columns": [["<relation>"]],
    "_as_they_were": [[]],
    "_try": [[["select 1", {"rows": "select 2"}], ["begin"]]],
    "_live_run_ends_sql": [["<relation>"]],
    "_lease_key": [[]],
    "_on_taken_lease": [[]],
    "_show_alive_sql": [["me"]],
    "_holder_is_gone_sql": [[]],
    "_try_turn_sql": [["<relation>"]],
    "_try_shared_turn_sql": [["<relation>"]],
    "_worker_locks": [["me"]],
    "_why_no_workers": [[]],
    "_attached_sql": [["<relation>"]],
    "_shared_database": [["<relation>"]],
    "_scans": [["select 1"]],
    "_reads": [["select 1"]],
    "_query_columns": [["select 1 as day"]],
    "_rest": [[1.5]],
}
# Called by the runs below, not by themselves.
BY_RUN = {
    "_estimate",
    "_attempt",
    "_add_columns",
    "_begin_plan",
    "_replace_and_record",
    "_check_target",
    "_overwrite_sql",
}
# They speak to the driver, whose place the tests take. snowflake___fetch runs on the emulator; the others have never run.
DRIVER = {"_fetch"}
# What answers with a refusal, and which.
REFUSALS = {
    "_rest": "pause_seconds is not available on",
    "_live_run_begins_sql": "live_run_begins is not available on",
}
# Macros of an adapter that another one is built on, which are right there as well.
INHERITED = {
    "databricks": {
        *(
            "_has_transactions",
            "_end_transaction",
            "_run",
            "_checksum_of",
            "_distinct_rows",
            "_literal",
            "_quoted",
        ),
        *("_now_sql", "_plain_timestamp", "_query_columns", "_column_kind"),
        *("_left_out", "_partitioned_columns", "_partition_grain"),
    },
    "redshift": set(),
}
# Statements that sqlglot keeps as text: how they begin, and where their form is written.
KEPT_AS_TEXT = {
    "explain using json ": "https://docs.snowflake.com/en/sql-reference/sql/explain",
    "explain (type io, format json) ": "https://trino.io/docs/current/sql/explain.html",
    "show create table ": "https://trino.io/docs/current/sql/show-create-table.html",
    "explain cost ": "https://docs.databricks.com/en/sql/language-manual/sql-ref-syntax-qry-explain.html",
    "explain select ": "https://docs.aws.amazon.com/redshift/latest/dg/r_EXPLAIN.html",
    "begin\n": "https://cloud.google.com/bigquery/docs/reference/standard-sql/procedural-language#beginexceptionend",
    "lock table ": "https://docs.aws.amazon.com/redshift/latest/dg/r_LOCK.html",
    "declare @got int; exec": "https://learn.microsoft.com/sql/relational-databases/system-stored-procedures/sp-getapplock-transact-sql",
    "set xact_abort on; begin": "https://learn.microsoft.com/sql/t-sql/statements/set-xact-abort-transact-sql",
    "if @@trancount > 0": "https://learn.microsoft.com/sql/t-sql/language-elements/transactions-transact-sql",
    "if object_id(": "https://learn.microsoft.com/sql/t-sql/functions/object-id-transact-sql",
    "waitfor delay": "https://learn.microsoft.com/sql/t-sql/language-elements/waitfor-transact-sql",
}


def scenarios(engine: Engine) -> dict[str, tuple[dict[str, Any], list[list[int]], list[str]]]:
    """name → (plan, the units of each commit, what is rendered)."""
    keyed: dict[str, Any] = {"key_columns": ["id"]}
    expectations: dict[str, Any] = {
        "unique_sets": [["id"]],
        "not_null_columns": ["country"],
        "sql": "select * from {target} where {unit} and amount < 0",
        "max_shrink": 0.5,
    }
    header = {"rendered": {"sql": "select * from events", "header": "select 1;\n", "bounds": []}}
    found: dict[str, tuple[dict[str, Any], list[list[int]], list[str]]] = {
        "a plan, a run and its undo": (
            scenario(request=keyed),
            [[0], [1]],
            ["checks", "plan", "run", "undo"],
        ),
        "narrowed, with expectations, a header, a new column and a pause": (
            scenario(
                request=keyed
                | {"where": {"country": "O'Neil"}, "expect": expectations}
                | ({} if engine.stages or engine.name == "redshift" else {"pause_seconds": 1.5}),
                added=[{"name": "amount", "data_type": "float"}],
                **header,
            ),
            [[0], [1]],
            ["checks", "run"],
        ),
        "a list of values, read once, without a key": (
            scenario("text", "country", read="once", cursor=[]),
            [[0], [1]],
            ["checks", "run"],
        ),
        "hours of a column with a zone": (
            scenario("timestamptz", "loaded_at", cursor=[]),
            [[0], [1]],
            ["checks", "run"],
        ),
    }
    if not engine.stages and engine.name != "sqlserver":
        joined = {"units_per_commit": 2, "expect": expectations | {"keep_missing": True}}
        found["joined units that keep what is missing"] = (
            scenario(request=keyed | joined, bounds=[*BOUNDS["date"], "2024-03-04"]),
            [[0, 1], [2]],
            ["checks", "run"],
        )
    if engine.name == "trino":
        found["tables of Hive: a plan, a run and its undo"] = (
            scenario(request=keyed),
            [[0], [1]],
            ["checks", "plan", "run", "undo"],
        )
    if engine.name == "redshift":
        found["without a backup"] = (
            scenario(request={"backup": False}),
            [[0], [1]],
            ["checks", "run"],
        )
    return found


def branches_of(engine: Engine) -> list[str]:
    """The names for which the package has a form of its own there."""
    prefix = engine.name + "__"
    return sorted(m.name.removeprefix(prefix) for m in package_macros() if m.name.startswith(prefix))


def rendered(shop: Shop, engine: Engine) -> dict[str, list[str]]:
    """heading → the statements below it."""
    found: dict[str, list[str]] = {}
    calls = [
        {"macro": f"{engine.name}__{name}", "arguments": arguments}
        for name in branches_of(engine)
        if name not in BY_RUN | DRIVER and not refuses(shop, engine, name)
        for arguments in CALLS[name]
    ]
    for call, (answer, said) in zip(
        calls, printed(shop.operation("calls_as", double=engine.double(), calls=calls)), strict=True
    ):
        given = ", ".join(json.dumps(argument, ensure_ascii=False) for argument in call["arguments"])
        lines = [f"sends: {sql}" for sql in said] + ([f"gives: {answer}"] if answer is not None else [])
        found[f"{call['macro']}({given})"] = lines
    for name, (plan, groups, does) in scenarios(engine).items():
        plan["request"]["node"]["config"] = FORMATS.get(engine.name, {})
        connector = "hive" if "Hive" in name else "iceberg"
        double = engine.double(groups=groups, done=plan["units"], connector=connector)
        answer = printed(shop.operation("run_as", double=double, plan=plan, does=does))
        found[name] = [sql.replace(answer["invocation"], "another") for sql in answer["said"]]
    return found


def refuses(shop: Shop, engine: Engine, name: str) -> bool:
    """Whether the branch is the default one, which only says that there is no such thing."""
    source = next(m for m in package_macros() if m.name == f"{engine.name}__{name}")
    body = source.file.read_text(encoding="utf-8").split(f"macro {source.name}(")[1].split("endmacro")[0]
    if f"default__{name}" not in body or name not in REFUSALS:
        return False
    arguments: list[Any] = [1.5] if name == "_rest" else ["<relation>", "wait", 5]
    ended = shop.operation(
        "calls_as", double=engine.double(), calls=[{"macro": source.name, "arguments": arguments}]
    )
    assert ended.error.startswith(REFUSALS[name]), ended.printed
    return True


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_text(shop: Shop, engine: Engine) -> None:
    """Pinned, and each statement is one in the engine's dialect."""
    found = rendered(shop, engine)
    text = "".join(f"-- {head}\n\n" + "".join(f"{sql};\n\n" for sql in sqls) for head, sqls in found.items())
    file = PINNED / f"{engine.name}.txt"
    if os.environ.get("BACKFILL_SAFETY_PIN"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")
    runs = [sql for head in scenarios(engine) for sql in found[head]]
    assert len(runs) > 60
    assert [problem for sql in runs if (problem := unreadable(sql, engine.dialect))] == []


def unreadable(sql: str, dialect: str) -> str:
    """Why sqlglot cannot read a statement of that dialect; empty where it can."""
    if any(sql.startswith(start) for start in KEPT_AS_TEXT):
        return ""
    try:
        trees = sqlglot.parse(sql, read=dialect)
    except sqlglot.errors.SqlglotError as error:
        return f"{error}\n{sql}"
    texts = [tree for tree in trees if tree is None or isinstance(tree, exp.Command)]
    return f"kept as text: {sql}" if texts else ""


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_no_branch_of_another_engine(engine: Engine) -> None:
    """An adapter that is built on another one takes that one's macros: each has a form of its own, or is listed as right."""
    mine = set(branches_of(engine))
    for other in engine.chain[1:-1]:
        theirs = {m.name[len(other) + 2 :] for m in package_macros() if m.name.startswith(other + "__")}
        assert theirs - mine == INHERITED.get(engine.name, set()) - mine
        assert not INHERITED.get(engine.name, set()) & mine


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_each_file_names_its_pages(engine: Engine) -> None:
    """The engine's own documentation stands beside what hangs on it."""
    file = next(m.file for m in package_macros() if m.name == f"{engine.name}___proof")
    assert file.name == f"{engine.name}.sql"
    assert len(re.findall(r"https://\S+", file.read_text(encoding="utf-8"))) >= 4


def test_the_page_names_all_that_is_dispatched() -> None:
    """docs/engines.md lists every name that an engine's file can have, and every engine with how far it is tried."""
    page = (Path(__file__).parents[2] / "docs" / "engines.md").read_text(encoding="utf-8")
    names = {name.split("__", 1)[1] for macro in package_macros() if "__" in (name := macro.name).strip("_")}
    assert [name for name in sorted(names) if f"`{name}`" not in page] == []
    for engine in ENGINES:
        assert f"dbt-{engine.name} | **" in page
