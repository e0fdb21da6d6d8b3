"""Takes one guard after another out of the macros and shows that some test then turns red: `make mutants`.

`tools/mutants.yml` lists them: what is taken out, a replacement of text in one macro file, and the tests that must notice. The package
is copied, changed there, and those tests alone are run against the copy. Writes the table in docs/mutants.md. Exit status 1 when
a mutation survives, or when its text is not found exactly once.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import yaml  # type: ignore[import-untyped]

ROOT = Path(__file__).parent.parent
LIST = ROOT / "tools" / "mutants.yml"
TABLE = ROOT / "docs" / "mutants.md"
TESTS = ROOT / "integration_tests" / "tests"

HEAD = """# Mutants

Each line is a guard that was taken out of the macros, in a copy of them, and a test that turned red by it. `make mutants` makes
this table anew; a mutation that no test notices ends it with an error.

| # | Check | Taken out | In | Noticed by |
|---|-------|-----------|----|------------|
"""


@dataclass(frozen=True)
class Mutant:
    """One guard taken out: `old` becomes `new` in the macro file; `tests` are pytest node ids below integration_tests/tests."""

    guard: str
    check: str
    file: str
    old: str
    new: str
    tests: list[str]


def read_list() -> list[Mutant]:
    """The committed mutants; raises ValueError where a text does not stand exactly once in its file."""
    mutants = [Mutant(**item) for item in yaml.safe_load(LIST.read_text(encoding="utf-8"))]
    for mutant in mutants:
        count = (ROOT / "macros" / mutant.file).read_text(encoding="utf-8").count(mutant.old)
        if count != 1:
            raise ValueError(
                f"{mutant.guard}: its text stands {count} times in macros/{mutant.file}, not once"
            )
    return mutants


def pytest(folder: Path, package: Path, built: Path | None, tests: list[str]) -> tuple[int, str]:
    """Run tests against a package; returns pytest's exit status and what it printed."""
    environment = {**os.environ, "BACKFILL_SAFETY_PACKAGE": str(package)}
    if built:
        environment["BACKFILL_SAFETY_BUILT"] = str(built)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "--no-header",
        "--tb=no",
        "-p",
        "no:cacheprovider",
        f"--basetemp={folder}",
    ]
    ended = subprocess.run(
        [*command, *(str(TESTS / test) for test in tests)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return ended.returncode, ended.stdout


def mutated(mutant: Mutant, folder: Path) -> Path:
    """A copy of the package without the guard."""
    shutil.copytree(ROOT / "macros", folder / "macros")
    shutil.copy(ROOT / "dbt_project.yml", folder)
    file = folder / "macros" / mutant.file
    file.write_text(file.read_text(encoding="utf-8").replace(mutant.old, mutant.new), encoding="utf-8")
    return folder


def noticed_by(printed: str) -> str:
    """The first test that failed, as pytest names it; empty where none did."""
    failed = [
        line.split(" ", 1)[1].partition(" - ")[0]
        for line in printed.splitlines()
        if line.startswith(("FAILED ", "ERROR "))
    ]
    return failed[0].removeprefix("integration_tests/tests/") if failed else ""


def judged(item: tuple[int, Mutant], folder: Path) -> tuple[int, str, str]:
    """Run one mutant: (its number, the test that noticed or nothing, its line of the table)."""
    number, mutant = item
    began = time.monotonic()
    package = mutated(mutant, folder / f"package{number}")
    status, printed = pytest(folder / f"tests{number}", package, folder / "whole" / "shop", mutant.tests)
    killer = noticed_by(printed) if status == 1 else ""
    print(
        f"{number:3} {'killed' if killer else 'ALIVE '} {mutant.guard} ({time.monotonic() - began:.0f} s)",
        flush=True,
    )
    if not killer:
        print(printed)
    shutil.rmtree(folder / f"tests{number}", ignore_errors=True)
    by = f"`{killer}`" if killer else "nothing"
    return number, killer, f"| {number} | {mutant.check} | {mutant.guard} | `{mutant.file}` | {by} |"


def main(arguments: list[str]) -> int:
    """Run all mutants, or those whose guard holds one of the given words."""
    mutants = [m for m in read_list() if not arguments or any(word in m.guard for word in arguments)]
    rows: list[str] = []
    survivors: list[int] = []
    with tempfile.TemporaryDirectory(prefix="mutants") as scratch:
        folder = Path(scratch)
        needed = sorted({test for mutant in mutants for test in mutant.tests})
        print(f"{len(mutants)} mutants; first the {len(needed)} tests without any of them", flush=True)
        status, printed = pytest(folder / "whole", ROOT, None, needed)
        if status != 0:
            print(printed)
            return 1
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for number, killer, row in pool.map(
                lambda item: judged(item, folder), enumerate(mutants, start=1)
            ):
                rows.append(row)
                if not killer:
                    survivors.append(number)
    if not arguments:
        TABLE.parent.mkdir(exist_ok=True)
        TABLE.write_text(HEAD + "\n".join(rows) + "\n", encoding="utf-8")
    print(f"{len(mutants) - len(survivors)} of {len(mutants)} mutants were noticed")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
