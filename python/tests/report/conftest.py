"""A document with every kind of thing in it; `UPDATE_SNAPSHOTS=1 pytest` writes the snapshots anew."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from backfill_safety.checks.finding import Finding, NotJudged, Severity
from backfill_safety.report.document import Document, Held, RuleText

HERE = Path(__file__).parent

APPENDS = Finding(
    code="BF201",
    check=2,
    severity=Severity.BLOCK,
    model="model.harbour.fct_daily_arrivals",
    path="models/marts/operations/fct_daily_arrivals.sql",
    line=3,
    message="a second run of 2024-01-05 adds its rows again: `merge` has no `unique_key`, so it only inserts",
    alternative="config(unique_key=['ship_id', 'arrival_day']), or replace whole days with safe_backfill",
)
WRAPPED = Finding(
    code="BF501",
    check=5,
    severity=Severity.WARN,
    model="model.harbour.fct_berths.v2",
    path="models/fct_berths_v2.sql",
    line=17,
    message="`date(berthed_at) >= '2024-01-01' || x` hides the partition column: all of raw.berths is read",
    alternative="berthed_at >= '2024-01-01'",
)
REFRESH = Finding(
    code="BF101",
    check=1,
    severity=Severity.INFO,
    model="model.harbour.fct_berths.v2",
    path="models/fct_berths_v2.sql",
    line=1,
    message="a full refresh would rebuild it",
    alternative="",
)
NOW = Finding(
    code="BF602",
    check=6,
    severity=Severity.BLOCK,
    model="",
    path="models/stock of today.sql",
    line=0,
    message="`current_date` is stored as the day of every row",
    alternative="none: yesterday's stock is not in the sources",
    curable_by_run=False,
)
LEFT = NotJudged("model.harbour.py_forecast", "a Python model: there is no SQL to read")
RULES = {
    "BF201": RuleText(
        "appends", "A re-run adds the rows again.", "# Appends\n\nA re-run adds the rows again.\n"
    ),
    "BF501": RuleText("wrapped-column", "A function around the column defeats pruning."),
}


@pytest.fixture
def document() -> Document:
    """Each severity, a rule without a text, a finding without a line, and a model that was not judged."""
    return Document.of(
        [REFRESH, WRAPPED, APPENDS, NOW],
        [LEFT],
        ["model.harbour.fct_daily_arrivals", "model.harbour.fct_berths.v2", "model.harbour.dim_ships"],
        held=Held(baseline=2, previous=1, excused=1, ignored=3, gone=1, unchanged=12),
        adapter="bigquery",
        rules=RULES,
        version="1.2.3",
    )


@pytest.fixture
def clean() -> Document:
    """Nothing found."""
    return Document.of([], [], ["model.harbour.dim_ships"], version="1.2.3", adapter="duckdb")


@pytest.fixture
def snapshot() -> Callable[[str, str], None]:
    """Compares a text with `snapshots/<name>`."""

    def compare(name: str, text: str) -> None:
        file = HERE / "snapshots" / name
        if os.environ.get("UPDATE_SNAPSHOTS"):
            file.write_text(text, encoding="utf-8", newline="\n")
        assert text == file.read_text(encoding="utf-8")

    return compare
