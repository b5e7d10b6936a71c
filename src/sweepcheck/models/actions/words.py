"""What the functions that a starting function calls mean while its choices are left open."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, combinations, combinations_with_replacement, permutations, product
from operator import lt
from typing import Any

from sweepcheck.models.actions.branches import OpenSet
from sweepcheck.models.actions.choice import OFFERS
from sweepcheck.models.actions.draft import Draft, Editor
from sweepcheck.models.actions.unknown import (
    ANY,
    NUMBERS,
    GiveUpError,
    OpenRun,
    Unknown,
    has_unknown,
    is_plain,
    kind_of,
)

ARRANGEMENTS = (permutations, combinations, combinations_with_replacement, product)  # of plain values
BOTH, NEGATED, WITHIN, WAYS, EACH = "@both", "@negated", "@within", "@ways", "@each"


class Words:
    """What stands for Python's functions, and for those of the model, in a function whose choices are left open."""

    def __init__(self, run: OpenRun) -> None:
        self._run = run

    def choose(self, *alternatives: Any) -> Any:
        """See `choose`."""
        offered = alternatives[0] if len(alternatives) == 1 else alternatives
        return self._run.choice(OFFERS.distinct(offered, sys._getframe(1), self))

    def require(self, condition: Any) -> None:
        """See `require`: a condition on what is not known yet is kept for later."""
        self._run.demand(condition if type(condition) is Unknown else bool(condition))

    def deferred(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function from outside: called when its arguments are known."""
        run = self._run

        def call(*given: Any, **named: Any) -> Any:
            everything = [*given, *named.values()]
            if not any(one is run.draft or has_unknown(one) for one in everything):
                found = function(*given, **named)
                if type(found) not in ARRANGEMENTS and not is_plain(found):
                    raise GiveUpError
                return found
            names = [""] * len(given) + [f"{name}=" for name in named]
            form = "{}(" + ", ".join(f"{name}{{}}" for name in names) + ")"
            return run.expression(ANY, form, function, *everything)

        return call

    def _folded(self, name: str, kind: Any) -> Callable[..., Any]:
        """A function of Python's of things that can be gone through."""
        real: Callable[..., Any] = getattr(builtins, name)

        def fold(*given: Any, **named: Any) -> Any:
            if len(given) == 1 and type(given[0]) is not Unknown:
                given = (list(given[0]),)
            if not has_unknown(given):
                return real(*given, **named)
            if named or (name == "sum" and kind_within(given) is not int):
                raise GiveUpError
            found = ANY if kind is int and name != "sum" and not is_exact(given) else kind
            return self._run.expression(found, f"{name}({', '.join('{}' for _ in given)})", *given)

        return fold

    def length(self, given: Any) -> Any:
        """See `len`."""
        if (held := _open_set(given)) is not None:
            return self._run.expression(int, "sum(map(bool, {}))", tuple(held.there.values()))
        of_set = type(given) is Unknown and given.kind is set
        return self._run.expression(int, "len({})", given) if of_set else len(given)

    def both(self, first: Any, second: Callable[[], Any], sign: str) -> Any:
        """`first and second`, `first or second`; the second is looked at in any case if the first is not known."""
        if type(first) is not Unknown:
            return (second() if first else first) if sign == "and" else (first or second())
        other = second()
        kinds = {one.kind if type(one) is Unknown else type(one) for one in (first, other)}
        return self._run.expression(bool if kinds == {bool} else ANY, f"({{}} {sign} {{}})", first, other)

    def negated(self, one: Any) -> Any:
        """`not one`."""
        if type(one) is not Unknown:
            return not one
        made = self._run.expression(bool, "(not {})", one)
        made.tells = one.tells if one.kind is bool else None
        return made

    def within(self, one: Any, among: Any) -> Any:
        """`one in among`."""
        if (held := _open_set(among)) is not None:
            return held.there.get(one, False)
        if type(among) is not Unknown and not isinstance(among, tuple | list | str | range | set | frozenset | dict):
            among = list(among) if hasattr(among, "__iter__") and not isinstance(among, Draft) else among
        if not has_unknown((one, among)):
            return one in among
        if isinstance(among, set | dict):
            among = tuple(among)
        return self._run.expression(bool, "({} in {})", one, among)

    def ways(self, test: Any) -> Iterable[bool]:
        """The branches of an `if` that are run: one, or both where it does not matter that they are run together."""
        if type(test) is Unknown and self._run.merges and not self._run.is_known(test):
            return self._guarded(test)
        return (bool(test),)

    def _guarded(self, test: Unknown) -> Iterator[bool]:
        guards = self._run.guards
        for way in (True, False):
            guards.append(test if way else self.negated(test))
            yield way
            guards.pop()

    def each(self, items: Any) -> Iterable[Any]:
        """What a loop runs through: of a chosen tuple or set all items that it may have."""
        if type(items) is not Unknown or not self._run.merges:
            return items  # type: ignore[no-any-return]
        if items.tells is None or items.text != f"a{items.tells}":
            raise GiveUpError
        found: tuple[Any, ...] = self._run.choices[items.tells]
        if not {tuple, frozenset} >= set(map(type, found)):
            raise GiveUpError
        largest: list[Any] = sorted(found, key=len, reverse=True)
        every = list(dict.fromkeys(chain.from_iterable(largest)))
        places = {item: place for place, item in enumerate(every)}
        in_order = all(_ascends([places[item] for item in one]) for one in found)
        if not in_order or kind_of(list(chain.from_iterable(found))) is ANY:  # 1 and True would be one item
            raise GiveUpError
        return self._those_in(items, every)

    def _those_in(self, items: Unknown, every: list[Any]) -> Iterator[Any]:
        for item in every:
            self._run.guards.append(self._run.expression(bool, "({} in {})", item, items))
            yield item
            self._run.guards.pop()

    def names(self) -> dict[str, Any]:
        """The functions by their names."""
        kinds = {"sum": int, "min": int, "max": int, "all": bool, "any": bool, "set": set, "frozenset": set}
        return {
            "choose": self.choose,
            "require": self.require,
            "len": self.length,
            **{name: self._folded(name, kind) for name, kind in kinds.items()},
            BOTH: self.both,
            NEGATED: self.negated,
            WITHIN: self.within,
            WAYS: self.ways,
            EACH: self.each,
        }


def kind_within(value: Any) -> Any:
    """The kind of what is there to be added up, or compared."""
    if type(value) is Unknown:
        return int if value.kind in NUMBERS else ANY
    if isinstance(value, tuple | list):
        kinds = {kind_within(one) for one in value}
        return kinds.pop() if len(kinds) == 1 else ANY
    return int if type(value) in NUMBERS else ANY


def is_exact(value: Any) -> bool:
    """Whether all that is in it is a whole number, and no truth value."""
    if isinstance(value, tuple | list):
        return all(map(is_exact, value))
    return (value.kind if type(value) is Unknown else type(value)) is int


def _ascends(numbers: list[int]) -> bool:
    return all(map(lt, numbers, numbers[1:]))


def _open_set(value: Any) -> OpenSet | None:
    """What a set of the state is, if it depends on choices."""
    found = value._value if isinstance(value, Editor) else None
    return found if type(found) is OpenSet else None
