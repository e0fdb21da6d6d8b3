"""Commands that are killed before one write after another and go on by the same call, where engines have no transactions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from shop import Ended

MOST = 60


class Mortal(Protocol):
    """What a shop must be able to do here: a dead run's lease ends at once."""

    def expire_leases(self) -> None: ...


def killed_until_it_ends(
    shop: Mortal,
    command: Callable[[int], Ended],
    look: Callable[[], None],
    is_begun: Callable[[], bool] = lambda: True,
) -> int:
    """Run a command that is killed before its first write, then before its second, …; how often until it came to its end.

    look: what must hold after every kill. is_begun: whether a run goes on from where it was; as soon as it does, it is killed
    before its first write again.
    """
    writes, was_begun = 0, is_begun()
    for kills in range(MOST):
        ended = command(writes)
        look()
        # an undo that was killed after its last word has nothing left to do
        if ended.status == 0 or "has no finished unit that could be undone" in ended.error:
            return kills
        assert ended.status == -9, ended.printed
        shop.expire_leases()
        writes, was_begun = (writes + 1, was_begun) if was_begun or not is_begun() else (0, True)
    raise AssertionError(f"it has not come to its end after {MOST} kills")


def old_or_new(now: Mapping[Any, Any], old: Mapping[Any, Any], new: Mapping[Any, Any]) -> None:
    """Each unit holds its old rows or its new ones, whole."""
    assert all(now[unit] in (old[unit], new[unit]) for unit in old), now


def kept_or_there(now: Mapping[Any, Any], old: Mapping[Any, Any], backup: Mapping[Any, Any]) -> None:
    """Each unit's old rows are in the table or in the backup."""
    assert all(old[unit] in (now[unit], backup[unit]) for unit in old), backup
