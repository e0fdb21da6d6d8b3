"""Writing a file so that nobody ever sees half of it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_named(file: Path, data: bytes) -> None:
    """Writes what a user has named: a file as a whole, a device or pipe (`/dev/null`, `/dev/stdout`) as it is. Raises OSError."""
    if file.exists() and not file.is_file():
        file.write_bytes(data)
    else:
        write_whole(file, data)


def write_whole(file: Path, data: bytes) -> None:
    """Writes beside the file, then puts it in place, with the mode of the one before; a link gives way to it. Raises OSError."""
    mode = file.stat().st_mode & 0o777 if file.is_file() else 0o644
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        Path(name).chmod(mode)
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
