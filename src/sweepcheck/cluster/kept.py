"""What a site writes down to go on after some process died: states and the values that their ids mean, in one file.

Format: the magic `SWEEPSIT`, a version u32, the size of the values u64, the values as lines of JSON, the states, and a
digest of all that. A file is written beside its name and renamed, so that a crash leaves the last good one; one that is
cut off or was edited is refused. Reading it runs no code.
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from sweepcheck.cluster.messages import Values
from sweepcheck.errors import RequestError

HEADER = struct.Struct("<8sIQ")
MAGIC, VERSION, DIGEST = b"SWEEPSIT", 1, 32
MANIFEST = "run.json"


def prepare(folder: Path) -> None:
    """Make a folder that can be written to, and that holds nothing of another run."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritten(folder, error) from None
    if (folder / MANIFEST).exists() or any(folder.glob("*.site")):
        raise RequestError(
            "SC623",
            f"{folder.name} holds files of another run",
            suggestion="give another folder, or remove them if that run has ended",
        )
    _replace(folder / MANIFEST, b"{}")
    (folder / MANIFEST).unlink()


def write_kept(path: Path, values: Sequence[tuple[int, int, str]], states: bytes) -> int:
    """Write a file; its size."""
    told = json.dumps(values).encode()
    content = HEADER.pack(MAGIC, VERSION, len(told)) + told + states
    _replace(path, content + blake2b(content, digest_size=DIGEST).digest())
    return len(content) + DIGEST


def read_kept(path: Path) -> tuple[Values, bytes]:
    """The values and states of a file."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise broken(path, error.strerror or "it is gone") from None
    body, digest = content[:-DIGEST], content[-DIGEST:]
    if len(body) < HEADER.size or blake2b(body, digest_size=DIGEST).digest() != digest:
        raise broken(path, "it is cut off, or was changed")
    magic, version, size = HEADER.unpack_from(body)
    if magic != MAGIC or version != VERSION:
        raise broken(path, f"it is of version {version}, and version {VERSION} is read")
    values = [(one[0], one[1], one[2]) for one in json.loads(body[HEADER.size : HEADER.size + size])]
    return values, body[HEADER.size + size :]


def write_manifest(folder: Path, told: dict[str, Any]) -> None:
    """Write what the driver knows: from now on, the files it names are what a run goes on from."""
    _replace(folder / MANIFEST, json.dumps(told, indent=1).encode())


def remove_files(folder: Path, but: int | None = None) -> None:
    """Remove the files of a folder, except those with a serial number; also what a site was writing when it died."""
    for path in folder.glob("*.site*"):
        if but is None or not path.name.startswith(f"{but}-"):
            path.unlink(missing_ok=True)
    if but is None:
        (folder / MANIFEST).unlink(missing_ok=True)


def file_of(folder: Path, serial: int, site: int) -> Path:
    """Where a site writes."""
    return folder / f"{serial}-{site}.site"


def _replace(path: Path, content: bytes) -> None:
    written = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with written.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        written.replace(path)
    except OSError as error:
        written.unlink(missing_ok=True)
        raise _unwritten(path.parent, error) from None


def _unwritten(folder: Path, error: OSError) -> RequestError:
    return RequestError(
        "SC623",
        f"what a run needs to go on cannot be written to {folder.name}: {error.strerror}",
        suggestion="give another folder, one that every process of the cluster can write to",
    )


def broken(path: Path, why: str) -> RequestError:
    """The error for a file that cannot be read."""
    return RequestError(
        "SC623",
        f"{path} cannot be read: {why}",
        suggestion="remove the folder's files, and start the run again",
    )
