"""Findings of every severity, for the tests of what shows them."""

from __future__ import annotations

from backfill_safety.checks.finding import Finding, NotJudged, Severity
from backfill_safety.report.document import RuleText

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
