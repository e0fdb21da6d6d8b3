"""What is not new, not wanted, or excused: `--state`, baselines, settings, `meta`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from cli_helpers import codes, risky, safe, told
from click.testing import Result

Run = Callable[..., Result]
Write = Callable[..., Path]


def test_state_reports_only_what_has_been_added(run: Run, write: Write) -> None:
    write(risky(), safe(), to="before/manifest.json")
    write(risky(), safe())
    same = run("check", "--format", "json", "--state", "before/manifest.json")
    assert (same.exit_code, codes(same)) == (0, [])
    assert told(same)["summary"]["unchanged"] == 2
    assert told(same)["summary"]["reason"].endswith("; what was known before is not counted")
    write(risky(), safe(), risky("newer"))
    added = run("check", "--format", "json", "--state", "before/manifest.json")
    assert added.exit_code == 1
    assert {f["model"] for f in told(added)["findings"]} == {"model.shop.newer"}
    assert told(added)["summary"]["unchanged"] == 2


def test_state_knows_what_a_changed_model_had_before(run: Run, write: Write) -> None:
    write(risky(), to="before/manifest.json")
    edited = risky()
    edited["raw_code"] = "-- a line more\n" + edited["raw_code"]
    write(edited)
    result = run("check", "--format", "json", "--state", "before/manifest.json")
    assert codes(result) == []
    assert told(result)["summary"]["in_previous"] >= 1
    assert told(result)["summary"]["unchanged"] == 0


def test_a_missing_previous_manifest_is_status_3(run: Run, write: Write) -> None:
    write(risky())
    assert run("check", "--state", "gone.json").exit_code == 3


def test_a_baseline_holds_what_is_known(run: Run, write: Write, tmp_path: Path) -> None:
    write(risky())
    assert run("check", "--write-baseline", "known.json").exit_code == 0
    held = run("check", "--format", "json", "--baseline", "known.json")
    assert (held.exit_code, told(held)["findings"]) == (0, [])
    assert told(held)["summary"]["reason"].endswith("; what was known before is not counted")
    write(risky(), risky("newer"))
    added = run("check", "--format", "json", "--baseline", "known.json")
    assert {f["model"] for f in told(added)["findings"]} == {"model.shop.newer"}
    (tmp_path / "backfill-safety.toml").write_text('baseline = "known.json"')
    assert told(run("check", "--format", "json"))["summary"]["in_baseline"] >= 1
    write(safe())
    gone = run("check", "--format", "json")
    assert told(gone)["summary"]["gone_from_baseline"] >= 1


def test_settings_leave_rules_out_and_weigh_them(run: Run, write: Write, tmp_path: Path) -> None:
    write(risky(), risky("other", folder="old"))
    settings = tmp_path / "backfill-safety.toml"
    settings.write_text('ignore = [{rule = "BF201", select = "path:models/old", reason = "a log"}]')
    result = run("check", "--format", "json")
    assert {f["model"] for f in told(result)["findings"] if f["code"] == "BF201"} == {"model.shop.risky"}
    assert told(result)["summary"]["ignored"] == 1
    settings.write_text('ignore = ["BF1"]\nseverity = {BF201 = "warn"}')
    result = run("check", "--format", "json")
    assert set(codes(result)) == {"BF201"}
    assert result.exit_code == 0
    settings.write_text('select = ["path:models/old"]\nfail-on = "never"')
    result = run("check", "--format", "json")
    assert {f["model"] for f in told(result)["findings"]} == {"model.shop.other"}
    assert result.exit_code == 0
    assert run("check", "--fail-on", "block").exit_code == 1


def test_an_excuse_with_a_reason_counts(run: Run, write: Write) -> None:
    def excused(**entry: str) -> Result:
        write(risky(config={"meta": {"backfill_safety": {"allow": [entry]}}}))
        return run("check", "--format", "json", "--fail-on", "warn")

    good = excused(rule="BF201", reason="a log; readers take the latest row", until="2999-01-01")
    assert "BF201" not in codes(good)
    assert told(good)["summary"]["excused"] == 1
    late = excused(rule="BF201", reason="a log", until="2020-01-01")
    assert {"BF201", "BF111"} <= set(codes(late))
    bare = excused(rule="BF201")
    assert {"BF201", "BF111"} <= set(codes(bare))
    unused = excused(rule="BF501", reason="x")
    assert {"BF201", "BF111"} <= set(codes(unused))
