"""`backfill-safety explain CODE`."""

from __future__ import annotations

import click


@click.command()
@click.argument("code")
def command(code: str) -> None:
    """Explain a rule: what it finds, why it is bad, an example, and what to write instead.

    CODE is a code such as BF204, or a rule's name.
    """
    from backfill_safety.checks.registry import RULES
    from backfill_safety.report.clean import one_line
    from backfill_safety.report.rule_page import page
    from backfill_safety.settings.errors import UsageError, nearest

    wanted = code.strip().lower().replace("_", "-")
    found = next((r for r in RULES.values() if wanted in (r.code.lower(), r.name.replace("_", "-"))), None)
    if found is None:
        names = [*RULES, *(r.name.replace("_", "-") for r in RULES.values())]
        looks_like = code.strip().upper().translate(str.maketrans("OIL", "011"))
        hint = nearest(looks_like, RULES) or nearest(wanted, names)
        raise UsageError(f"there is no rule {one_line(code)!r}{hint or '; backfill-safety rules lists them'}")
    click.echo(page(found), nl=False)
