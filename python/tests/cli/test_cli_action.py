"""The GitHub Action and the pre-commit hook: what they pass on, and that none of it runs as code."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from backfill_safety.commands.check import command

ROOT = Path(__file__).parents[3]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
OPTIONS = {option for parameter in command.params for option in parameter.opts}


def test_no_input_is_written_into_a_script() -> None:
    for step in STEPS:
        assert "${{" not in step["run"]
    used = {
        name
        for step in STEPS
        for value in step["env"].values()
        for name in re.findall(r"inputs\.([\w-]+)", value)
    }
    assert used == set(ACTION["inputs"])


def test_every_option_that_is_passed_exists() -> None:
    passed = set(re.findall(r"--[a-z][a-z-]+", STEPS[1]["run"]))
    assert passed - {"--quiet"} <= OPTIONS


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize("status", [0, 1, 3])
def test_arguments_arrive_whole(tmp_path: Path, status: int) -> None:
    program = tmp_path / "backfill-safety" / "bin" / "backfill-safety"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" ARGS "$@" >> "{tmp_path}/seen"\nexit {status}\n')
    program.chmod(0o755)
    nasty = "$(touch pwned) `touch pwned`\"; touch pwned; '--output x"
    given = dict.fromkeys(STEPS[1]["env"], nasty) | {
        "FORMAT": "github", "FAIL_ON": "warn", "OUTPUT": "", "BASELINE": "", "SUMMARY": "true",
    }  # fmt: skip
    for file in ("output", "summary"):
        (tmp_path / file).write_text("")
    environment = {
        "PATH": os.environ["PATH"],
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
        **given,
    }
    told = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", STEPS[1]["run"]], env=environment, cwd=tmp_path
    )
    assert told.returncode == status
    assert (tmp_path / "output").read_text() == f"status={status}\n"
    assert not (tmp_path / "pwned").exists()
    calls = [call.strip().split("\n") for call in (tmp_path / "seen").read_text().split("ARGS\n")[1:]]
    options = [
        f"--{name}={nasty}"
        for name in ("select", "exclude", "state", "config", "project-dir", "adapter", "vars")
    ]
    assert calls[0] == ["check", *options, "--format=github", "--fail-on=warn", "--", nasty]
    assert len(calls) == (2 if status <= 1 else 1)


def test_the_hook_runs_a_command_that_exists() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert hook["entry"] == "backfill-safety check"
    assert [p.name for p in command.params if p.param_type_name == "argument"] == ["manifest", "files"]
    assert re.search(hook["files"], "models/orders.sql")
