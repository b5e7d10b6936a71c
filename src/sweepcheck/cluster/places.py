"""Where a shared run keeps what it needs to go on: a folder, or an address that fsspec knows, such as `s3://bucket/run`.

A file is there as a whole or not at all: in a folder it is written beside its name, synced and renamed, and elsewhere
it appears when it was sent to its end.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from pathlib import Path
from typing import Any, Protocol

from sweepcheck.core.survival import have_folder
from sweepcheck.errors import RequestError, installation, told

LOCK = "run.lock"


def is_address(where: str) -> bool:
    """Whether it is no folder."""
    return "://" in where


class Place(Protocol):
    """See above. What goes wrong is an OSError."""

    where: str
    name: str  # for people

    def open(self) -> None:
        """It is there from now on, and no other run uses it."""

    def close(self) -> None:
        """Others may use it again."""

    def names(self) -> list[str]:
        """What is there."""

    def read(self, name: str) -> bytes:
        """A file."""

    def write(self, name: str, content: bytes) -> None:
        """Write a file, in the place of one that was there."""

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""


def place_of(where: str) -> Place:
    """The place that a path or an address names."""
    return Remote(where) if is_address(where) else Folder(Path(where))


class Folder:
    """See `Place`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock: int | None = None
        self.where, self.name = str(path.absolute()), path.name

    def open(self) -> None:
        """See `Place`."""
        have_folder(self._path)
        number = os.open(self._path / LOCK, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
        try:
            import fcntl

            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not os.path.samestat(os.fstat(number), os.stat(self._path / LOCK)):
                raise FileNotFoundError  # whoever had it has just removed it, and somebody may have made another one
        except ImportError:  # no such thing here
            pass
        except OSError as error:
            os.close(number)
            raise OSError(error.errno, "another run uses it") from None
        self._lock = number

    def close(self) -> None:
        """See `Place`."""
        if self._lock is not None:
            self.remove(LOCK)
            os.close(self._lock)
            self._lock = None

    def names(self) -> list[str]:
        """See `Place`."""
        return [path.name for path in self._path.iterdir()] if self._path.is_dir() else []

    def read(self, name: str) -> bytes:
        """See `Place`."""
        return (self._path / name).read_bytes()

    def write(self, name: str, content: bytes) -> None:
        """See `Place`."""
        beside = self._path / f".{name}.{os.getpid()}"
        try:
            with beside.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self._path / name)
        except OSError:
            beside.unlink(missing_ok=True)
            raise

    def remove(self, name: str) -> None:
        """See `Place`."""
        (self._path / name).unlink(missing_ok=True)


class Remote:
    """See `Place`. Whether another run uses it is not known there: only files of one tell."""

    def __init__(self, address: str) -> None:
        if importlib.util.find_spec("fsspec") is None:
            raise RequestError(
                "SC405", f"{address} needs fsspec, which is not installed", suggestion=installation("cluster")
            )
        core: Any = importlib.import_module("fsspec.core")
        try:
            self._files, self._root = core.url_to_fs(address)
        except Exception as error:  # noqa: BLE001 - a protocol that nobody knows, or a package that it needs
            raise RequestError(
                "SC623",
                f"{address} is no place that fsspec knows: {told(error)}",
                suggestion="give a folder, or an address such as s3://bucket/run, and install what fsspec needs for it",
            ) from None
        self.where = self.name = address

    def _path(self, name: str) -> str:
        return f"{self._root.rstrip('/')}/{name}"

    def open(self) -> None:
        """See `Place`."""
        self._tried(lambda: self._files.makedirs(self._root, exist_ok=True))

    def close(self) -> None:
        """See `Place`."""

    def names(self) -> list[str]:
        """See `Place`."""
        self._files.invalidate_cache()
        if not self._tried(lambda: self._files.exists(self._root)):
            return []
        return [str(path).rpartition("/")[2] for path in self._tried(lambda: self._files.ls(self._root, detail=False))]

    def read(self, name: str) -> bytes:
        """See `Place`."""
        content: bytes = self._tried(lambda: self._files.cat_file(self._path(name)))
        return content

    def write(self, name: str, content: bytes) -> None:
        """See `Place`."""
        self._tried(lambda: self._files.pipe_file(self._path(name), content))

    def remove(self, name: str) -> None:
        """See `Place`."""
        if self._tried(lambda: self._files.exists(self._path(name))):
            self._tried(lambda: self._files.rm_file(self._path(name)))

    @staticmethod
    def _tried(job: Any) -> Any:
        try:
            return job()
        except OSError:
            raise
        except Exception as error:  # noqa: BLE001 - every store has its own
            raise OSError(0, told(error)) from None
