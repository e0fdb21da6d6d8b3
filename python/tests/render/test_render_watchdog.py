"""A step that is slow in itself is stopped from outside, and what comes after a rendering is not."""

from __future__ import annotations

import time

import pytest

from backfill_safety.render import watchdog as module
from backfill_safety.render.budget import BudgetError
from backfill_safety.render.watchdog import watchdog


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_SECONDS", 0.05)


def spin(seconds: float) -> int:
    """Work of so many processor seconds that no budget counts."""
    turns, end = 0, time.process_time() + seconds
    while time.process_time() < end:
        turns += 1
    return turns


def test_a_slow_step_is_stopped() -> None:
    with pytest.raises(BudgetError, match="takes longer than"), watchdog():
        spin(5)


def test_one_rendering_after_another_has_time_of_its_own() -> None:
    for _ in range(5):
        with watchdog():
            spin(0.02)


def test_what_comes_after_a_rendering_is_not_stopped() -> None:
    """Its timer goes on; also after a rendering that was stopped."""
    with pytest.raises(BudgetError), watchdog():
        spin(5)
    with watchdog():
        pass
    assert spin(0.3)
