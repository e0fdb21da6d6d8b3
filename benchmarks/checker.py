"""The checker on a large manifest, beside dbt-bouncer and dbt-score on the same file; writes CHECKER.md.

    python benchmarks/checker.py [--plain PYTHON] [--beside PYTHON]

Needs the manifests that are not part of this repository: the folder is `$BACKFILL_SAFETY_SHARED`, or
`../shared`. The Python that runs this is measured as `[fast]` or plain by what is installed beside it;
`--plain` names a second one without sqlglotc, `--beside` one that has dbt-bouncer and dbt-score. What is
missing is said.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median

from measure import Measured, measure

ROOT = Path(__file__).parents[1]
SHARED = Path(os.environ.get("BACKFILL_SAFETY_SHARED", ROOT.parent / "shared"))
# The largest; the names end in the adapter whose SQL they hold.
MANIFEST = max((SHARED / "manifests").glob("*.json.gz"), key=lambda f: f.stat().st_size, default=Path())
ADAPTER = MANIFEST.name.partition(".")[0].rpartition("_")[2]
RUNS = int(os.environ.get("RUNS", "3"))
# Eight checks, three of which parse each model's SQL.
BOUNCER = """\
dbt_artifacts_dir: target
manifest_checks:
  - name: check_model_has_unique_test
  - name: check_model_description_populated
  - name: check_model_incremental_has_unique_key
  - name: check_model_has_semi_colon
  - {name: check_model_max_number_of_lines, max_number_of_lines: 300}
  - name: check_model_does_not_use_select_star
  - name: check_model_does_not_use_cartesian_join
  - name: check_model_hard_coded_references
