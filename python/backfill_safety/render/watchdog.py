"""The last bound: a timer outside the template, for a step that is slow in itself.

Only on the main thread and where the system has interval timers; elsewhere the budget's own bounds stand
alone.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .budget import MAX_SECONDS, BudgetError

_at_work: list[bool] = []


def _stop(*_: Any) -> None:
    if _at_work:
        raise BudgetError(f"takes longer than {MAX_SECONDS:.0f} seconds")


@contextmanager
def watchdog() -> Iterator[None]:
    """Raise BudgetError in the middle of whatever runs when its time is over."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    if signal.getsignal(signal.SIGVTALRM) is not _stop:  # left in place: asking the system each time is dear
        signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, MAX_SECONDS * 1.2)
    _at_work.append(True)
    try:
        yield
    finally:
        _at_work.pop()  # the timer goes on: the next rendering winds it up again, and until then it stops nothing
