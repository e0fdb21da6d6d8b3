"""`--start` and `--end`: the window of a planned backfill."""

from __future__ import annotations

from datetime import datetime, timezone

from backfill_safety.settings.errors import UsageError


def read_window(start: str | None, end: str | None) -> tuple[str, str]:
    """Both bounds as written, "" for one that is not given. Raises UsageError where one is no bound.

    ISO dates, ISO timestamps, or integers; `end` is not part of the window.
    """
    read = [_read(f"--{name}", text) for name, text in (("start", start), ("end", end)) if text]
    if len(read) == 2:
        (first, last) = read
        if isinstance(first, int) != isinstance(last, int):
            raise UsageError(f"--start {start} and --end {end} must both be dates or both be integers")
        if not first < last:  # type: ignore[operator]  # both are of one kind
            raise UsageError(f"--end {end} must come after --start {start}: the window is [start, end)")
    return start or "", end or ""


def _read(option: str, text: str) -> datetime | int:
    if text.lstrip("+-").isdecimal() and len(text) < 20:
        return int(text)
    try:
        moment = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
    except ValueError:
        raise UsageError(
            f"{option} {text!r} is not a date: write 2024-01-31, or 2024-01-31T06:00:00"
        ) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)
