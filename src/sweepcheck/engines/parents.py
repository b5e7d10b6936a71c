"""The parent file: for every state, in the order found, its parent's number and which edge led here (algorithm H).

Append-only and never read unless a trace is wanted. States are not written: replaying the edges recomputes them.

Format, little-endian. Header of 16 bytes: magic `SWEEPTRC`, version u32, records per block u32. Then blocks: number of
the first record u64, records u32, payload bytes u32, payload. A record is two varints: the zigzag difference to the
previous record's parent (to 0 at the start of a block) and the edge's position among the parent's edges. An
initial state is its own parent, and its edge is its position among the initial states.
"""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, NamedTuple, Self

from sweepcheck.core.survival import have_folder
from sweepcheck.errors import RequestError, TraceError

HEADER = struct.Struct("<8sII")
BLOCK = struct.Struct("<QII")
MAGIC, VERSION, RECORDS = b"SWEEPTRC", 1, 1024


def damaged_parents(why: str) -> TraceError:
    """The error for a file of parents that is not as it was written."""
    return TraceError(
        "SC501",
        f"the file of parents is damaged, so that there is no trace: {why}",
        suggestion="begin the run anew, in an empty folder",
    )


class Origin(NamedTuple):
    """Where a state was found from."""

    parent: int
    edge: int


class Parents:
    """Reads the way back to an initial state."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._starts: list[tuple[int, int]] = []  # first record and offset of every block
        self.count = 0
        self._known: tuple[int, list[Origin]] = (-1, [])  # the block that was read last, and the first of its records

    @classmethod
    def read(cls, path: Path, number: int) -> list[int]:
        """The edges that lead to a state, from a file that is written to its end."""
        with path.open("rb") as file:
            return cls.of(file).path_to(number)

    @classmethod
    def of(cls, file: BinaryIO) -> Self:
        """A file that is written to its end."""
        parents = cls(file)
        offset = HEADER.size
        file.seek(offset)
        while block := file.read(BLOCK.size):
            if len(block) < BLOCK.size:
                raise damaged_parents("it is cut off")
            first, records, size = BLOCK.unpack(block)
            if first != parents.count:
                raise damaged_parents(f"state {first} stands where {parents.count} should")
            parents._starts.append((first, offset))
            parents.count = first + records
            offset += BLOCK.size + size
            file.seek(offset)
        return parents

    def path_to(self, number: int) -> list[int]:
        """The edges that lead to a state: its initial state's position, then one edge per step."""
        edges: list[int] = []
        while True:
            origin = self.origin(number)
            edges.append(origin.edge)
            if origin.parent == number:
                return edges[::-1]
            if not 0 <= origin.parent < number:  # what is found later leads to nothing that was found before
                raise damaged_parents(f"state {origin.parent} is said to lead to {number}")
            number = origin.parent

    def origin(self, number: int) -> Origin:
        """Where a state was found from."""
        if not 0 <= number < self.count:
            raise damaged_parents(f"it holds no state {number}")
        low, high = 0, len(self._starts)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._starts[middle][0] <= number else (low, middle)
        first, offset = self._starts[low]
        known, records = self._known
        if known != offset or number - first >= len(records):  # a path goes back, mostly within one block
            self._file.seek(offset)
            _, _, size = BLOCK.unpack(self._file.read(BLOCK.size))
            try:
                records = _records(self._file.read(size), number - first + 1)
            except IndexError:
                raise damaged_parents(f"it ends before state {number}") from None
            self._known = offset, records
        return records[number - first]


class ParentFile(Parents):
    """Writes origins as states are found. Without a folder the file has no name: nothing can be left behind.

    A file that can no longer be written, because the disk is full or a file may not grow so large, is given up.
    """

    def __init__(self, folder: Path | None) -> None:
        self.path: Path | None = None
        self.lost: str | None = None  # why the file was given up
        with writing(folder):
            if folder is None:
                super().__init__(tempfile.TemporaryFile())  # noqa: SIM115 - closed by __exit__
            else:
                have_folder(folder)
                self.path = folder / "parents.trc"
                super().__init__(self.path.open("w+b"))
            self._file.write(HEADER.pack(MAGIC, VERSION, RECORDS))
        self._payload = bytearray()
        self._records = 0  # in the block being filled
        self._previous = 0
        self.bytes = HEADER.size

    def append(self, parent: int, edge: int) -> None:
        """Record the origin of the next state; an initial state names itself as parent."""
        delta = parent - self._previous
        _put_varint(self._payload, delta << 1 if delta >= 0 else (-delta << 1) - 1)
        _put_varint(self._payload, edge)
        self._previous = parent
        self.count += 1
        self._records += 1
        if self._records == RECORDS:
            self.flush()

    def flush(self) -> None:
        """Write the block that is being filled."""
        if self._records:
            self._starts.append((self.count - self._records, self.bytes))
            if self.lost is None:
                self._write(BLOCK.pack(self.count - self._records, self._records, len(self._payload)) + self._payload)
            self.bytes += BLOCK.size + len(self._payload)
            self._payload.clear()
            self._records = self._previous = 0

    def _write(self, block: bytes) -> None:
        try:
            self._file.seek(self.bytes)
            self._file.write(block)
            self._file.flush()
        except OSError as error:
            self.lost = error.strerror

    def path_to(self, number: int) -> list[int]:
        """The edges that lead to a state, with all that was appended so far."""
        self.flush()
        return super().path_to(number)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None:
                self.flush()
        finally:
            with suppress(OSError):  # what could not be written before cannot be written now
                self._file.close()


@contextmanager
def writing(folder: Path | None) -> Iterator[None]:
    """Files are written within; that they cannot be is an error of the request."""
    try:
        yield
    except OSError as error:
        raise RequestError(
            "SC406",
            f"traces cannot be written to {folder or 'the temporary folder'}: {error.strerror}",
            suggestion="choose another folder, trace_dir=..., or make no trace: trace=False",
        ) from None


def _put_varint(buffer: bytearray, value: int) -> None:
    while value >= 0x80:
        buffer.append(value & 0x7F | 0x80)
        value >>= 7
    buffer.append(value)


def _records(payload: bytes, wanted: int) -> list[Origin]:
    """The first records of a block: differences add up, so that none can be read without those before it."""
    position = parent = 0
    found: list[Origin] = []

    def varint() -> int:
        nonlocal position
        value = shift = 0
        while True:
            byte = payload[position]
            position += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    for _ in range(wanted):
        delta = varint()
        parent += delta >> 1 if not delta & 1 else -((delta + 1) >> 1)
        found.append(Origin(parent, varint()))
    return found
