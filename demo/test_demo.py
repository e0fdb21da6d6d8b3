"""The demo passes, tells everything, and prints what the README shows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import readme

DEMO = Path(__file__).parent


def test_the_demo_holds_and_the_readme_shows_it(capsys: pytest.CaptureFixture[str]) -> None:
    # One test, since the demo is run once and tests are spread over processes.
    demo = subprocess.run([sys.executable, DEMO / "run.py"], capture_output=True, text=True, check=False)
    printed = demo.stdout + demo.stderr
    assert demo.returncode == 0, printed

    ending = re.search(r"^(\d+) of (\d+) claims hold, in (\d+) s\.$", printed, re.MULTILINE)
    assert ending, printed
    assert ending[1] == ending[2]
    assert int(ending[2]) >= 14
    assert re.findall(r"^(\d)  ", printed, re.MULTILINE) == ["1", "2", "3", "4", "5", "6"]

    status = readme.main(["--check"])
    assert status == 0, capsys.readouterr().out
