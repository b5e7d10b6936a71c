"""A timed place in a draft: a bag of values, of which only those that are ready can be taken.

Of several equal values the youngest ready one leaves, as the definition of timed coloured nets has it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from sweepcheck.core.running import Disabled
from sweepcheck.core.stamps import Stamped
from sweepcheck.core.values import Bag
from sweepcheck.models.actions.draft import BagEditor, Draft
from sweepcheck.models.net.time import ready


class TimedEditor(BagEditor):
    """The tokens of a timed place; they are added with their stamps and taken without."""

    __slots__ = ()

    @staticmethod
    def elements(value: Bag) -> Iterable[Any]:
        """See `Editor`: tokens are to be alike without their stamps."""
        tokens: Iterable[Any] = value.distinct()
        return (token.value for token in tokens)

    def add(self, token: Stamped, count: int = 1) -> None:  # type: ignore[override]
        """Add a token with its stamp."""
        kept = Stamped(self._admitted(token.value), token.wait)
        self._change(self._held.including(kept, count))

    def take(self, *token: Hashable) -> Any:  # type: ignore[override]
        """Remove a ready token: any of them, or this one."""
        chosen = self._ready(token)
        youngest = next(wait for value, wait, _ in self._available() if value == chosen)
        self._change(self._value.excluding(Stamped(chosen, youngest)))
        return chosen

    def _remove(self, token: Hashable, count: int) -> None:
        """Remove ready tokens of this value."""
        for _ in range(count):
            self.take(token)

    def peek(self) -> Any:  # type: ignore[override]
        """Choose a ready token without removing it."""
        return self._ready(())

    def _ready(self, token: tuple[Hashable, ...]) -> Any:
        values = tuple(value for value, _, _ in self._available())
        if not token:
            return self._draft._pick(values, None)
        if token[0] not in values:
            raise Disabled
        return token[0]

    def count(self, token: Hashable) -> int:
        """How many such tokens are ready."""
        return sum(number for value, _, number in self._available() if value == token)

    def __contains__(self, token: object) -> bool:
        return any(value == token for value, _, _ in self._available())

    def _available(self) -> list[tuple[Hashable, int, int]]:
        return ready(self._value)

    def early(self, by: int) -> EarlyEditor:
        """The same place for an arc that takes tokens so long before they are ready."""
        return EarlyEditor(self._draft, self._index, self._name, by)


class EarlyEditor(TimedEditor):
    """A timed place as an arc sees it that takes tokens before they are ready."""

    __slots__ = ("_by",)

    def __init__(self, draft: Draft, index: int, name: str, by: int) -> None:
        super().__init__(draft, index, name)
        self._by = by

    def _available(self) -> list[tuple[Hashable, int, int]]:
        return ready(self._value, self._by)
