"""Starts an emulator, and speaks to it and to the dbt of its environment. An emulator is a program of other people that answers in the
words of a warehouse, over DuckDB: what runs here has not run on the warehouse."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest
from shop import PACKAGE, Ended

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
BIN = Path(os.environ.get("BACKFILL_SAFETY_EMULATORS", ROOT / ".venv-emulators")) / "bin"

# One question a line as JSON, one answer a line; run by the environment that has the warehouse's own client.
_SNOWFLAKE_CLIENT = """
import json, sys
import snowflake.connector
connection = snowflake.connector.connect(
    user="e", password="e", account="emulated", host="localhost", port=int(sys.argv[1]), protocol="http",
    session_parameters={"CLIENT_OUT_OF_BAND_TELEMETRY_ENABLED": False},
)
for line in sys.stdin:
    try:
        rows = [list(row) for row in connection.cursor().execute(json.loads(line)).fetchall()]
        print(json.dumps({"rows": rows}, default=str), flush=True)
    except Exception as error:
        print(json.dumps({"error": str(error)}), flush=True)
"""


class RefusedError(Exception):
    """What an emulator says when it does not take a statement."""


class Emulator:
    """A running emulator; `sql` gives the rows of a statement as texts."""

    def __init__(self, name: str, command: list[str]) -> None:
        self.name = name
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        program = BIN / command[0]
        if not program.exists():
            pytest.skip(
                f"the emulator of {name} is not installed: requirements/emulators.txt, make emulators"
            )
        self._server = subprocess.Popen(
            [program, *command[1:], str(self.port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._client: subprocess.Popen[str] | None = None

    def __enter__(self) -> Emulator:
        for _ in range(300):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return self
            time.sleep(0.1)
        raise RuntimeError(f"the emulator of {self.name} did not start in half a minute")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in (self._client, self._server):
            if process:
                process.kill()
                process.wait()
                for pipe in (process.stdin, process.stdout):
                    if pipe:
                        pipe.close()

    def sql(self, text: str) -> list[list[Any]]:
        """Run a statement; raises RefusedError."""
        return self._by_http(text) if self.name == "bigquery" else self._by_client(text)

    def _by_http(self, text: str) -> list[list[Any]]:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/bigquery/v2/projects/shop/queries",
            data=json.dumps({"query": text, "useLegacySql": False}).encode(),
            headers={"content-type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 - on loopback
                rows = json.load(answer).get("rows", [])
        except urllib.error.HTTPError as error:
            with error:
                raise RefusedError(json.load(error)["error"]["message"]) from None
        return [[field["v"] for field in row["f"]] for row in rows]

    def _by_client(self, text: str) -> list[list[Any]]:
        if self._client is None:
            self._client = subprocess.Popen(
                [BIN / "python", "-c", _SNOWFLAKE_CLIENT, str(self.port)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        assert self._client.stdin
        assert self._client.stdout
        self._client.stdin.write(json.dumps(text) + "\n")
        self._client.stdin.flush()
        answer = json.loads(self._client.stdout.readline())
        if "error" in answer:
            raise RefusedError(answer["error"])
        rows: list[list[Any]] = answer["rows"]
        return rows


def copied_project(folder: Path) -> Path:
    """The project beside this file, with the package that is to be tested."""
    shutil.copytree(HERE / "project", folder)
    packages = folder / "packages.yml"
    packages.write_text(packages.read_text().replace("local: ../../../../", f"local: {PACKAGE}"))
    return folder


def dbt(emulator: Emulator, project: Path, *arguments: str) -> Ended:
    """A dbt command; one that hangs is ended, as a client may ask a broken emulator again and again."""
    environment = os.environ | {
        "DBT_PROFILES_DIR": str(project),
        "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
        "EMULATED_TARGET": emulator.name,
        "EMULATED_PORT": str(emulator.port),
    }
    done = subprocess.run(
        [BIN / "dbt", "--quiet", "--no-use-colors", *arguments],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return Ended(done.returncode, done.stdout)
