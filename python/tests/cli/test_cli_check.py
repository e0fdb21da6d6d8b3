"""`check` from the outside: exit statuses, formats, selection, and what is held back."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from cli_helpers import RISKY, codes, risky, safe, told
from click.testing import Result
from small_manifest import node

SARIF_SCHEMA = Path(__file__).parents[1] / "report" / "schemas" / "sarif-2.1.0.json"
Run = Callable[..., Result]
Write = Callable[..., Path]


def test_a_block_finding_is_status_1(run: Run, write: Write) -> None:
    write(risky(), safe())
    result = run("check", "--format", "json")
    assert result.exit_code == 1
    assert told(result)["verdict"] == "RESTRUCTURE FIRST"
    assert "BF201" in codes(result, "block")
    (found,) = [f for f in told(result)["findings"] if f["code"] == "BF201"]
    assert (found["model"], found["path"]) == ("model.shop.risky", "models/marts/risky.sql")
    assert RISKY.splitlines()[found["line"] - 1].startswith("{{ config")


def test_nothing_found_is_status_0(run: Run, write: Write) -> None:
    write(safe())
    result = run("check", "--format", "json")
    assert result.exit_code == 0, result.output
    assert codes(result) == []
    assert told(result)["verdict"] == "SAFE TO RUN"


@pytest.mark.parametrize(("level", "status"), [("block", 1), ("warn", 1), ("info", 1), ("never", 0)])
def test_fail_on(run: Run, write: Write, level: str, status: int) -> None:
    write(risky())
    assert run("check", "--fail-on", level).exit_code == status


def test_an_info_fails_only_where_it_is_asked_to(run: Run, write: Write) -> None:
    write(safe())
    assert codes(run("check", "--format", "json"), "info") == ["BF101"]
    assert run("check", "--fail-on", "info").exit_code == 1
    assert run("check", "--fail-on", "warn").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--format", "xml"], "'xml' is not one of"),
        (["--colour"], "No such option"),
        (["--start", "soon"], "--start 'soon' is not a date: write 2024-01-31, or 2024-01-31T06:00:00"),
        (
            ["--start", "2024-02-01", "--end", "2024-01-01"],
            "--end 2024-01-01 must come after --start",
        ),
        (["--start", "2024-02-01", "--end", "7"], "must both be dates or both be integers"),
        (["--vars", "[1]"], "--vars must be a mapping"),
        (["--project-dir", "nowhere"], "there is no nowhere/dbt_project.yml"),
        (["--config", "nowhere.toml"], "there is no nowhere.toml"),
        (["--baseline", "nowhere.json"], "there is no baseline nowhere.json"),
        (["--select", "state:modified"], "the selector 'state:modified' is of a kind that is not understood"),
        (["--output", "nowhere/report.txt"], "the report nowhere/report.txt cannot be written"),
        (["--write-baseline", "nowhere/b.json"], "the baseline nowhere/b.json cannot be written"),
    ],
)
def test_wrong_usage_is_status_2_and_one_line(
    run: Run, write: Write, arguments: list[str], said: str
) -> None:
    write(risky())
    result = run("check", "target/manifest.json", *arguments)
    assert result.exit_code == 2, result.output
    assert said in result.stderr
    assert "Traceback" not in result.output


def test_wrong_settings_are_status_2(run: Run, write: Write, tmp_path: Path) -> None:
    write(risky())
    (tmp_path / "backfill-safety.toml").write_text('failon = "warn"')
    result = run("check")
    assert result.exit_code == 2
    assert result.stderr == "Error: backfill-safety.toml: unknown setting 'failon'; did you mean fail-on?\n"


@pytest.mark.parametrize("content", [None, b"", b"{}", b"[]", b'{"metadata": {}}', b"\x1f\x8b\0"])
def test_an_unreadable_manifest_is_status_3(run: Run, tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "m.json").write_bytes(content)
    result = run("check", "m.json")
    assert result.exit_code == 3, result.output
    assert result.stderr.startswith("Error: ")
    assert len(result.stderr.splitlines()) == 1


def test_nothing_checked_is_status_4_and_still_json(run: Run, write: Write) -> None:
    write(risky(), node("dim", config={"materialized": "table"}))
    result = run("check", "--format", "json", "--select", "risk")
    assert result.exit_code == 4
    assert told(result)["findings"] == []
    assert told(result)["summary"]["reason"] == "for no model: nothing was checked"
    assert result.stderr == "Nothing was checked: no selected model is incremental; close: risky\n"
    assert run("check", "--select", "dim").exit_code == 4


def test_a_model_that_cannot_be_judged_is_listed_and_never_safe(run: Run, write: Write) -> None:
    broken = node("broken", "{{ nothing_like_it.here() }} select", config={})
    write(safe(), broken)
    result = run("check", "--format", "json")
    assert result.exit_code == 0
    assert told(result)["not_judged"][0]["model"] == "model.shop.broken"
    assert told(result)["summary"]["reason"] == "for 1 of 2 models; 1 could not be judged"
    assert codes(result, "warn") == ["BF110"]
    alone = run("check", "--format", "json", "--select", "broken")
    assert alone.exit_code == 4
    assert told(alone)["verdict"] == "BLOCK"


@pytest.mark.parametrize(
    ("arguments", "models"),
    [
        (["--select", "risky"], {"risky"}),
        (["--select", "tag:daily"], {"other"}),
        (["--exclude", "risky"], {"other"}),
        (["--exclude", "path:models/old"], {"risky"}),
    ],
)
def test_selection(run: Run, write: Write, arguments: list[str], models: set[str]) -> None:
    write(risky(), risky("other", tags=["daily"], folder="old"))
    result = run("check", "--format", "json", *arguments)
    assert {f["model"].split(".")[-1] for f in told(result)["findings"]} == models


def test_a_window_is_judged_under_its_vars(run: Run, write: Write) -> None:
    model = node(
        "late",
        "select id, day from raw.sales {% if is_incremental() %} where day >= current_date - 3 {% endif %}",
        config={"incremental_strategy": "delete+insert", "unique_key": "id"},
    )
    write(model)
    bare = told(run("check", "--format", "json", "--select", "late"))
    window = ["--start", "2023-06-01", "--end", "2023-06-08"]
    planned = told(run("check", "--format", "json", "--select", "late", *window))
    assert [f["severity"] for f in bare["findings"] if f["code"] == "BF109"] == ["warn"]
    assert [f["severity"] for f in planned["findings"] if f["code"] == "BF109"] == ["block"]


def test_the_report_goes_to_a_file(run: Run, write: Write, tmp_path: Path) -> None:
    write(risky())
    result = run("check", "--format", "sarif", "--output", "report.sarif")
    assert (result.exit_code, result.stdout) == (1, "")
    log = json.loads((tmp_path / "report.sarif").read_text())
    jsonschema.validate(log, json.loads(SARIF_SCHEMA.read_text()))
    rules = {rule["id"]: rule for rule in log["runs"][0]["tool"]["driver"]["rules"]}
    assert rules["BF201"]["name"] == "appends"
    assert "## Use instead" in rules["BF201"]["help"]["markdown"]


def test_the_report_goes_into_a_pipe(run: Run, write: Write, tmp_path: Path) -> None:
    """What is no file, `/dev/null` for one, is written to; a file in its place would take it away."""
    write(risky())
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    result = run("check", "--format", "json", "--output", str(pipe))
    assert pipe.is_fifo()
    assert json.loads(os.read(reader, 65536))["verdict"] == "RESTRUCTURE FIRST"
    os.close(reader)
    assert result.exit_code == 1


def test_output_is_the_same_every_time_with_and_without_a_cache(run: Run, write: Write) -> None:
    write(risky(), safe(), risky("b"), risky("a"))
    first = run("check", "--format", "json").stdout
    for more in ([], ["--no-cache"]):
        assert run("check", "--format", "json", *more).stdout == first


def test_files_choose_their_models(run: Run, write: Write, tmp_path: Path) -> None:
    write(risky(), risky("other"))
    file = tmp_path / "models" / "marts" / "risky.sql"
    file.parent.mkdir(parents=True)
    file.write_text(RISKY)
    (tmp_path / "README.md").write_text("")
    result = run("check", "target/manifest.json", "models/marts/risky.sql", "README.md", "--format", "json")
    assert {f["model"] for f in told(result)["findings"]} == {"model.shop.risky"}
    assert run("check", "target/manifest.json", "README.md").exit_code == 0
    file.write_text(RISKY + "-- edited")
    result = run("check", "target/manifest.json", "models/marts/risky.sql", "--format", "json")
    assert result.exit_code == 4
    assert "has changed since the manifest was written" in told(result)["not_judged"][0]["reason"]


def hook(sql: str) -> dict[str, Any]:
    """An on-run-end hook."""
    more = {"resource_type": "operation", "unique_id": "operation.shop.shop-on-run-end-0", "index": 0}
    return node("shop-on-run-end-0", sql, tags=["on-run-end"], config={"materialized": "view"}, **more)


def test_hooks_of_the_project_are_judged_once(run: Run, write: Write) -> None:
    write(safe(), hook("update meta.progress set upto = (select max(sold_on) from mart.safe)"))
    result = run("check", "--format", "json")
    assert codes(result) == ["BF402"]
    assert told(result)["findings"][0]["model"] == ""
    assert told(result)["summary"]["judged"] == 1


def test_another_adapter_is_told(run: Run, write: Write) -> None:
    write(safe())
    result = run("check", "--adapter", "trino", "--format", "json")
    assert result.stderr == (
        "Read as trino, but parsed with duckdb: trino's own macros are not in the manifest, "
        "dbt's default ones stand in.\n"
    )
    assert told(result)["summary"]["adapter"] == "trino"
    assert run("check", "--adapter", "duckdb").stderr == ""


def test_an_adapter_that_is_not_known_is_told(run: Run, write: Write) -> None:
    write(safe())
    first, _ = run("check", "--adapter", "snowflak").stderr.splitlines()
    assert first == (
        "Read as standard SQL, with dbt's default strategies: there is no known adapter snowflak; did you mean snowflake?"
    )
