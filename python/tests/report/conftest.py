"""A document with every kind of thing in it; `UPDATE_SNAPSHOTS=1 pytest` writes the snapshots anew."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from report_samples import APPENDS, LEFT, NOW, REFRESH, RULES, WRAPPED

from backfill_safety.report.document import Document, Held

HERE = Path(__file__).parent


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
