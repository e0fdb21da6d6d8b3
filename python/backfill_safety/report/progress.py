"""Progress for a person at a terminal, once something takes more than a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

SILENT_SECONDS = 1.0


@contextmanager
def progress(title: str) -> Iterator[Callable[[int, int], None] | None]:
    """A function that is told how many of how many are done; None when standard error is no terminal.

    Nothing is drawn in the first second, and no thread draws: workers are forked meanwhile.
    """
    if not sys.stderr.isatty():
        yield None
        return
    began = time.monotonic()
    bar: Any = None
    task: Any = None
    drawn = 0.0

    def tell(done: int, total: int) -> None:
        nonlocal bar, task, drawn
        now = time.monotonic()
        if now - began < SILENT_SECONDS or now - drawn < 0.1:
            return
        if bar is None:
            from rich.console import Console
            from rich.progress import Progress

            bar = Progress(console=Console(stderr=True), transient=True, auto_refresh=False)
            task = bar.add_task(title, total=total)
            bar.start()
        bar.update(task, completed=done, refresh=True)
        drawn = now

    try:
        yield tell
    finally:
        if bar is not None:
            bar.stop()
