"""What the steps of a process need beside the user's own code while they run."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Sequence
from enum import Enum
from itertools import islice
from typing import Any

from sweepcheck.core.values import sort_key
from sweepcheck.errors import ModelError
from sweepcheck.models.actions.choice import MOST_ALTERNATIVES

MOST_TURNS = 1_000_000  # jumps within one step


class Unset(Enum):
    """The value of a local variable that was never assigned, or that nobody reads any more."""

    UNSET = "unset"

    def __repr__(self) -> str:
        return self.value


UNSET = Unset.UNSET


class Module:
    """The names of a module as attributes, for a function that is put into another one; builtins are among them."""

    __slots__ = ("_names",)

    def __init__(self, names: dict[str, Any]) -> None:
        self._names = names

    def is_of(self, names: dict[str, Any]) -> bool:
        """Whether it is that of a module with these names."""
        return self._names is names

    def __getattr__(self, name: str) -> Any:
        try:
            return self._names[name] if name in self._names else getattr(builtins, name)
        except AttributeError:
            raise NameError(f"name {name!r} is not defined") from None


def items(iterable: Iterable[Any]) -> Sequence[Any]:
    """What a `for` with a yield inside it runs through, as a value; sets, which have no order, in that of values."""
    if isinstance(iterable, range):
        # Equal ranges must be alike, and say the same: they end right after their last number.
        return _settled(range(iterable[0], iterable[-1] + iterable.step, iterable.step)) if iterable else ()
    if isinstance(iterable, set | frozenset):
        return tuple(sorted(iterable, key=sort_key))
    found = tuple(islice(iterable, MOST_ALTERNATIVES + 1))
    if len(found) > MOST_ALTERNATIVES:
        raise ModelError(
            "SC219",
            f"a for of a process was given more than {MOST_ALTERNATIVES:,} items",
            suggestion="loop over finitely many values; does the iterable ever end?",
        )
    return found


def rest(left: Sequence[Any]) -> Sequence[Any]:
    """What is left without the first item."""
    return _settled(left[1:])


def following(numbers: range, last: int) -> Sequence[int]:
    """What is left of a range when this was the last number."""
    return numbers[numbers.index(last) + 1 :]


def _settled(left: Sequence[Any]) -> Sequence[Any]:
    """Single numbers have no step: ranges of one would be equal and not alike."""
    return left if len(left) > 1 else tuple(left)


def endless() -> ModelError:
    """The error for a step that goes round and round."""
    return ModelError(
        "SC219",
        f"a step has not come to a yield after {MOST_TURNS:,} turns of its loops",
        suggestion="let every way round a loop pass a yield; to wait for something, require(...) it",
    )
