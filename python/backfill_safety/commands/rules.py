"""`backfill-safety rules`."""

from __future__ import annotations

import click


@click.command()
@click.option(
    "--format", "format_name", type=click.Choice(["text", "json"]), default="text", show_default=True
)
def command(format_name: str) -> None:
    """List every rule: code, usual severity, where it applies, and what it finds."""
    from backfill_safety.report.rule_list import as_json, as_text

    click.echo((as_json if format_name == "json" else as_text)(), nl=False)
