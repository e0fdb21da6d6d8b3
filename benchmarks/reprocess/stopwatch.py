"""What a process reports about itself: wall and processor seconds of the work alone, peak memory."""

from __future__ import annotations

import json
import re
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Stopwatch:
    """Adds up the seconds spent inside `running()`: by the clock, and by the processors (all threads).

    When it first began and last ended is told by the machine's clock, which its processes share.
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self.began = self.ended = 0.0
        self.cpu_seconds = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Time what happens inside."""
        began, cpu = time.monotonic(), time.process_time()
        self.began = self.began or began
        try:
            yield
        finally:
            self.ended = time.monotonic()
            self.seconds += self.ended - began
            self.cpu_seconds += time.process_time() - cpu


def peak_mib() -> float:
    """Peak resident memory of this process in MiB.

    Linux tells it per address space (VmHWM), which a new program begins anew; `ru_maxrss` also carries
    what the parent held before it.
    """
    status = Path("/proc/self/status")
    if status.exists():
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
        if found:
            return int(found[1]) / 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1024**2 if sys.platform == "darwin" else peak / 1024


def report(watch: Stopwatch, **more: object) -> None:
    """The last line that a contestant prints."""
    measured = {"seconds": watch.seconds, "cpu_seconds": watch.cpu_seconds, "peak_mib": peak_mib()}
    more = {"began": watch.began, "ended": watch.ended, **more}
    print(json.dumps({**measured, **more}), flush=True)
