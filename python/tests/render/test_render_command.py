"""`backfill-safety render`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from synthetic import document, encoded

from backfill_safety.cli import main

MODELS = {
    "m": "select '{{ var('d', '2024-01-01') }}' from {{ ref('up') }}{% if is_incremental() %} where x{% endif %}",
    "up": "select 1",
    "broken": "a\n{{ gone() }}",
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "manifest.json"
    path.write_bytes(encoded(document(MODELS)))
    return path


def run(*args: object) -> Result:
    return CliRunner().invoke(main, ["render", *(str(a) for a in args)])


@pytest.mark.parametrize(
    ("options", "sql"),
    [
        ([], 'select \'2024-01-01\' from "db"."main"."up"\n'),
        (["--branch", "live"], 'select \'2024-01-01\' from "db"."main"."up" where x\n'),
        (["--vars", "d: 2025-05-05"], 'select \'2025-05-05\' from "db"."main"."up"\n'),
        (["--marked"], 'select \'__var_d__\' from "db"."main"."up"\n'),
        (["--adapter", "bigquery"], "select '2024-01-01' from `db`.`main`.`up`\n"),
    ],
)
def test_it_shows_the_sql(options: list[str], sql: str, path: Path) -> None:
    result = run("m", "--manifest", path, *options)
    assert (result.exit_code, result.output) == (0, sql)


def test_json_holds_all_that_is_known(path: Path) -> None:
    told = json.loads(run("shop.m", "--manifest", path, "--format", "json").output)
    assert told["unique_id"] == "model.shop.m"
    assert told["marks"] == [
        {"text": "__var_d__", "kind": "var", "name": "d", "value": "2024-01-01", "tested": False}
    ]
    assert told["refs"][0]["unique_id"] == "model.shop.up"


@pytest.mark.parametrize(
    ("args", "status", "message"),
    [
        (["broken"], 1, "model.shop.broken cannot be rendered, line 2: 'gone' is undefined"),
        (["brokn"], 2, "Error: no model is called 'brokn'; close: broken"),
        (["m", "--branch", "both"], 2, "'both' is not one of 'first', 'live'"),
        (["m", "--vars", "[1]"], 2, "--vars must be a mapping"),
    ],
)
def test_what_goes_wrong_is_one_line(args: list[str], status: int, message: str, path: Path) -> None:
    result = run(*args, "--manifest", path)
    assert result.exit_code == status
    assert message in result.stderr
    assert result.stdout == ""


def test_a_missing_manifest_has_its_own_status(tmp_path: Path) -> None:
    result = run("m", "--manifest", tmp_path / "gone.json")
    assert result.exit_code == 3
    assert "`dbt parse` writes target/manifest.json" in result.stderr
