"""A window somebody wants to run the model over."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from msgspec import Struct

from .grain import Grain, boundary_of, may_begin_week


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

    def cuts(self, unit: Grain) -> bool:
        """Whether an end lies within such a unit; nothing is said where one is no date."""
        ends = [text for text in (self.start, self.end) if text]
        grains = [boundary_of(text) for text in ends]
        if None in grains:
            return False
        return any(
            grain is not None
            and not grain.lies_on(unit)
            and not (unit is Grain.WEEK and may_begin_week(text))
            for text, grain in zip(ends, grains, strict=True)
        )

    def older_than(self, days: float, today: date) -> bool:
        """Whether the window begins more than `days` before `today`."""
        begin = _date(self.start)
        return begin is not None and begin < today - timedelta(days=days)


def _date(text: str) -> date | None:
    try:
        return datetime.fromisoformat(text.strip().replace("Z", "+00:00")).date()
    except ValueError:
        return None
