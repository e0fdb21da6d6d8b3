"""What one process reports about itself: seconds of the work alone, and its peak memory."""

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
    """Adds up the seconds spent inside `running()`."""

    def __init__(self) -> None:
        self.seconds = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Time what happens inside."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.seconds += time.perf_counter() - began


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


def report(watch: Stopwatch) -> None:
    """The last line that a contestant prints."""
    print(json.dumps({"seconds": watch.seconds, "peak_mib": peak_mib()}), flush=True)
