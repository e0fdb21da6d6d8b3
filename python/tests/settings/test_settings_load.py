"""The settings file: found, typed, and every mistake told in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from backfill_safety.checks.finding import Severity
from backfill_safety.settings.errors import UsageError
from backfill_safety.settings.load import load_settings
from backfill_safety.settings.schema import Ignore, Settings


def codes() -> tuple[str, ...]:
    return ("BF101", "BF105", "BF201", "BF501")


FULL = """
select = ["package:shop", "tag:daily"]
exclude = ["path:models/legacy"]
ignore = ["BF101", {rule = "BF5", select = "path:models/staging", reason = "small tables"}]
severity = {BF105 = "info"}
fail-on = "warn"
baseline = "known.json"
adapter = "snowflake"
"""


def test_everything_that_can_be_set(tmp_path: Path) -> None:
    (tmp_path / "backfill-safety.toml").write_text(FULL)
    loaded = load_settings(None, tmp_path, codes)
    assert loaded.settings == Settings(
        select=["package:shop", "tag:daily"],
        exclude=["path:models/legacy"],
        ignore=["BF101", Ignore("BF5", "path:models/staging", "small tables")],
        severity={"BF105": Severity.INFO},
        fail_on="warn",
        baseline="known.json",
        adapter="snowflake",
    )
    assert loaded.baseline == tmp_path / "known.json"


def test_the_nearest_file_wins_and_its_own_name_before_pyproject(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    below = tmp_path / "dbt" / "shop"
    below.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text('[tool.backfill-safety]\nfail-on = "info"\n')
    (tmp_path / "dbt" / "pyproject.toml").write_text("[tool.ruff]\n")
    assert load_settings(None, below, codes).settings.fail_on == "info"
    (tmp_path / "backfill-safety.toml").write_text('fail-on = "never"\n')
    assert load_settings(None, below, codes).settings.fail_on == "never"
    (below / "pyproject.toml").write_text('[tool.backfill-safety]\nfail-on = "warn"\n')
    assert load_settings(None, below, codes).settings.fail_on == "warn"


def test_nothing_above_the_repository_is_read(tmp_path: Path) -> None:
    (tmp_path / "backfill-safety.toml").write_text('fail-on = "never"\n')
    inner = tmp_path / "repository"
    (inner / ".git").mkdir(parents=True)
    assert load_settings(None, inner, codes).settings == Settings()


def test_a_named_file_is_taken_alone(tmp_path: Path) -> None:
    (tmp_path / "backfill-safety.toml").write_text('fail-on = "never"\n')
    other = tmp_path / "other.toml"
    other.write_text('fail-on = "info"\n')
    assert load_settings(other, tmp_path, codes).settings.fail_on == "info"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('fail_on = "warn"', "unknown setting 'fail_on'; did you mean fail-on?"),
        ("colour = true", "unknown setting 'colour'"),
        ("select = 1", "select: expected array, got int"),
        ("select = [1]", "select[0]: expected str, got int"),
        ('fail-on = "fatal"', "fail-on: invalid enum value 'fatal'"),
        ('severity = {BF105 = "off"}', "severity: invalid enum value 'off'"),
        ('severity = {BF150 = "info"}', "severity: there is no rule 'BF150'; did you mean BF501?"),
        ('ignore = ["BF999"]', "ignore: there is no rule 'BF999'"),
        ('ignore = ["B"]', "ignore: there is no rule 'B'"),
        ('ignore = [{rule = "BF1x"}]', "ignore: there is no rule 'BF1x'"),
        ('ignore = [{select = "a"}]', "ignore[0]: object missing required field rule"),
        ('ignore = [{rule = "BF1", models = "a"}]', "unknown key 'models' in ignore"),
        ("ignore = [3]", "ignore[0]: expected str | object, got int"),
        ("select = [", "is not valid TOML"),
    ],
)
def test_a_mistake_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "backfill-safety.toml"
    file.write_text(text)
    with pytest.raises(UsageError) as raised:
        load_settings(None, tmp_path, codes)
    told = str(raised.value)
    assert told.startswith(f"{file}")
    assert said in told
    assert "\n" not in told


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("gone.toml", None, "there is no "),
        ("pyproject.toml", "[tool.ruff]\n", "has no table [tool.backfill-safety]"),
        ("pyproject.toml", "tool = 3\n", "has no table [tool.backfill-safety]"),
        ("pyproject.toml", "[tool]\nbackfill-safety = 3\n", "[tool.backfill-safety] must be a table"),
    ],
)
def test_a_named_file_must_be_one(tmp_path: Path, name: str, text: str | None, said: str) -> None:
    file = tmp_path / name
    if text is not None:
        file.write_text(text)
    with pytest.raises(UsageError) as raised:
        load_settings(file, tmp_path, codes)
    assert said in str(raised.value)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "backfill-safety.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="cannot be read"):
        load_settings(None, tmp_path, codes)
