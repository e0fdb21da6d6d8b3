"""`backfill-safety render`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from backfill_safety.render import Rendering

NOT_RENDERED = 1


@click.command()
@click.argument("model")
@click.option(
    "--branch",
    type=click.Choice(["first", "live"]),
    default="first",
    show_default=True,
    help="As a full refresh builds it, or as a scheduled run does.",
)
@click.option(
    "--manifest", type=click.Path(path_type=Path), default=Path("target/manifest.json"), show_default=True
)
@click.option("--adapter", help="Read the SQL as this adapter's, where the manifest was parsed with another.")
@click.option("--vars", "given", help="Vars as JSON or YAML, as for dbt.")
@click.option(
    "--project-dir", type=click.Path(path_type=Path), help="Folder of dbt_project.yml, for its vars."
)
@click.option("--marked", is_flag=True, help="Show marks in place of values from vars and the clock.")
@click.option(
    "--format",
    "format_name",
    type=click.Choice(["sql", "json"]),
    default="sql",
    show_default=True,
    help="The SQL alone, or with all that is known about it.",
)
@click.pass_context
def command(ctx: click.Context, /, model: str, branch: Any, manifest: Path, **options: Any) -> None:
    """Show the SQL that the checker judges, from the manifest alone.

    MODEL is a name, package.name or unique id. A value that only the warehouse or the command line knows
    stands as a mark, such as __query_1__ or __var_start_date__. Exit status 1: the model cannot be
    rendered.
    """
    from backfill_safety.manifest import read_manifest
    from backfill_safety.render import Renderer, read_project
    from backfill_safety.settings.project import project_folder, read_vars
    from backfill_safety.terminal import note, show

    known = read_manifest(manifest, options["adapter"])
    folder = project_folder(options["project_dir"], manifest, known.project_name)
    renderer = Renderer(known, read_vars(options["given"]), read_project(folder))
    rendering = renderer.render(known.find(model), branch)
    if options["format_name"] == "json":
        show(_json(rendering))
    elif rendering.error is None:
        show(rendering.marked if options["marked"] else rendering.sql)
    else:
        at = f", line {rendering.error_line}" if rendering.error_line else ""
        note(f"{rendering.unique_id} cannot be rendered{at}: {rendering.error}")
    ctx.exit(0 if rendering.error is None else NOT_RENDERED)


def _json(rendering: Rendering) -> str:
    import msgspec

    def plain(value: Any) -> Any:
        return sorted(value) if isinstance(value, (set, frozenset)) else str(value)

    return msgspec.json.format(msgspec.json.encode(rendering, enc_hook=plain), indent=2).decode(
        "utf-8", "replace"
    )
