"""A small HTTP door to chDB, ClickHouse's own engine as a library: as much of the server's protocol as dbt-clickhouse speaks.

One statement at a time: what several sessions do to each other cannot be seen here. Prints its port, serves until its input ends.
"""

from __future__ import annotations

import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import chdb

# parameters of a request that are no settings: https://clickhouse.com/docs/interfaces/http
TRANSPORT = {
    "buffer_size",
    "client_protocol_version",
    "cancel_http_readonly_queries_on_client_close",
    "compress",
    "database",
    "decompress",
    "default_format",
    "enable_http_compression",
    "http_headers_progress_interval_ms",
    "query",
    "query_id",
    "role",
    "send_progress_in_http_headers",
    "session_id",
    "session_timeout",
    "wait_end_of_query",
}


class Engine:
    """The one session of chDB; a request's database and settings hold for its own statement."""

    def __init__(self) -> None:
        self._connection = chdb.connect(":memory:")
        self._settings: dict[str, str] = {}
        self._lock = threading.Lock()

    def answer(self, sql: str, parameters: dict[str, str]) -> bytes:
        """What the statement gives, in the format that it or the request names."""
        with self._lock:
            wanted = {name: value for name, value in parameters.items() if name not in TRANSPORT}
            for name in self._settings.keys() - wanted.keys():
                self._send(f"set {name} = default")
            for name, value in wanted.items():
                if self._settings.get(name) != value:
                    self._send(f"set {name} = '{value}'")
            self._settings = wanted
            self._send(f"use `{parameters.get('database') or 'default'}`")
            return self._send(sql, parameters.get("default_format", "TabSeparated"))

    def _send(self, sql: str, form: str = "TabSeparated") -> bytes:
        answer: bytes = self._connection.query(sql, form).bytes()
        return answer


class Door(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else the body waits 40 ms until the client has acknowledged the headers
    engine: Engine

    def do_POST(self) -> None:
        """The statement is the parameter `query`, the body, or one after the other."""
        parameters = dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True))
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        sql = "\n".join(part for part in (parameters.get("query"), body) if part)
        try:
            self._reply(200, self.engine.answer(sql, parameters), {"X-ClickHouse-Timezone": "UTC"})
        except Exception as error:
            text = str(error)
            code = text.removeprefix("Code: ").split(".")[0] if text.startswith("Code: ") else "1002"
            self._reply(500, text.encode(), {"X-ClickHouse-Exception-Code": code})

    do_GET = do_POST  # noqa: N815 - the name that the server looks for

    def _reply(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def main() -> None:
    """Serve."""
    Door.engine = Engine()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Door)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
    sys.stdin.read()
    os._exit(0)  # chDB has nothing to keep, and complains at an orderly end


if __name__ == "__main__":
    main()
