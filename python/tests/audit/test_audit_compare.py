"""What is new beside a previous manifest or a baseline."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from backfill_safety.audit.baseline import read_baseline, write_baseline
from backfill_safety.audit.compare import split
from backfill_safety.checks.finding import Finding, Severity
from backfill_safety.settings.errors import UsageError


def finding(
    code: str = "BF501", model: str = "model.x.a", message: str = "m", line: int = 1, severity: str = "warn"
) -> Finding:
    return Finding(
        code=code,
        check=int(code[2]),
        severity=Severity(severity),
        model=model,
        path="models/a.sql",
        line=line,
        message=message,
        alternative="",
    )


@pytest.mark.parametrize(
    ("now", "before", "new", "gone"),
    [
        ([finding()], [], [finding()], 0),
        ([finding()], [finding()], [], 0),
        ([], [finding()], [], 1),
        ([finding(line=9, message="other words")], [finding()], [], 0),
        ([finding(severity="block")], [finding()], [finding(severity="block")], 1),
        ([finding(severity="info")], [finding()], [], 0),
        ([finding(model="model.x.b")], [finding()], [finding(model="model.x.b")], 1),
        ([finding(), finding(message="n", line=5)], [finding()], [finding(message="n", line=5)], 0),
        ([finding(message="k"), finding()], [finding()], [finding(message="k")], 0),
        ([finding()], [finding(), finding(message="n")], [], 1),
        ([finding("BF502")], [finding()], [finding("BF502")], 1),
    ],
)
def test_split(now: list[Finding], before: list[Finding], new: list[Finding], gone: int) -> None:
    found, seen, missing = split(now, before)
    assert found == new
    assert len(found) + len(seen) == len(now)
    assert missing == gone


def test_a_baseline_holds_what_it_was_given(tmp_path: Path) -> None:
    file = tmp_path / "known.json"
    given = [finding(), finding("BF201", severity="block"), finding(message="n", line=7)]
    write_baseline(file, given)
    assert split(given, read_baseline(file)) == ([], sorted(given, key=Finding.order), 0)
    first = file.read_bytes()
    write_baseline(file, reversed(given))
    assert file.read_bytes() == first
    assert b'"line"' not in first


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "there is no baseline "),
        ("", "is not a baseline"),
        ("[]", "is not a baseline"),
        ('{"version": 1}', "is not a baseline"),
        ('{"version": 2, "findings": []}', "is a baseline of version 2, not 1"),
        ('{"version": 1, "findings": [{}]}', "is not a baseline"),
        ("\ud800", "is not a baseline"),
    ],
)
def test_a_broken_baseline_is_one_line(tmp_path: Path, text: str | None, said: str) -> None:
    file = tmp_path / "known.json"
    if text is not None:
        file.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(UsageError) as raised:
        read_baseline(file)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_baseline_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be written: No such file or directory"):
        write_baseline(tmp_path / "no" / "known.json", [])


def test_a_place_without_a_model_is_its_file() -> None:
    script = msgspec.structs.replace(finding(), model="", path="a.sql")
    other = msgspec.structs.replace(script, path="b.sql")
    assert split([other], [script])[0] == [other]
