"""Windows that a select names at its end: `sum(n) over w … window w as (partition by k order by at)`."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

_PARTS = ("partition_by", "order", "spec")


def spell_out(selects: Iterable[exp.Expr]) -> None:
    """Give every window that goes by a name what stands behind it, in place; what it says itself stays."""
    for select in selects:
        named = {window.name.lower(): window for window in select.args.get("windows") or ()}
        if not named:
            continue
        for window in select.find_all(exp.Window):
            seen: set[str] = set()
            base = _base(window)
            while base in named and base not in seen:
                seen.add(base)
                behind = named[base]
                for part in _PARTS:
                    kept = behind.args.get(part)
                    if kept and not window.args.get(part):
                        window.set(part, [p.copy() for p in kept] if isinstance(kept, list) else kept.copy())
                base = _base(behind)


def _base(window: exp.Expr) -> str:
    """The name that a window builds on, "" for none."""
    alias = window.args.get("alias")
    return alias.name.lower() if alias is not None else ""
