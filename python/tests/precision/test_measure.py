"""The labels are well formed, the counting is right, and missing manifests are said."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
import yaml

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def measure() -> ModuleType:
    """The script beside this file, as a module."""
    spec = importlib.util.spec_from_file_location("measure", HERE / "measure.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["measure"] = module
    spec.loader.exec_module(module)
    return module


def test_every_model_is_labelled_for_all_six_checks(measure: ModuleType) -> None:
    book = yaml.safe_load((HERE / "labels.yml").read_text())
    assert len({raw["key"] for raw in book["models"]}) == 80
    assert len({raw["key"] for raw in book["later_models"]}) == 40
    for raw in book["models"] + book["later_models"]:
        assert sorted(raw["checks"]) == [1, 2, 3, 4, 5, 6], raw["key"]
        assert raw["manifest"] in book["manifests"], raw["key"]
        assert raw["why"], raw["key"]
        for check, said in raw["checks"].items():
            for part in said.split(", ") if said != "clean" else []:
                codes = measure.Expectation.read(part).codes
                assert any(code.startswith(f"BF{check}") for code in codes), raw["key"]


def test_a_finding_is_right_arguable_or_wrong(measure: ModuleType) -> None:
    label = measure.Label.read(
        {
            "key": "k",
            "checks": {1: "BF105|BF605 warn", 2: "clean"},
            "also": ["BF104:warn", "BF110"],
            "why": "w",
        }
    )
    assert label.verdict("BF105", "warn") == "right"
    assert label.verdict("BF605", "warn") == "right"
    assert label.verdict("BF105", "block") == "wrong"
    assert label.verdict("BF104", "warn") == "arguable"
    assert label.verdict("BF104", "block") == "wrong"
    assert label.verdict("BF110", "warn") == "arguable"
    assert label.verdict("BF201", "block") == "wrong"


def test_a_missed_finding_is_counted_once(measure: ModuleType) -> None:
    label = measure.Label.read({"key": "k", "checks": {1: "BF105 warn", 2: "BF203 warn"}, "why": "w"})
    rules = {code: measure.Tally() for code in ("BF105", "BF203", "BF201")}
    blocks = measure.Tally()
    said = list(measure.compare(label, {("BF105", "warn"), ("BF201", "block")}, rules, blocks))
    assert [line.split()[1:3] for line in said] == [["false", "BF201"], ["missed", "BF203"]]
    assert rules["BF105"].counts == {"right": 1}
    assert rules["BF203"].counts == {"missed": 1}
    assert blocks.counts == {"wrong": 1}
    assert rules["BF105"].ratio("right", "wrong") == "100 %"
    assert rules["BF201"].ratio("right", "missed") == "–"


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, str(HERE / "measure.py")],
        env={**os.environ, "BACKFILL_SAFETY_SHARED": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert "skipped: no manifests" in run.stderr
