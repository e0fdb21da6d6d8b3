"""`backfill-safety`: finds its commands, and turns what went wrong into one line and an exit status."""

from __future__ import annotations

import sys
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import click

from backfill_safety import commands


class Usage(click.ClickException):
    """One line on standard error, exit status 2."""

    exit_code = 2


class Unreadable(click.ClickException):
    """One line on standard error, exit status 3."""

    exit_code = 3


class Commands(click.Group):
    """Imports a command's module only when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        return sorted(module.name for module in iter_modules(commands.__path__))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = import_module(f"backfill_safety.commands.{cmd_name}").command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            raise _told(error) from error


def _told(error: Exception) -> Exception:
    """The user's mistakes as click tells them; any other exception as it is."""
    from backfill_safety.manifest.errors import ManifestError, SelectionError
    from backfill_safety.report.clean import plain
    from backfill_safety.settings.errors import UsageError

    if isinstance(error, ManifestError):
        return Unreadable(plain(str(error)))
    if isinstance(error, UsageError | SelectionError):
        return Usage(plain(str(error)))
    return error


@click.command(
    cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(package_name="dbt-backfill-safety", prog_name="backfill-safety")
def main() -> None:
    """Find what makes dbt models unsafe to reprocess, from the manifest alone.

    Exit status: 0 nothing found at or above --fail-on, 1 findings, 2 wrong usage or settings, 3 the manifest
    is missing or unreadable, 4 nothing was checked.
    """
    for stream in (sys.stdout, sys.stderr):
        # A log that cannot show 🔴 gets a question mark, not a traceback.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
