"""What is remembered is right, or is not used at all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_manifest import manifest, node

from backfill_safety.audit import cache
from backfill_safety.audit.answer import Answer
from backfill_safety.audit.audit import audit
from backfill_safety.audit.keys import keys
from backfill_safety.checks.finding import Finding, Severity

FINDING = Finding(
    code="BF201",
    check=2,
    severity=Severity.BLOCK,
    model="model.shop.b",
    path="models/b.sql",
    line=2,
    message="appends",
    alternative="set a key",
    curable_by_run=False,
)


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache.click, "get_app_dir", lambda _: str(tmp_path / "home"))


@pytest.fixture
def target(tmp_path: Path) -> Path:
    folder = tmp_path / "target"
    folder.mkdir()
    return folder


def project(**changes: Any) -> Any:
    """a → b → c, and d beside them; `changes` are other texts for some of them."""
    texts = {name: changes.get(name, f"select {name}") for name in "abcd"}
    return manifest(
        node("a", texts["a"], config={"materialized": "view", **changes.get("config", {})}),
        node("b", texts["b"], ("a",)),
        node("c", texts["c"], ("b",)),
        node("d", texts["d"]),
        macros=changes.get("macros", {"m": "{% macro m() %}1{% endmacro %}"}),
        generated_at=changes.get("at", "2024-01-01"),
    )


def judged(told: Any, folder: Path, **asked: Any) -> tuple[dict[str, Answer], list[str]]:
    """The answers, and which models were judged for them."""

    def judge(model: str) -> Answer:
        with (folder / "seen").open("a") as log:
            log.write(model[-1])
        return Answer((FINDING,)) if model.endswith("b") else Answer(not_judged="why")

    (folder / "seen").write_text("")
    answers = audit(told, (f"model.shop.{n}" for n in "dcb"), judge, asked, folder)
    seen = sorted((folder / "seen").read_text())
    return answers, seen


def test_a_second_run_judges_nothing_and_answers_the_same(target: Path) -> None:
    first, seen = judged(project(), target)
    assert seen == ["b", "c", "d"]
    assert list(first) == ["model.shop.b", "model.shop.c", "model.shop.d"]
    assert first["model.shop.b"].findings == (FINDING,)
    assert judged(project(at="2025-01-01"), target) == (first, [])


@pytest.mark.parametrize(
    ("change", "again"),
    [
        ({"d": "select 2"}, ["d"]),
        ({"b": "select 2"}, ["b", "c"]),
        ({"a": "select 2"}, ["b", "c"]),
        ({"config": {"event_time": "at"}}, ["b", "c"]),
        ({"macros": {"m": "{% macro m() %}2{% endmacro %}"}}, ["b", "c", "d"]),
    ],
)
def test_what_hangs_on_a_change_is_judged_anew(
    target: Path, change: dict[str, Any], again: list[str]
) -> None:
    judged(project(), target)
    assert judged(project(**change), target)[1] == again
    assert judged(project(**change), target)[1] == []


def test_other_vars_are_another_question(target: Path) -> None:
    judged(project(), target, vars={"x": 1})
    assert judged(project(), target, vars={"x": 2})[1] == ["b", "c", "d"]


def test_a_changed_program_is_another_question(monkeypatch: pytest.MonkeyPatch) -> None:
    before = keys(project(), ["model.shop.d"], {})
    monkeypatch.setattr("backfill_safety.audit.keys._program", lambda: ["other"])
    assert keys(project(), ["model.shop.d"], {}) != before


def test_answers_for_other_models_stay(target: Path) -> None:
    judged(project(), target)
    audit(project(d="select 3"), ["model.shop.d"], lambda _: Answer(), {}, target)
    assert judged(project(d="select 3"), target)[1] == []


def test_a_forged_file_is_not_believed(target: Path) -> None:
    judged(project(), target)
    made = cache.recall(target)
    forged = {m: cache.Remembered(old.key, Answer()) for m, old in made.items()}
    (target / cache.NAME).write_bytes(b"\0" * 32 + cache.msgspec.msgpack.encode(forged))
    assert cache.recall(target) == {}
    cache.remember(target, forged)
    Path(cache.click.get_app_dir("x"), "cache.key").write_bytes(b"another user's key")
    assert cache.recall(target) == {}
    assert judged(project(), target)[1] == ["b", "c", "d"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.binary(max_size=300))
def test_a_damaged_file_is_no_file(target: Path, data: bytes) -> None:
    (target / cache.NAME).write_bytes(data)
    assert cache.recall(target) == {}


def test_signed_nonsense_is_no_file(target: Path) -> None:
    cache.remember(target, {})
    for nonsense in (b"", b"\xc1", b"\x81\xa1a\x01", b"\x91" * 100_000):
        (target / cache.NAME).write_bytes(cache._mac(cache._key() or b"", nonsense) + nonsense)
        assert cache.recall(target) == {}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a named pipe")
def test_a_pipe_or_a_folder_is_not_read(target: Path) -> None:
    os.mkfifo(target / cache.NAME)
    assert cache.recall(target) == {}
    (target / cache.NAME).unlink()
    (target / cache.NAME).mkdir()
    assert cache.recall(target) == {}
    assert judged(project(), target)[1] == ["b", "c", "d"]


def test_without_a_place_for_a_key_nothing_is_remembered(
    target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(cache.click, "get_app_dir", lambda _: str(tmp_path / "file" / "below"))
    assert judged(project(), target)[1] == ["b", "c", "d"]
    assert judged(project(), target)[1] == ["b", "c", "d"]
    assert not (target / cache.NAME).exists()


def test_a_cycle_does_not_hang() -> None:
    told = manifest(node("a", parents=("b",)), node("b", parents=("a",)), node("c", parents=("c", "gone")))
    assert len(keys(told, list(told.nodes), {})) == 4
