"""The README is said to have drifted when the demo prints something else, and only then."""

from __future__ import annotations

from pathlib import Path

import pytest
import readme

PAGE = "# Title\n\n<!-- printed by the demo: plan -->\n```text\nold\n```\n<!-- end -->\n\nwords\n"
RUN = "<!-- printed by the demo: run -->\n```text\nb20260101_000000_aaaa in   1.2 s\n```\n<!-- end -->\n"


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(readme, "PRINTED", tmp_path)
    monkeypatch.setattr(readme, "README", tmp_path / "README.md")
    (tmp_path / "plan.txt").write_text("old\n", encoding="utf-8")
    (tmp_path / "run.txt").write_text("b20261129_210448_e9c0 in 13.4 s\n", encoding="utf-8")
    (tmp_path / "README.md").write_text(PAGE + RUN, encoding="utf-8")
    return tmp_path / "README.md"


def test_run_ids_and_seconds_are_no_drift(page: Path) -> None:
    assert readme.main(["--check"]) == 0
    assert page.read_text("utf-8") == PAGE + RUN


def test_other_words_are_drift_and_written(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (page.parent / "plan.txt").write_text("new\n", encoding="utf-8")
    assert readme.main(["--check"]) == 1
    assert "-old\n+new" in capsys.readouterr().out
    assert readme.main([]) == 0
    now = "b20261129_210448_e9c0 in 13.4 s"
    assert page.read_text("utf-8") == PAGE.replace("old", "new") + RUN.replace(
        "b20260101_000000_aaaa in   1.2 s", now
    )
    assert readme.main(["--check"]) == 0


def test_a_lost_place_is_named(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page.write_text(RUN, encoding="utf-8")
    assert readme.main(["--check"]) == 1
    assert "printed by the demo: plan" in capsys.readouterr().out
