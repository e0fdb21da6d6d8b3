"""Vars: from dbt_project.yml where it is the manifest's own project, and from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from backfill_safety.settings.errors import UsageError
from backfill_safety.settings.project import project_folder, read_vars

TEXT = """
name: shop
vars:
  start_date: 2024-01-01
  time_kit: {zone: UTC}
dispatch: [{macro_namespace: dbt_utils, search_order: [shop, dbt_utils]}]
"""


def project(folder: Path, text: str = TEXT) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "dbt_project.yml").write_text(text)
    return folder


def test_the_folder_above_the_manifests_is_the_project(tmp_path: Path) -> None:
    project(tmp_path)
    assert project_folder(None, tmp_path / "target" / "manifest.json", "shop") == tmp_path


def test_another_project_lends_no_vars(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project(tmp_path))
    assert project_folder(None, Path("elsewhere/target/manifest.json"), "bank") is None
    assert project_folder(None, Path("elsewhere/target/manifest.json"), "shop") == Path()


def test_the_project_that_is_asked_for_is_taken(tmp_path: Path) -> None:
    folder = project(tmp_path / "x")
    assert project_folder(folder, Path("target/manifest.json"), "bank") == folder


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "--project-dir is the folder of dbt_project.yml"),
        ("a: [", "is not valid YAML: line "),
        ("- a", "must be a mapping"),
        ("name: x\nvars: [a]", "vars must be a mapping, not list"),
        ("a: !!python/object/apply:os.system [id]", "is not valid YAML"),
        ("[" * 5000, "is not valid YAML"),
        ("a: 2024-99-99", "is not valid YAML"),
    ],
)
def test_a_broken_project_is_one_line(tmp_path: Path, text: str | None, said: str) -> None:
    if text is not None:
        project(tmp_path, text)
    with pytest.raises(UsageError) as raised:
        project_folder(tmp_path, Path("m.json"), "x")
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (None, {}),
        ("", {}),
        ('{"start": "2024-01-01"}', {"start": "2024-01-01"}),
        ("start: '2024-01-01'", {"start": "2024-01-01"}),
        ("{days: 3}", {"days": 3}),
        ("{1: a}", {"1": "a"}),
    ],
)
def test_vars_are_json_or_yaml(text: str | None, value: object) -> None:
    assert read_vars(text) == value


@pytest.mark.parametrize("text", ["start", "[1]", "{", "3"])
def test_vars_must_be_a_mapping(text: str) -> None:
    with pytest.raises(UsageError, match=r"^--vars "):
        read_vars(text)
