"""A window somebody wants to run the model over."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from msgspec import Struct

from .grain import Grain, boundary_of


class Request(Struct, frozen=True, kw_only=True):
    """The model's own run over `[start, end)`, under these vars.

    start, end: ISO dates or timestamps, "" when not given. vars: as given on the command line.
    """

    start: str = ""
    end: str = ""
    vars: dict[str, object] = {}

    @property
    def windowed(self) -> bool:
        return bool(self.start or self.end)

    @property
    def text(self) -> str:
        """`2024-01-01 to 2024-01-08`."""
        return f"{self.start or 'the beginning'} to {self.end or 'now'}"

    @property
    def grain(self) -> Grain | None:
        """The grain on whose boundaries both ends lie; None when they are not dates."""
        grains = [boundary_of(text) for text in (self.start, self.end) if text]
        known = [g for g in grains if g is not None]
        return min(known) if len(known) == len(grains) and known else None

    def older_than(self, days: float, today: date) -> bool:
        """Whether the window begins more than `days` before `today`."""
        begin = _date(self.start)
        return begin is not None and begin < today - timedelta(days=days)


def _date(text: str) -> date | None:
    try:
        return datetime.fromisoformat(text.strip().replace("Z", "+00:00")).date()
    except ValueError:
        return None
