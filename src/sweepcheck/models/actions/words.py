"""What the functions that a starting function calls mean while its choices are left open."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from itertools import chain, combinations, combinations_with_replacement, permutations, product
from operator import lt
from types import FunctionType
from typing import Any, NoReturn

from sweepcheck.models.actions.branches import OpenSet
from sweepcheck.models.actions.choice import OFFERS, check_condition
from sweepcheck.models.actions.draft import Draft, Editor
from sweepcheck.models.actions.unknown import (
    ANY,
    KINDS,
    GiveUpError,
    OpenRun,
    Unknown,
    has_unknown,
    is_plain,
    kind_of,
    kind_within,
)
from sweepcheck.models.structures.editors import RecordEditor, TableEditor

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
        if type(condition) is Unknown or not condition:
            self._run.require(condition if type(condition) is Unknown else False)
        elif has_unknown(condition):  # it may be (True, "why")
            raise GiveUpError
        else:
            check_condition(condition)

    def deferred(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function from outside: called when its arguments are known. It may change none of them before that."""
        run = self._run

        def call(*given: Any, **named: Any) -> Any:
            everything = [*given, *named.values()]
            if not any(one is run.draft or has_unknown(one) for one in everything):
                if not all(self._is_known(one) for one in everything):
                    raise GiveUpError
                found = function(*given, **named)
                if type(found) not in ARRANGEMENTS and not is_plain(found):
                    raise GiveUpError
                return found
            names = [""] * len(given) + [f"{name}=" for name in named]
            if any(one is not run.draft and not _is_lasting(one) for one in everything):
                raise GiveUpError
            lent = ["lent({})" if type(one) is list else "{}" for one in everything]
            form = "{}(" + ", ".join(map("".join, zip(names, lent, strict=True))) + ")"
            return run.expression(ANY, form, function, *everything, sure=False)

        return call

    def _is_known(self, value: Any) -> bool:
        """Whether nothing unknown can be reached by a value."""
        if isinstance(value, Editor | RecordEditor | TableEditor):
            return self._run.is_certain and not has_unknown(tuple(self._run.values()))
        if is_plain(value):
            return self._run.is_certain or (type(value) is not list and _is_lasting(value))
        return isinstance(value, Enum | FunctionType | type)

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
            form = f"{name}({', '.join('{}' for _ in given)})"
            return self._run.expression(found, form, *given, sure=kind_within(given) in (int, str))

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
        other, sure = self._run.later(second)
        kinds = {one.kind if type(one) is Unknown else type(one) for one in (first, other)}
        kind = bool if kinds == {bool} else ANY
        return self._run.expression(kind, f"({{}} {sign} {{}})", first, other, sure=sure and kinds <= KINDS)

    def negated(self, one: Any) -> Any:
        """`not one`."""
        if type(one) is not Unknown:
            return not one
        made = self._run.expression(bool, "(not {})", one, sure=one.kind is not ANY)
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
        kinds = {kind_within(one), kind_within(among)} if isinstance(among, tuple | list | range) else {ANY}
        return self._run.expression(bool, "({} in {})", one, among, sure=ANY not in kinds)

    def ways(self, test: Any) -> Iterable[bool]:
        """The branches of an `if` that are run: one, or both where it does not matter that they are run together."""
        if type(test) is Unknown and self._run.merges and not self._run.is_known(test):
            return self._guarded(test)
        return (bool(test),)

    def _guarded(self, test: Unknown) -> Iterator[bool]:
        guards = self._run.guards
        for way, guard in ((True, test), (False, self.negated(test))):
            guards.append(guard)
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


class Lent(list[Any]):
    """A list as an argument: who changes it would change one that is made anew for each call."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise GiveUpError

    append = extend = insert = remove = pop = clear = sort = reverse = _refuse
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse


def checked(condition: Any) -> bool:
    """What `require` says of something that is true."""
    check_condition(condition)
    return True


def _is_lasting(value: Any) -> bool:
    """Whether a function cannot change a value, or is lent it."""
    if type(value) is list or isinstance(value, tuple):
        return not any(isinstance(one, list | set | dict) or not _is_lasting(one) for one in value)
    return not isinstance(value, list | set | dict | Editor | RecordEditor | TableEditor | Iterator)


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
