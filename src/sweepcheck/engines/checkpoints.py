"""The folder of a checkpoint: how far a run is, written so that a crash at any moment leaves the last good one.

`checkpoint.swc` is all of it but the parents of states, which are in `parents.trc` beside it, up to a position that the
checkpoint knows. Format, little-endian: magic `SWEEPCKP`, version u32, CRC of the description u32, its length u64; the
description, JSON; what an engine added, in a form of its own that has checksums too. Nothing in it is ever run.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from sweepcheck.core.survival import have_folder
from sweepcheck.errors import RequestError

MAGIC, VERSION = b"SWEEPCKP", 3
HEADER = struct.Struct("<8sIIQ")
NAME, BESIDE, PARENTS, LOCK = "checkpoint.swc", "checkpoint.new", "parents.trc", "lock"


class Checkpoint(NamedTuple):
    """A checkpoint that was read: its description, and where in which file that of the engine begins."""

    path: Path
    description: dict[str, Any]
    begin: int


def unwritable(folder: Path, why: str | None) -> RequestError:
    """The error for a folder that no checkpoint can be written to."""
    return RequestError(
        "SC616",
        f"no checkpoint can be written to {folder}: {why}",
        suggestion="make room, or choose another folder: --checkpoint DIR; the last checkpoint there, if any, is good",
    )


def damaged(path: Path | str, why: str) -> RequestError:
    """The error for a checkpoint that cannot be read."""
    return RequestError(
        "SC618",
        f"the checkpoint {path} cannot be read: {why}",
        suggestion="begin anew in an empty folder",
    )


@contextmanager
def opened(folder: Path) -> Iterator[None]:
    """The folder is there, and within nobody else uses it."""
    try:
        have_folder(folder)
        number = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
    except OSError as error:
        raise unwritable(folder, error.strerror) from None
    try:
        _lock(folder, number)
        with suppress(OSError):
            (folder / BESIDE).unlink(missing_ok=True)  # of a run that was killed while it wrote
        yield
    finally:
        os.close(number)


def _lock(folder: Path, number: int) -> None:
    try:
        import fcntl
    except ImportError:  # no such thing here
        return
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise RequestError(
            "SC616", f"another run uses {folder}", suggestion="wait for it, or choose another folder"
        ) from None


def read(folder: Path) -> Checkpoint | None:
    """The checkpoint in a folder; None if there is none."""
    path = folder / NAME
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            head = file.read(HEADER.size)
            if len(head) < HEADER.size:
                raise damaged(path, "it is cut off")
            magic, version, crc, length = HEADER.unpack(head)
            if magic != MAGIC:
                raise damaged(path, "it is no checkpoint")
            if version != VERSION:
                raise damaged(path, f"it has version {version} of the format, and this sweepcheck reads {VERSION}")
            if length > size - HEADER.size:
                raise damaged(path, "it is cut off")
            text = file.read(length)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise damaged(path, error.strerror or "it is no file") from None
    if zlib.crc32(text) != crc:
        raise damaged(path, "it was changed")
    try:
        description = json.loads(text)
    except (ValueError, RecursionError):
        raise damaged(path, "it is not JSON") from None
    if not isinstance(description, dict):
        raise damaged(path, "it describes nothing")
    return Checkpoint(path, description, HEADER.size + length)


def write(folder: Path, description: dict[str, Any], add: Callable[[str], int]) -> None:
    """Write a checkpoint in the place of the last one. `add` appends what the engine has to say to a file, and has it
    on the disk when it returns; as in errno, why not.
    """
    text = json.dumps(description, separators=(",", ":")).encode()
    beside = folder / BESIDE
    try:
        try:
            with beside.open("wb") as file:
                file.write(HEADER.pack(MAGIC, VERSION, zlib.crc32(text), len(text)) + text)
            error = add(str(beside))
            if error:
                raise unwritable(folder, os.strerror(error))
            beside.replace(folder / NAME)
            _sync(folder)
        finally:
            with suppress(OSError):
                beside.unlink(missing_ok=True)  # it is not there if all went well
    except OSError as error:
        raise unwritable(folder, error.strerror) from None


def _sync(folder: Path) -> None:
    """Have the new name on the disk as well."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
