"""The judge that goes to the workers."""

from __future__ import annotations

import pickle
from datetime import date

from small_manifest import manifest, node

from backfill_safety.audit.answer import Answer
from backfill_safety.audit.judge import PROJECT, ManifestJudge, subjects, with_finding

APPENDS = node("a", "select 1 as id", config={"incremental_strategy": "append"})
TABLE = node("t", config={"materialized": "table"})


def test_it_can_be_sent_to_another_process() -> None:
    judge = ManifestJudge(manifest(APPENDS), None, {}, None, date(2026, 1, 1))
    sent = pickle.loads(pickle.dumps(judge))  # noqa: S301  # our own bytes
    told = judge("model.shop.a")
    assert "BF201" in {f.code for f in told.findings}
    assert sent("model.shop.a") == told
    assert sent(PROJECT) == Answer()


def test_incremental_models_are_its_subjects() -> None:
    assert [n.name for n in subjects(manifest(APPENDS, TABLE))] == ["a"]


def test_a_model_that_was_not_judged_has_a_finding() -> None:
    (model,) = manifest(APPENDS).models
    told = with_finding(model, Answer(not_judged="it took too long"), planned=False)
    assert [(f.code, f.severity.value, f.model, f.path) for f in told.findings] == [
        ("BF110", "warn", "model.shop.a", "models/marts/a.sql")
    ]
    assert "it took too long" in told.findings[0].message
    assert with_finding(model, told, planned=False) == told
    assert with_finding(model, Answer(not_judged="x"), planned=True).findings[0].severity.value == "block"
    assert with_finding(model, Answer(), planned=True) == Answer()
