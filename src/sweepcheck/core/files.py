"""Files: those that others may have written are read whole, but regular ones only, and only up to a size.

A path can lead to a device that never ends or to a pipe that nobody writes to; both are refused, not waited for.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from sweepcheck.core.limits import FileLimits
from sweepcheck.errors import RequestError

CHUNK = 1 << 20  # bytes


class NotTextError(ValueError):
    """The bytes of a file are not UTF-8."""


def read_text(path: Path, limits: FileLimits) -> str:
    """The text of a file, its lines ended by line feeds; OSError or NotTextError where there is none."""
    data = b"".join(read_chunks(path, limits))
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        # Without the bytes themselves: the file may be one that somebody else chose.
        raise NotTextError(f"it is not UTF-8 text, from byte {error.start + 1} on") from None


def read_chunks(path: Path, limits: FileLimits, size: int = CHUNK) -> Iterator[bytes]:
    """The bytes of a file, a piece at a time, each of at most so many; OSError where there are none."""
    # Without O_NONBLOCK, opening a pipe waits for somebody to write to it.
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    left = limits.bytes
    with open(number, "rb") as file:
        mode = os.fstat(number).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "it is not a regular file", str(path))
        while chunk := file.read(min(size, left + 1)):  # some files of a system do not tell their size
            left -= len(chunk)
            if left < 0:
                raise RequestError(
                    "SC410",
                    f"{path} has more than {limits.bytes:,} bytes",
                    suggestion="is it the right file? if so, allow more: "
                    "--max-file-size SIZE, or FileLimits(bytes=...)",
                )
            yield chunk
