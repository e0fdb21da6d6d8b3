"""`backfill-safety init`."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("manifest", type=click.Path(path_type=Path), default=Path("target/manifest.json"))
@click.option("-s", "--select", multiple=True, help="Models, in dbt's syntax: names, tag:, path:, package:.")
@click.option("--exclude", multiple=True, help="Models to leave out, in the same syntax.")
@click.option("--project-dir", type=click.Path(path_type=Path), help="Folder of dbt_project.yml.")
@click.option("--vars", "given", help="Vars as JSON or YAML, as for dbt.")
@click.option("--adapter", help="Read the SQL as this adapter's, where the manifest was parsed with another.")
@click.option("--write", is_flag=True, help="Change the files, instead of showing what would change.")
def command(
    manifest: Path,
    select: tuple[str, ...],
    exclude: tuple[str, ...],
    project_dir: Path | None,
    given: str | None,
    adapter: str | None,
    write: bool,
) -> None:
    """Write `meta.backfill_safety` for every model whose SQL reveals it.

    Shows a diff of the properties files: column, grain, inputs and watermark, as far as they can be told.
    Read it, run it again with --write, and correct what you know better. What is there already stays.
    """
    from backfill_safety.files import write_whole
    from backfill_safety.init.run import propose_all
    from backfill_safety.settings.errors import UsageError
    from backfill_safety.settings.project import read_vars
    from backfill_safety.terminal import note

    result = propose_all(manifest, select, exclude, project_dir, read_vars(given), adapter)
    for change in result.changes:
        if not write:
            click.echo(change.diff(), nl=False)
            continue
        try:
            write_whole(result.root / change.path, change.after.encode())
        except OSError as error:
            raise UsageError(f"{change.path} cannot be written: {error.strerror}") from None
        click.echo(f"{'changed' if change.before is not None else 'made'} {change.path}")
    for line in result.notes:
        note(line)
