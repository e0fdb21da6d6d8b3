"""Judging a model: under a window, under vars, and where something is missing or hostile."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from backfill_safety.checks.finding import Finding, Severity
from backfill_safety.checks.judge import Judge, Judgement, judge_model
from backfill_safety.facts.request import Request
from backfill_safety.render import Project

from .tiny import manifest_of

HEAD = "{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='id') }}\n"
WATERMARK = (
    HEAD
    + "select id, ts from {{ ref('stg') }}\n{% if is_incremental() %}\nwhere ts > (select max(ts) from {{ this }})\n{% endif %}"
)
CLOCK = HEAD + "select id, ts from {{ ref('stg') }} where ts >= current_date - 3"


def judged(model: str, request: Request | None = None, dialect: str = "duckdb", **case: Any) -> Judgement:
    manifest = manifest_of({"dialect": dialect, "model": model, **case})
    judge = Judge(manifest, case.get("vars"), request, Project(), date(2026, 6, 15))
    return judge.model(manifest.nodes["model.shop.model"])


def loud(judgement: Judgement) -> dict[str, Severity]:
    return {f.code: f.severity for f in judgement.findings if f.severity is not Severity.INFO}


@pytest.mark.parametrize(("model", "code"), [(WATERMARK, "BF105"), (CLOCK, "BF109")])
def test_a_window_that_cannot_be_asked_for_blocks_when_it_is_asked_for(model: str, code: str) -> None:
    assert loud(judged(model)) == {code: Severity.WARN}
    assert loud(judged(model, Request(start="2024-01-01", end="2024-01-08"))) == {code: Severity.BLOCK}


def test_a_window_that_cuts_a_partition() -> None:
    model = (
        "{{ config(materialized='incremental', incremental_strategy='insert_overwrite',"
        "          partition_by={'field': 'day', 'data_type': 'date'}) }}"
        "select day, n from {{ ref('stg') }}"
        " where day >= date('{{ var('lo', '2024-01-01') }}') and day < date('{{ var('hi', '2024-01-02') }}')"
    )
    assert loud(judged(model, Request(start="2024-01-01", end="2024-01-02"), "bigquery")) == {}
    cut = Request(start="2024-01-01 06:00:00", end="2024-01-02")
    assert loud(judged(model, cut, "bigquery")) == {"BF204": Severity.BLOCK}


def test_vars_change_what_is_judged() -> None:
    model = (
        "{{ config(materialized='incremental', unique_key='id', incremental_strategy=var('how', 'delete+insert')) }}"
        "select id, ts from {{ ref('stg') }} where ts >= '{{ var('lo', '2024-01-01') }}' and ts < '{{ var('hi', '2024-01-02') }}'"
    )
    assert loud(judged(model)) == {}
    assert loud(judged(model, vars={"how": "append"})) == {"BF201": Severity.BLOCK}


def test_a_finding_points_at_its_line() -> None:
    (finding,) = [f for f in judged(WATERMARK).findings if f.code == "BF105"]
    assert (finding.path, finding.line) == ("models/model.sql", 4)
    assert "max" not in finding.alternative
    assert "safe_backfill" in finding.alternative
    assert "model: model" in finding.alternative


@pytest.mark.parametrize(
    "model",
    [
        HEAD + "select id, ts from {{ nobody_knows() }}",
        HEAD + "select id from where",
        HEAD + "{% for i in range(100000000) %}{% for j in range(100000000) %}x{% endfor %}{% endfor %}",
        HEAD + "{{ ''.__class__.__mro__ }}",
        HEAD,
        HEAD + "drop table {{ this }}",
        HEAD + "select * from " + "(select * from " * 400 + "x" + ") q" * 400,
        "{% macro m() %}{{ m() }}{% endmacro %}" + HEAD + "{{ m() }}",
    ],
)
def test_what_cannot_be_read_is_said_and_never_safe(model: str) -> None:
    judgement = judged(model)
    assert judgement.not_judged
    assert loud(judgement) == {"BF110": Severity.WARN}
    planned = judged(model, Request(start="2024-01-01", end="2024-01-02"))
    assert [(f.code, f.severity, f.curable_by_run) for f in planned.findings] == [
        ("BF110", Severity.BLOCK, False)
    ]


def test_a_hook_that_does_not_render_is_said() -> None:
    model = (
        "{{ config(materialized='incremental', unique_key='id', post_hook='{{ nobody_knows() }}') }}"
        + WATERMARK.removeprefix(HEAD)
    )
    judgement = judged(model)
    assert "hook" in (judgement.not_judged or "")
    assert "BF110" in loud(judgement)


def test_a_var_that_decides_which_sql_there_is() -> None:
    model = (
        HEAD
        + "select id, ts from {{ ref('stg') }} {% if var('mode') == 'live' %}where ts > now() - interval '1' day{% endif %}"
    )
    assert "`mode`" in (judged(model).not_judged or "")
    assert judged(model, vars={"mode": "live"}).not_judged is None


def test_a_strategy_of_the_projects_own_is_named() -> None:
    model = WATERMARK.replace("delete+insert", "by_hand")
    judgement = judged(model)
    assert judgement.not_judged is None
    (named,) = [f for f in judgement.findings if f.code == "BF110"]
    assert (named.severity, "`by_hand`" in named.message) == (Severity.INFO, True)


@pytest.mark.parametrize("materialized", ["table", "view", "ephemeral", "my_own"])
def test_other_models_are_left_alone(materialized: str) -> None:
    assert judged(f"{{{{ config(materialized='{materialized}') }}}} select random() as r") == Judgement()


def test_the_order_of_findings_is_stable() -> None:
    model = (
        "{{ config(materialized='incremental', incremental_strategy='append', pre_hook='truncate table {{ this }}') }}"
        "select id, ts from {{ ref('stg') }}"
    )
    found = judged(model).findings
    assert list(found) == sorted(found, key=Finding.order)
    assert found == judged(model).findings
    assert {"BF104", "BF201", "BF601"} <= {f.code for f in found}


def test_one_model_by_hand() -> None:
    manifest = manifest_of({"dialect": "duckdb", "model": CLOCK})
    judgement = judge_model(
        manifest, manifest.nodes["model.shop.model"], Request(start="2024-01-01", end="2024-01-08")
    )
    assert loud(judgement) == {"BF109": Severity.BLOCK}


def test_the_projects_own_hooks() -> None:
    hooks = ["update ops.cursors set seen_until = now()", "grant usage on schema mart to readers"]
    manifest = manifest_of({"dialect": "postgres", "model": "select 1 as id", "on_run_end": hooks})
    (finding,) = Judge(manifest, project=Project()).operations().findings
    assert (finding.code, finding.model, finding.path) == ("BF402", "", "dbt_project.yml")
