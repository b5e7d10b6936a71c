"""Initial states that are made when somebody asks for them: there may be millions, and a run may stop before."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import Context, copy_context
from itertools import islice
from typing import Any, overload

from sweepcheck.errors import ModelError

Row = tuple[Any, ...]
FIRST, MOST = 64, 1 << 14  # rows that are made at a time: more and more, as one may take long


@contextmanager
def no_collection() -> Iterator[None]:
    """Without looking for cycles among what is made: there are none, and to look takes as long as to make it."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


class InitialStates(Sequence[Row]):
    """The distinct rows of a source, in its order. Whatever asks for all of them, as `len` does, has all of them made.

    `rows` begins the source, and begins it anew where an exception, Ctrl-C perhaps, has ended it in between. `note` is
    shown all rows that are made. `none` is the error where there are no rows.
    """

    def __init__(
        self,
        rows: Callable[[], Iterable[Row]],
        none: Callable[[], ModelError],
        note: Callable[[Sequence[Row]], None] = lambda _: None,
    ) -> None:
        self._rows, self._none, self._note = rows, none, note
        self._made: list[Row] = []
        self._known: set[Row] | None = set()  # the same; None when there are no more
        self._source: tuple[Iterator[Row], Context] | None = None
        self._together = FIRST

    def _make(self, count: int) -> None:
        """Have so many, if there are."""
        while self._known is not None and len(self._made) < count:
            if self._source is None:  # functions of the model run in a context of their own: others run in between
                self._source = iter(self._rows()), copy_context()
            rows, context = self._source
            try:
                with no_collection():
                    some: dict[Row, None] = context.run(lambda: dict.fromkeys(islice(rows, self._together)))  # noqa: B023
                fresh = [row for row in some if row not in self._known]
                self._note(fresh)
            except BaseException:
                self._source = None
                raise
            self._together = min(2 * self._together, MOST)
            self._made += fresh
            self._known.update(fresh)
            if not some:
                self._known = self._source = None
                if not self._made:
                    raise self._none()

    def extended(self, more: Row) -> InitialStates:
        """The same with further values in each."""
        return InitialStates(lambda: ((*row, *more) for row in self), self._none)

    def __iter__(self) -> Iterator[Row]:
        at = 0
        while True:
            self._make(at + 1)
            if at >= len(self._made):
                return
            end = len(self._made)
            yield from islice(self._made, at, end)
            at = end

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | Sequence[Row]:
        if isinstance(index, slice):
            if index.stop is None or min(index.start or 0, index.stop, index.step or 1) < 0:
                return tuple(self)[index]
            self._make(index.stop)
            return tuple(self._made[index])
        self._make(index + 1 if index >= 0 else len(self))
        return self._made[index]

    def __len__(self) -> int:
        for _ in self:
            pass
        return len(self._made)

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, tuple | InitialStates) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(tuple(self))
