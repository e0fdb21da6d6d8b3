"""What a command tells beside its report. It may hold a stranger's names: no control character of theirs reaches the terminal."""

from __future__ import annotations

import sys

import click

from backfill_safety.report.clean import plain


def note(text: str) -> None:
    """A line on standard error."""
    click.echo(plain(text), err=True)


def show(text: str) -> None:
    """Text on standard output, as it is where a program reads it."""
    click.echo(plain(text) if sys.stdout.isatty() else text)
