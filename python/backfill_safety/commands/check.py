"""`backfill-safety check`."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from backfill_safety.audit.run import Asked, Outcome
    from backfill_safety.manifest import Manifest

FORMATS = ("text", "markdown", "json", "sarif", "github", "junit")
FINDINGS, NOTHING_CHECKED = 1, 4
WIDEST = 160
A_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("manifest", type=click.Path(path_type=Path), default=Path("target/manifest.json"))
@click.argument("files", type=click.Path(path_type=Path), nargs=-1)
@click.option(
    "-s", "--select", multiple=True, help="Models to check, in dbt's syntax: names, tag:, path:, package:."
)
@click.option("--exclude", multiple=True, help="Models to leave out, in the same syntax.")
@click.option("--format", "format_name", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("-o", "--output", type=A_FILE, help="Write the report to this file.")
@click.option(
    "--fail-on",
    type=click.Choice(["block", "warn", "info", "never"]),
    help="Severity of exit status 1. [default: block]",
)
@click.option("--start", help="First day of a planned backfill: judge the models' own run over that window.")
@click.option("--end", help="Day after the last one of the planned backfill.")
@click.option("--vars", "given", help="Vars as JSON or YAML, as for dbt; the models are judged under them.")
@click.option(
    "--project-dir", type=click.Path(path_type=Path), help="Folder of dbt_project.yml, for its vars."
)
@click.option("--adapter", help="Read the SQL as this adapter's, where the manifest was parsed with another.")
@click.option("--state", type=A_FILE, help="A previous manifest: report only what has been added since.")
@click.option("--baseline", type=A_FILE, help="Findings that are known already and not reported.")
@click.option(
    "--write-baseline", type=A_FILE, help="Write all findings of this run as a baseline, and succeed."
)
@click.option(
    "--config", type=A_FILE, help="Settings file. [default: backfill-safety.toml or pyproject.toml]"
)
@click.option("--no-cache", is_flag=True, help="Judge everything anew, and remember nothing.")
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:
    """Tell which models could not be reprocessed safely, and why.

    MANIFEST is dbt's manifest.json; `dbt parse` writes it. With FILES, only their models are checked: model
    files, properties files, and macro files with the models that call them.
    """
    from backfill_safety.audit.baseline import write_baseline
    from backfill_safety.audit.run import run
    from backfill_safety.report.formats import render
    from backfill_safety.report.progress import progress

    asked = _asked(options)
    with progress("checking models") as tell:
        outcome = run(asked, tell)
    _tell_adapter(outcome.manifest)
    text = render(outcome.document, options["format_name"], _width(options["output"]))
    _write(text, options["output"])
    if options["write_baseline"]:
        write_baseline(options["write_baseline"], outcome.findings)
    ctx.exit(_status(outcome, asked, baseline_written=bool(options["write_baseline"])))


def _asked(options: dict[str, Any]) -> Asked:
    """Options and settings together; an option comes before the setting of its name."""
    import msgspec

    from backfill_safety.audit.run import Asked
    from backfill_safety.settings.load import load_settings
    from backfill_safety.settings.project import read_vars
    from backfill_safety.settings.window import read_window

    manifest: Path = options["manifest"]
    near = manifest.parent if Path.cwd() in manifest.resolve().parents else Path()
    loaded = load_settings(options["config"], options["project_dir"] or near, _codes)
    settings = loaded.settings
    start, end = read_window(options["start"], options["end"])
    return Asked(
        manifest=manifest,
        settings=msgspec.structs.replace(settings, fail_on=options["fail_on"] or settings.fail_on),
        select=options["select"] or tuple(settings.select),
        exclude=(*options["exclude"], *settings.exclude),
        files=options["files"],
        adapter=options["adapter"] or settings.adapter,
        project=options["project_dir"],
        given=read_vars(options["given"]),
        start=start,
        end=end,
        state=options["state"],
        baseline=None if options["write_baseline"] else options["baseline"] or loaded.baseline,
        cached=not options["no_cache"],
    )


def _tell_adapter(manifest: Manifest) -> None:
    """An adapter that is not known, and one that did not parse the project, whose macros are then not in the manifest."""
    from backfill_safety.facts.adapters import known_adapters
    from backfill_safety.settings.errors import nearest
    from backfill_safety.terminal import note

    if manifest.adapter.lower() not in known_adapters():
        note(
            "Read as standard SQL, with dbt's default strategies: there is no known adapter "
            f"{manifest.adapter}{nearest(manifest.adapter.lower(), known_adapters())}"
        )
    if manifest.parsed_with and manifest.adapter != manifest.parsed_with:
        note(
            f"Read as {manifest.adapter}, but parsed with {manifest.parsed_with}: {manifest.adapter}'s own "
            "macros are not in the manifest, dbt's default ones stand in."
        )


def _codes() -> list[str]:
    from backfill_safety.checks.registry import RULES

    return list(RULES)


def _width(output: Path | None) -> int:
    """The terminal's width up to `WIDEST`; 80 columns for a pipe or a file."""
    if output is not None or not sys.stdout.isatty():
        return 80
    return min(shutil.get_terminal_size((80, 24)).columns, WIDEST)


def _write(text: str, output: Path | None) -> None:
    from backfill_safety.files import write_named
    from backfill_safety.settings.errors import UsageError

    if output is None:
        click.echo(text, nl=False)
        return
    try:
        write_named(output, text.encode("utf-8", "replace"))
    except OSError as error:
        raise UsageError(f"the report {output} cannot be written: {error.strerror}") from None


def _status(outcome: Outcome, asked: Asked, baseline_written: bool) -> int:
    """0, 1 or 4, as `--help` says."""
    from backfill_safety.audit.select import names_like
    from backfill_safety.terminal import note

    if outcome.document.failed and not baseline_written:
        return FINDINGS
    if outcome.document.subjects or (asked.files and not outcome.document.not_judged):
        return 0
    if not outcome.document.not_judged:
        hint = names_like(outcome.manifest, asked.select)
        what = (
            "no selected model is incremental" if asked.select else "the manifest holds no incremental model"
        )
        note(f"Nothing was checked: {what}{hint}")
    return NOTHING_CHECKED