"""
Row = tuple[str, str, str, str, str]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--plain", type=Path, help="another Python with this project and without sqlglotc")
    options.add_argument("--beside", type=Path, help="a Python with dbt-bouncer and dbt-score")
    given = options.parse_args()
    if not MANIFEST.is_file():
        print(f"skipped: there is no {SHARED / 'manifests'} (set BACKFILL_SAFETY_SHARED)")
        return
    with tempfile.TemporaryDirectory() as folder:
        rows = _rows(Path(folder), given)
    text = _page(rows, given)
    print(text)
    (ROOT / "benchmarks" / "CHECKER.md").write_text(text, encoding="utf-8")


def _rows(folder: Path, given: argparse.Namespace) -> list[Row]:
    target = folder / "target"
    target.mkdir()
    content = json.loads(gzip.decompress(MANIFEST.read_bytes()))
    whole = target / "manifest.json"
    whole.write_text(json.dumps(content))
    rows = [*_checker(Path(sys.executable), folder, content)]
    if given.plain:
        rows += _checker(given.plain, folder, content)
    if given.beside:
        (folder / "dbt-bouncer.yml").write_text(BOUNCER)
        rows += _beside(given.beside, "dbt-bouncer", "run", folder, "8 checks, 3 of which parse SQL")
        rows += _beside(
            given.beside,
            "dbt-score",
            "lint --manifest target/manifest.json",
            folder,
            "its own rules, none reads SQL",
        )
    return rows


def _checker(python: Path, folder: Path, content: dict) -> list[Row]:
    """First run, second run, after one changed model, at a half and a quarter of the models, and `--help`."""
    name = f"backfill-safety{'[fast]' if _version(python, 'sqlglotc') else ''}"
    program = str(python.with_name("backfill-safety"))
    check = [
        program,
        "check",
        "target/manifest.json",
        "--adapter",
        ADAPTER,
        "--format",
        "json",
        "-o",
        "report.json",
    ]
    manifest = folder / "target" / "manifest.json"

    def cold() -> None:
        (folder / "target" / ".backfill_safety_cache").unlink(missing_ok=True)

    def run(what: str, command: list[str], before: Callable[[], None] = lambda: None) -> Row:
        return _row(name, what, command, folder, before)

    rows = [run("first run, all models", check, cold), run("second run, nothing changed", check)]
    _write(manifest, content, 1, edit=True)
    rows.append(_row(name, "one model changed", check, folder, lambda: None, runs=1))
    for share in (2, 4):
        _write(manifest, content, share)
        rows.append(run(f"first run, 1/{share} of the models", check, cold))
    _write(manifest, content, 1)
    return [*rows, run("--help", [program, "--help"])]


def _write(manifest: Path, content: dict, share: int, edit: bool = False) -> None:
    """The manifest with every `share`-th of its incremental models, or with one of them edited."""
    nodes = content["nodes"]
    incremental = sorted(
        i for i, n in nodes.items() if n.get("config", {}).get("materialized") == "incremental"
    )
    dropped = {model for number, model in enumerate(incremental) if number % share}
    kept = {i: n for i, n in nodes.items() if i not in dropped}
    if edit:
        last = incremental[-1]
        kept[last] = {**kept[last], "raw_code": kept[last]["raw_code"] + "\n-- edited"}
    manifest.write_text(json.dumps({**content, "nodes": kept}))


def _beside(python: Path, name: str, arguments: str, folder: Path, what: str) -> list[Row]:
    program = python.with_name(name)
    if not program.exists():
        return [(name, "not installed", "–", "–", "–")]
    return [_row(name, what, [str(program), *arguments.split()], folder, lambda: None)]


def _row(
    name: str, what: str, command: list[str], folder: Path, before: Callable[[], None], runs: int = RUNS
) -> Row:
    measured: list[Measured] = []
    for _ in range(runs):
        before()
        measured.append(measure(command, folder))
    if measured[0].status not in (0, 1):
        sys.exit(f"{' '.join(command)} ended with {measured[0].status}:\n{measured[0].output[-2000:]}")
    seconds, cpu = median(m.seconds for m in measured), median(m.cpu_seconds for m in measured)
    return name, what, f"{seconds:.2f}", f"{cpu:.2f}", f"{max(m.mebibytes for m in measured):.0f}"


def _page(rows: list[Row], given: argparse.Namespace) -> str:
    told = ["# The checker on a large manifest", ""]
    told += [
        "A manifest of 70 MB with 1,336 incremental models of 2,299, parsed from a public project; the median",
        f"of {RUNS} run(s), memory of all processes together, shared pages once. `python benchmarks/checker.py`",
        "makes this page.",
        "",
        "| program | what | seconds | processor seconds | peak MiB |",
        "|---|---|---|---|---|",
        *(f"| {' | '.join(row)} |" for row in rows),
        "",
        f"Python {platform.python_version()}, {len(os.sched_getaffinity(0))} cores, load {os.getloadavg()[1]:.0f} (other programs",
        f"were running where it is above the number of cores: then the processor seconds tell more). {_versions(given)}.",
        "",
        "dbt-bouncer's three checks that read SQL parse each model's own text with its Jinja blanked out, and",
        "dbt-score's rules read descriptions and tests. Neither renders a model, so the times do not measure the",
        "same work; they tell what a step of the same CI job costs.",
    ]
    return "\n".join(told) + "\n"


def _versions(given: argparse.Namespace) -> str:
    wanted = [(Path(sys.executable), ("dbt-backfill-safety", "sqlglot", "sqlglotc", "jinja2", "msgspec"))]
    if given.beside:
        wanted.append((given.beside, ("dbt-bouncer", "dbt-score")))
    found = [(package, _version(python, package)) for python, packages in wanted for package in packages]
    return ", ".join(f"{package} {version}" for package, version in found if version)


def _version(python: Path, package: str) -> str:
    code = f"from importlib.metadata import version as v; print(v({package!r}))"
    told = subprocess.run([python, "-c", code], capture_output=True, text=True)
    return told.stdout.strip()


if __name__ == "__main__":
    if shutil.which("sh") is None or not Path("/proc/self/smaps_rollup").exists():
        sys.exit("skipped: memory is measured on Linux only")
    main()
