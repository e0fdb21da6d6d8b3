"""No name or text of a manifest moves the cursor of the terminal that shows what was told of it."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from small_manifest import node, text

TRICKS = ("\x1b[31m", "\x9b", "\u202e")
"""A bar that is drawn after a second has escapes of its own, but none of these."""
EVIL = "a" + "".join(TRICKS) + "2Jb"


def _shown(tmp_path: Path, manifest: bytes, *command: str) -> str:
    """What a terminal gets, both streams."""
    (tmp_path / "manifest.json").write_bytes(manifest)
    ours, theirs = pty.openpty()
    code = "import sys; from backfill_safety.cli import main; main(sys.argv[1:])"
    with subprocess.Popen(
        [sys.executable, "-c", code, *command], cwd=tmp_path, stdin=theirs, stdout=theirs, stderr=theirs,
        env={**os.environ, "NO_COLOR": "1", "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)},
    ) as process:  # fmt: skip
        os.close(theirs)
        told = b""
        while True:
            try:
                told += os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
        process.wait()
    os.close(ours)
    return told.decode("utf-8", "replace")


COMMANDS = {
    "a finding": (node(EVIL, "select 1 as id"), ("check", "manifest.json", "--no-cache")),
    "a finding as JSON": (
        node(EVIL, "select 1 as id"),
        ("check", "manifest.json", "--no-cache", "--format", "json"),
    ),
    "a node that is none": ({**node(EVIL, ""), "raw_code": 5}, ("check", "manifest.json")),
    "a template that fails": (
        node("m", "{{ exceptions.raise_compiler_error('" + EVIL + "') }}"),
        ("render", "m", "--manifest", "manifest.json"),
    ),
    "a query": (node("m", f"select 1 as id -- {EVIL}"), ("render", "m", "--manifest", "manifest.json")),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_moves_the_cursor(name: str, tmp_path: Path) -> None:
    model, command = COMMANDS[name]
    told = _shown(tmp_path, text(model), *command)
    assert told.strip()
    assert not any(trick in told for trick in TRICKS)


def test_an_unknown_adapter_is_named_without_its_tricks(tmp_path: Path) -> None:
    odd = text(node("m", "select 1 as id"), adapter_type=EVIL)
    told = _shown(tmp_path, odd, "check", "manifest.json", "--no-cache")
    assert "there is no known adapter" in told
    assert not any(trick in told for trick in TRICKS)
