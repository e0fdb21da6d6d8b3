"""Progress is for a person at a terminal who has waited a second."""

from __future__ import annotations

import io
import sys

import pytest

from backfill_safety.report import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_pipe_gets_no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress.progress("checking") as tell:
        assert tell is None


@pytest.mark.parametrize(("waited", "drawn"), [(0.5, False), (1.5, True)])
def test_a_terminal_gets_it_after_a_second(
    monkeypatch: pytest.MonkeyPatch, waited: float, drawn: bool
) -> None:
    clock = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    monkeypatch.setenv("TERM", "xterm")
    with progress.progress("checking models") as tell:
        assert tell is not None
        tell(1, 40)
        clock[0] += waited
        tell(20, 40)
    assert ("checking models" in terminal.getvalue()) is drawn
    assert ("50%" in terminal.getvalue()) is drawn


def test_no_color_is_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    with progress.progress("checking models") as tell:
        assert tell is not None
        clock[0] += 2
        tell(20, 40)
    assert "checking models" in terminal.getvalue()
    assert "\x1b[3" not in terminal.getvalue()
