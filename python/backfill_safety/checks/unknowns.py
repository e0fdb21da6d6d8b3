"""What keeps a model from being judged though its SQL could be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backfill_safety.facts.types import Kind, Verb, from_below

if TYPE_CHECKING:
    from backfill_safety.facts.model import ModelFacts


def unknown_reason(facts: ModelFacts, decided: bool) -> str | None:
    """Why the model is judged only in part; None when all that matters is known.

    A var without a value inside a bound is no gap: that the bound hangs on a var is what is asked. One that decides which SQL there is
    leaves the other forms unread, unless it has been seen that they are bounded alike (`decided`).
    """
    deciding = sorted(
        {
            mark.name
            for mark in facts.rendering.marks
            if mark.unknown and mark.tested and mark.kind in ("var", "env_var")
        }
    )
    if deciding and not decided:
        one = len(deciding) == 1
        names = ", ".join(f"`{name}`" for name in deciding)
        return f"{names} {'has' if one else 'have'} no value and decide{'s' if one else ''} which SQL is rendered"
    for hook in (*facts.rendering.pre_hooks, *facts.rendering.post_hooks):
        if hook.sql is None:
            return f"its hook `{hook.raw[:80]}` does not render: {hook.error}"
    unread = [write.text for write in facts.hook_writes if write.verb is Verb.UNKNOWN]
    if unread:
        return f"its hook `{unread[0][:80]}` does not parse"
    for arm in facts.arms:
        if arm.unknown and not from_below(arm):
            return arm.unknown
        unknown = [b for b in arm.bounds if b.kinds == {Kind.UNKNOWN}]
        if unknown and not any(b.kinds - {Kind.UNKNOWN, Kind.LITERAL} for b in arm.lower):
            return f"what bounds `{unknown[0].column}` is only known in the warehouse"
    return None
