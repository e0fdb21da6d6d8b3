"""`init` end to end: a diff first, the files when asked, and the operation's words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result
from small_manifest import node, text

from backfill_safety.cli import main

DAYS = """{{ config(unique_key='sold_on', incremental_strategy='delete+insert') }}
select cast(sold_at as date) as sold_on, count(*) as sales from {{ ref('stg_sales') }}
{% if is_incremental() %} where cast(sold_at as date) >= (select max(sold_on) from {{ this }}) {% endif %}
group by 1
"""
HOURS = """{{ config(partition_by={'field': 'seen_hour', 'data_type': 'timestamp', 'granularity': 'hour'}) }}
select timestamp_trunc(seen_at, hour) as seen_hour, count(*) as n from {{ ref('stg_seen') }} group by 1
"""
LIST = """select id, name, loaded_at from {{ ref('stg_sales') }}
{% if is_incremental() %} where loaded_at > (select max(loaded_at) from {{ this }}) {% endif %}
"""

Run = Callable[..., Result]


def days(**more: Any) -> dict[str, Any]:
    config = {"unique_key": "sold_on", "incremental_strategy": "delete+insert"}
    return node("days", DAYS, ("stg_sales",), config=config, **more)


def hours(**more: Any) -> dict[str, Any]:
    field = {"field": "seen_hour", "data_type": "timestamp", "granularity": "hour"}
    return node("hours", HOURS, ("stg_seen",), config={"partition_by": field}, **more)


def views() -> list[dict[str, Any]]:
    return [node(n, folder="staging", config={"materialized": "view"}) for n in ("stg_sales", "stg_seen")]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dbt_project.yml").write_text("name: shop\n")
    (tmp_path / "models" / "marts").mkdir(parents=True)
    (tmp_path / "target").mkdir()

    def invoke(*arguments: str, nodes: list[dict[str, Any]]) -> Result:
        (tmp_path / "target" / "manifest.json").write_bytes(text(*nodes, *views(), adapter_type="bigquery"))
        return CliRunner().invoke(main, ["init", *arguments])

    return invoke


def meta(file: Path) -> dict[str, Any]:
    found = yaml.safe_load(file.read_text())["models"]
    return {m["name"]: m["config"]["meta"]["backfill_safety"] for m in found if "config" in m}


def test_a_new_file_is_shown_and_then_written(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "models" / "marts" / "_backfill_safety.yml"
    shown = run(nodes=[days(), hours()])
    assert shown.exit_code == 0, shown.output
    assert shown.stdout.startswith("--- /dev/null\n+++ models/marts/_backfill_safety.yml\n")
    assert not file.exists()
    written = run("--write", nodes=[days(), hours()])
    assert written.stdout == "made models/marts/_backfill_safety.yml\n"
    assert meta(file) == {
        "days": {
            "column": "sold_on",
            "grain": "day",
            "inputs": {"stg_sales": "sold_at"},
            "watermark": "sold_on",
        },
        "hours": {"column": "seen_hour", "grain": "hour", "inputs": {"stg_seen": "seen_at"}},
    }


def test_a_properties_file_is_added_to(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "models" / "schema.yml"
    before = "models:\n  - name: days # one row a day\n    columns:\n      - name: sold_on\n  - name: other\n"
    file.write_text(before)
    shown = run(nodes=[days(patch_path="shop://models/schema.yml")])
    assert [line for line in shown.stdout.splitlines() if line.startswith("-") and "---" not in line] == []
    run("--write", nodes=[days(patch_path="shop://models/schema.yml")])
    after = file.read_text()
    assert meta(file)["days"]["column"] == "sold_on"
    assert [line for line in after.splitlines() if line in before.splitlines()] == before.splitlines()
    again = run("--write", nodes=[days(patch_path="shop://models/schema.yml")])
    assert again.stdout == ""
    assert file.read_text() == after


def test_what_cannot_be_told_is_said_and_not_guessed(run: Run) -> None:
    result = run(nodes=[node("list", LIST, ("stg_sales",)), node("odd", "{{ nothing.here() }}")])
    assert result.stdout == ""
    assert "list: column: neither a partition, an event_time nor a bound" in result.stderr
    assert "odd: cannot be read: " in result.stderr
    assert "0 of 2 models can be told, in 0 changed files" in result.stderr


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"version": 2, "unique_id": "model.shop.days.v2"}, "days: it has versions"),
        ({"patch_path": "shop://models/gone.yml"}, "days: models/gone.yml: it cannot be read: No such file"),
        ({"patch_path": "shop://../../gone.yml"}, "days: ../../gone.yml: it is not in the project's folder"),
    ],
)
def test_what_cannot_be_written_is_said(run: Run, more: dict[str, Any], said: str) -> None:
    result = run("--write", nodes=[days(**more)])
    assert result.exit_code == 0
    assert (result.stdout, said in result.stderr) == ("", True), result.stderr


def test_models_of_packages_are_left_alone(run: Run) -> None:
    result = run(nodes=[days(package_name="kit")])
    assert "no incremental model of shop is selected" in result.stderr


def test_without_a_project_there_is_nothing_to_write(run: Run, tmp_path: Path) -> None:
    (tmp_path / "dbt_project.yml").unlink()
    assert run(nodes=[days()]).exit_code == 2
