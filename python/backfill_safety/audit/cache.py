"""Answers remembered beside the manifest, so that only what changed is judged anew.

The file holds plain data and is signed with a key that lies in the user's own folder: a file that was
damaged, or put there by a stranger's pull request to hide findings, is as good as none. Where no key can be
kept, nothing is remembered.
"""

from __future__ import annotations

import hmac
import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG

import click
import msgspec

from backfill_safety.audit.answer import Answer
from backfill_safety.files import write_whole

NAME = ".backfill_safety_cache"
MAX_BYTES = 256 * 1024**2
_MAC = 32


class Remembered(msgspec.Struct, frozen=True):
    """An answer, and the digest of all that it hangs on."""

    key: str
    answer: Answer


Memory = dict[str, Remembered]
_decoder = msgspec.msgpack.Decoder(Memory)


def recall(folder: Path) -> Memory:
    """What is remembered in `folder`, by unique id; nothing where there is no file, or none to be trusted."""
    file = folder / NAME
    with suppress(OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        about = file.stat()
        if not S_ISREG(about.st_mode) or about.st_size > MAX_BYTES:
            return {}
        data = file.read_bytes()
        key = _key()
        if key is not None and hmac.compare_digest(data[:_MAC], _mac(key, data[_MAC:])):
            return _decoder.decode(data[_MAC:])
    return {}


def remember(folder: Path, memory: Mapping[str, Remembered]) -> None:
    """Writes it all anew; says nothing where that cannot be done, since it only saves time."""
    key = _key()
    if key is None:
        return
    data = msgspec.msgpack.encode(dict(sorted(memory.items())))
    with suppress(OSError):
        write_whole(folder / NAME, _mac(key, data) + data)


def _mac(key: bytes, data: bytes) -> bytes:
    return hmac.digest(key, data, "sha256")


def _key() -> bytes | None:
    """This user's key, made when it is first needed; None where it can be neither read nor made."""
    file = Path(click.get_app_dir("backfill-safety")) / "cache.key"
    with suppress(OSError, RuntimeError):
        with suppress(FileNotFoundError):
            return file.read_bytes() or None
        file.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as out:
                out.write(secrets.token_bytes(_MAC))
        return file.read_bytes() or None
    return None
