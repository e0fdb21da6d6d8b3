"""The documentation shows what the program prints: rule pages, and the checker on the demo's project."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from backfill_safety.cli import main

ROOT = Path(__file__).parents[3]
SHOWN = re.compile(
    r"(<!-- check: start -->\n```\w*\n\$ backfill-safety (?P<command>[^\n]+)\n).*?(```\n<!-- check: end -->\n)",
    re.DOTALL,
)


def test_rule_pages_are_the_rules_own() -> None:
    spec = importlib.util.spec_from_file_location("rule_pages", ROOT / "tools" / "rule_pages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    there = {file.name: file.read_text(encoding="utf-8") for file in module.FOLDER.glob("*.md")}
    assert there == module.pages(), "run tools/rule_pages.py"


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    """A manifest of the demo's project, by dbt itself."""
    dbt = shutil.which("dbt", path=str(Path(sys.executable).parent))
    if dbt is None:
        pytest.skip("needs dbt to parse the demo's project")
    for name in ("models", "dbt_project.yml", "profiles.yml"):
        source = ROOT / "demo" / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, tmp_path / name)
    (tmp_path / "packages.yml").write_text(f"packages:\n  - local: {ROOT}\n")
    packages = tmp_path / ".work" / "dbt_packages"
    packages.mkdir(parents=True)
    (packages / "backfill_safety").symlink_to(ROOT)  # as `dbt deps` does
    quiet = {**os.environ, "DBT_SEND_ANONYMOUS_USAGE_STATS": "false"}
    subprocess.run([dbt, "-q", "parse", "--profiles-dir", "."], cwd=tmp_path, env=quiet, check=True)
    return tmp_path


def test_the_pages_show_the_demos_findings(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One test for both pages: what it costs is dbt's parsing of the demo."""
    monkeypatch.chdir(demo)

    def printed(match: re.Match[str]) -> str:
        result = CliRunner().invoke(main, [*shlex.split(match["command"]), "--no-cache"])
        assert result.exit_code == 0, result.output
        return f"{match[1]}{result.stdout.rstrip()}\n{match[3]}"

    for name in ("README.md", "ci.md"):
        page = ROOT / "docs" / "checker" / name
        text = page.read_text(encoding="utf-8")
        assert SHOWN.search(text), name
        fresh = SHOWN.sub(printed, text)
        if os.environ.get("UPDATE_SNAPSHOTS"):
            page.write_text(fresh, encoding="utf-8", newline="\n")
        assert page.read_text(encoding="utf-8") == fresh
