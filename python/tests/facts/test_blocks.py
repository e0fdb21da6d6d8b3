"""Scripts in hooks: what they hold, and that a stranger's cannot keep the reader busy."""

from __future__ import annotations

from time import process_time

import pytest

from backfill_safety.facts.blocks import holds_extreme, statements_inside

SCRIPTS = {
    "begin truncate table t; end": ["truncate table t"],
    "begin\n  declare hi date;\n  delete from t where a;\n  if x then drop table t; end if;\nend;": [
        "delete from t where a",
        "drop table t",
    ],
    "do $body$ begin truncate t; end $body$": ["truncate t"],
    "execute immediate 'delete from t where kind = ''web'''": ["delete from t where kind = 'web'"],
    "exec sp_executesql N'truncate table t'": ["truncate table t"],
    "begin; lock table t": [],
    "begin transaction; delete from t": [],
    "select 'begin truncate t'": [],
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_statements_of_a_script_are_found(script: str) -> None:
    assert statements_inside(script) == SCRIPTS[script]


@pytest.mark.parametrize(
    "script",
    ["set hi = (select max(a) from t)", "select max(a) into hi from t", "hi := (select min(a) from t)"],
)
def test_a_variable_keeps_a_maximum(script: str) -> None:
    assert holds_extreme(f"declare hi date; {script}; update c set v = hi")
    assert not holds_extreme(
        f"insert into log select 1; {script.replace('max', 'sum').replace('min', 'sum')}"
    )


@pytest.mark.parametrize(
    "script",
    [
        "set " * 200_000,
        "do " + "".join(f"$a{i}$ " for i in range(100_000)),
        "exec ('" + "''" * 300_000,
        "begin delete from t" + " " * 500_000 + "x",
        "begin update t" + " end" * 150_000,
    ],
    ids=["set", "tags", "quotes", "spaces", "ends"],
)
def test_long_scripts_are_read_in_one_go(script: str) -> None:
    began = process_time()
    statements_inside(script)
    holds_extreme(script)
    assert process_time() - began < 5
