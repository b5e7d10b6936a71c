"""Both branches of an `if` in one run with open choices: what they assign depends on which of them is taken.

`if choose(True, False): s.chosen.add(x)` for each of sixteen elements has a way for each set of them, which is 65,536
runs; here it is one run, in which each element has a condition under which it is there.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import compress
from typing import Any, NoReturn

from sweepcheck.core.structures import Set
from sweepcheck.core.values import Array
from sweepcheck.models.actions.unknown import ANY, APART, GiveUpError, OpenPart, OpenRun, Unknown, kind_of

MOST_SHARED = 4_096  # sets that are kept to be met again


class OpenSet(OpenPart):
    """A set of which it depends on choices what is in it: by element, whether it is there."""

    __slots__ = ("there",)

    def __init__(self, there: dict[Hashable, Any]) -> None:
        self.there = there

    def including(self, element: Hashable) -> OpenSet:
        """See `Set`."""
        return OpenSet({**self.there, element: True})

    def _refuse(self, *_: Any) -> NoReturn:
        raise GiveUpError

    __hash__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = _refuse
    __len__ = __iter__ = __contains__ = __repr__ = __reduce_ex__ = _refuse
    __or__ = __and__ = __sub__ = __xor__ = __ror__ = __rand__ = __rsub__ = __rxor__ = _refuse

    def __getattr__(self, name: str) -> NoReturn:
        raise GiveUpError

    def said(self, run: OpenRun) -> tuple[str, int]:
        """See `OpenPart`."""
        sets = SetsOf(Set(self.there))
        text, last = run.said(tuple(self.there[element] for element in sets.elements))
        run.constants.append(sets)
        return f"c{len(run.constants) - 1}({text})", last


class SetsOf:
    """The sets of some elements, by which of these are there; equal ones are one object where there are few."""

    def __init__(self, every: Set) -> None:
        self.elements = every.distinct()
        self._pairs = every.items()
        self._met: dict[tuple[Any, ...], Set] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SetsOf) and self.elements == other.elements

    __hash__ = None  # type: ignore[assignment]

    def __call__(self, there: tuple[Any, ...]) -> Set:
        if (known := self._met.get(there)) is not None:
            return known
        made = Set.__new__(Set)
        made._items = tuple(compress(self._pairs, there))
        made._size = len(made._items)
        made._hash = hash(frozenset(compress(self.elements, there)))
        if len(self._met) < MOST_SHARED:
            self._met[there] = made
        return made


class OpenValues(list[Any]):
    """The values of a run with open choices. What is assigned in a branch is there if that is the one taken."""

    def __init__(self, values: Iterable[Any], run: OpenRun) -> None:
        super().__init__(values)
        self._run = run

    def __setitem__(self, index: Any, value: Any) -> None:
        run = self._run
        super().__setitem__(index, value if not run.guards else _merged(run, value, self[index]))


def _merged(run: OpenRun, new: Any, old: Any) -> Any:
    """What is there after an assignment in the branch at work."""
    if new is old:
        return old
    if type(new) is Array and type(old) is Array:
        return tuple.__new__(Array, [_merged(run, one, other) for one, other in zip(new, old, strict=True)])
    if type(new) in (Set, OpenSet) and type(old) in (Set, OpenSet):
        now, before = _there(new), _there(old)
        return OpenSet({one: _merged(run, now.get(one, False), before.get(one, False)) for one in {**before, **now}})
    kinds = {one.kind if type(one) is Unknown else kind_of((one,)) for one in (new, old)}
    if ANY in kinds or len(kinds - APART) > 1:  # 1 and True are equal: no variable has both
        raise GiveUpError
    if type(new) is not Unknown and type(old) is not Unknown and new == old:
        return old
    guard = run.guard()
    found = run.expression(kinds.pop() if len(kinds) == 1 else ANY, "({} if {} else {})", new, guard, old)
    if guard.kind is bool and type(new) is not Unknown and type(old) is not Unknown:
        found.tells = guard.tells
    return found


def _there(one: Any) -> dict[Hashable, Any]:
    return one.there if type(one) is OpenSet else dict.fromkeys(one, True)
