"""What a shared run writes down to go on after a process died, or after all of them did: one file of each site, with
its states and the values that their ids mean, and a manifest with what the driver knows, which names these files.

Format of a site's file: the magic `SWEEPSIT`, a version u32, the size of the values u64, the values as lines of JSON,
the states, and a digest of all that. The manifest is JSON, with a digest too. What is cut off or was edited is refused.
Reading it runs no code.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from typing import Any

from sweepcheck.cluster.messages import Values
from sweepcheck.cluster.places import LOCK, Place, place_of
from sweepcheck.errors import RequestError

HEADER = struct.Struct("<8sIQ")
MAGIC, VERSION, DIGEST = b"SWEEPSIT", 1, 32
MANIFEST = "run.json"
MANIFEST_VERSION = 3


def name_of(serial: int, site: int) -> str:
    """The file that a site writes."""
    return f"{serial}-{site}.site"


def manifest_in(where: str) -> dict[str, Any] | None:
    """The manifest of the run that is kept in a folder; None if there is none."""
    place = place_of(where)
    try:
        return read_manifest(place) if MANIFEST in place.names() else None
    except OSError as error:
        raise broken(MANIFEST, error.strerror) from None


@contextmanager
def opened(place: Place) -> Iterator[None]:
    """The place can be written to, and within no other run uses it."""
    try:
        place.open()
        try:
            if any(name.endswith(".site") for name in place.names()) and MANIFEST not in place.names():
                raise RequestError(
                    "SC623",
                    f"{place.name} holds files of another run",
                    suggestion="give another folder, or remove them if that run has ended",
                )
            place.write(f"probe{LOCK}", b"")
            place.remove(f"probe{LOCK}")
        except BaseException:
            place.close()
            raise
    except OSError as error:
        raise unwritten(place, error) from None
    try:
        yield
    finally:
        with suppress(OSError):  # what the run has found is told, whatever has become of the place
            place.close()


def write_kept(place: Place, name: str, values: Sequence[tuple[int, int, str]], states: bytes) -> int:
    """Write a file; its size."""
    text = json.dumps(values).encode()
    content = HEADER.pack(MAGIC, VERSION, len(text)) + text + states
    _write(place, name, content + _digest(content))
    return len(content) + DIGEST


def read_kept(place: Place, name: str) -> tuple[Values, bytes]:
    """The values and states of a file."""
    try:
        content = place.read(name)
    except OSError as error:
        raise broken(name, error.strerror) from None
    body, digest = content[:-DIGEST], content[-DIGEST:]
    if len(body) < HEADER.size or _digest(body) != digest:
        raise broken(name, "it is cut off, or was changed")
    magic, version, size = HEADER.unpack_from(body)
    if magic != MAGIC or version != VERSION:
        raise broken(name, f"it is of version {version}, and version {VERSION} is read")
    try:
        values = [(one[0], one[1], one[2]) for one in json.loads(body[HEADER.size : HEADER.size + size])]
    except (ValueError, TypeError, LookupError):
        raise broken(name, "its values are none") from None
    return values, body[HEADER.size + size :]


def write_manifest(place: Place, manifest: dict[str, Any]) -> None:
    """Write what the driver knows: from now on, the files it names are what a run goes on from."""
    whole = {"version": MANIFEST_VERSION, **manifest}
    _write(place, MANIFEST, json.dumps({**whole, "digest": _digest(_canonical(whole)).hex()}, indent=1).encode())


def read_manifest(place: Place) -> dict[str, Any]:
    """What the driver of a run knew when it was last written down."""
    try:
        manifest = json.loads(place.read(MANIFEST))
        digest = manifest.pop("digest")
    except OSError as error:
        raise broken(MANIFEST, error.strerror) from None
    except (ValueError, LookupError, AttributeError, TypeError, RecursionError):
        raise broken(MANIFEST, "it is cut off, or was changed") from None
    if manifest.get("version") != MANIFEST_VERSION:
        raise broken(MANIFEST, f"it is of version {manifest.get('version')}, and version {MANIFEST_VERSION} is read")
    if _digest(_canonical(manifest)).hex() != digest:
        raise broken(MANIFEST, "it is cut off, or was changed")
    return dict(manifest)


def remove_files(place: Place, but: int | None = None) -> None:
    """Remove the files of a run, except those with a serial number; also what a site was writing when it died."""
    try:
        for name in place.names():
            if ".site" in name and (but is None or not name.startswith(f"{but}-")):
                place.remove(name)
        if but is None:
            place.remove(MANIFEST)
    except OSError as error:
        raise unwritten(place, error) from None


def _write(place: Place, name: str, content: bytes) -> None:
    try:
        place.write(name, content)
    except OSError as error:
        raise unwritten(place, error) from None


def _canonical(manifest: dict[str, Any]) -> bytes:
    return json.dumps(manifest, sort_keys=True).encode()


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=DIGEST).digest()


def unwritten(place: Place, error: OSError) -> RequestError:
    """The error for a place that cannot be written to."""
    return RequestError(
        "SC623",
        f"what a run needs to go on cannot be written to {place.name}: {error.strerror or error}",
        suggestion="give another folder, one that every process of the cluster can write to",
    )


def broken(name: str, why: str | None) -> RequestError:
    """The error for a file that cannot be read."""
    return RequestError(
        "SC623",
        f"{name} cannot be read: {why or 'it is gone'}",
        suggestion="remove the folder's files, and start the run again",
    )
