"""Functions that could notice a number in question get plain ones: both engines say the same."""

# ruff: noqa: FURB192, PLC3002, PLW0108, UP031 - what a modeller may write

import copy
import dataclasses
import fractions
import functools
import json
import math
import numbers
import operator
import re
import statistics
import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from enum import Enum, IntEnum
from typing import Any

import pytest
from comparing import same

from sweepcheck import Array, Bag, Model, check, choose, require
from sweepcheck.engines.native import description
from sweepcheck.engines.native.noticing import Proofs


@pytest.fixture(params=["patterns", "comparing"])
def in_question(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "patterns":
            patch.setattr(description, "PATTERNS_AFTER", 0)
        else:
            patch.setattr(description, "COMPARE_ALWAYS", True)
        yield


class Wrapped:
    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return type(other) is int and other > 5

    __hash__ = None  # type: ignore[assignment]


class Sneaky(int):
    def __add__(self, other: Any) -> int:
        return 1 if type(other) is int and other > 5 else 0


class Colour(Enum):
    RED = 1


class Level(IntEnum):
    LOW = 1
    HIGH = 7


@dataclasses.dataclass(frozen=True)
class Point:
    x: int

    def is_far(self, other: Any) -> bool:
        return type(other) is int and other > 5


def _type_of(value: Any) -> Any:
    return type(value)


def caught(function: Callable[[Any], Any], *errors: type[Exception]) -> Callable[[Any, Any], Any]:
    def call(v: Any, w: Any) -> Any:
        try:
            return function(v) > 5
        except errors:
            return False

    return call


def finally_found(v: Any, w: Any) -> bool:
    found = 0
    try:
        found = int.__add__(v, 1)
    finally:
        return found is not NotImplemented and found > 6  # noqa: B012


class Quiet:
    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> bool:
        return True


def with_quiet(v: Any, w: Any) -> bool:
    found = 0
    with Quiet():
        found = int.__mul__(v, 1)
        found = found if found is not NotImplemented else 0
    return found > 5


def matched(v: Any, w: Any) -> bool:
    match v:
        case bool():
            return False
        case int(real=5 | 6 | 7):
            return True
    return False


SEVEN = 7
KNOWN: dict[Any, Any] = {}


def remembered(v: Any) -> Any:
    if v not in KNOWN:
        KNOWN[v] = v + 0
    return KNOWN[v]


@functools.lru_cache
def cached(v: Any) -> Any:
    return v + 0


@functools.singledispatch
def told_apart(v: Any) -> bool:
    return False


@told_apart.register(int)
def _(v: int) -> bool:
    return v > 5


# Each is true of some small numbers and false of larger ones, or the other way round.
ODD: dict[str, Callable[[Any, Any], Any]] = {
    "type": lambda v, w: type(v) is int and v > 5,
    "type, elsewhere": lambda v, w: _type_of(v) is int and v > 5,
    "types in a table": lambda v, w: {int: v}.get(_type_of(v), 0) > 5,
    "class": lambda v, w: v.__class__ is int and v > 5,
    "isinstance": lambda v, w: isinstance(v, int) and v > 5,
    "isinstance of bool": lambda v, w: isinstance(v, bool) or v > 5,
    "isinstance of an abstract class": lambda v, w: isinstance(v, numbers.Integral) and v > 5,
    "is": lambda v, w: v is w,
    "is not": lambda v, w: v is not w and w is not v,
    "is a number": lambda v, w: v is SEVEN,
    "is true": lambda v, w: v is True or v > 5,
    "is an enumeration": lambda v, w: v is Level.HIGH or v == Level.HIGH,
    "operator.is_": lambda v, w: operator.is_(v, w),
    "an object in a list": lambda v, w: any(one is v for one in [1, 2, 3, 4]),
    "id": lambda v, w: len({_id(v), _id(w)}) == 1,
    "a method of int": lambda v, w: int.__add__(v, 1) is not NotImplemented and v > 5,
    "a method of a number": lambda v, w: (3).__add__(v) is not NotImplemented and v > 5,
    "a method of a number that compares": lambda v, w: (5).__lt__(v) is True,
    "operator.index": lambda v, w: operator.index(v) > 5,
    "operator.eq": lambda v, w: operator.eq(v, w),
    "decimal": caught(Decimal, TypeError),
    "decimal without an error": lambda v, w: Decimal(int(v)) > 5,
    "decimal and a number": lambda v, w: Decimal(5) < v,
    "a sum with a decimal": lambda v, w: Decimal(5) + v > 10,
    "fraction": caught(fractions.Fraction, TypeError),
    "fractions compared": lambda v, w: fractions.Fraction(11, 2) < v,
    "json": caught(lambda v: int(json.dumps(v)), TypeError),
    "json of a list": caught(lambda v: json.loads(json.dumps([v]))[0], TypeError, Exception),
    "math": lambda v, w: math.gcd(v, 6) == 6,
    "math with a float": lambda v, w: math.log2(v + 1) > 2.5,
    "math.isclose": lambda v, w: math.isclose(v, w),
    "statistics": lambda v, w: statistics.mean([v, 5]) > 5,
    "re": caught(lambda v: len(re.sub("a", "b", v)), TypeError),
    "text by %": lambda v, w: "%d" % v > "5",
    "text by format": lambda v, w: f"{v:02}" > "05",
    "text joined": caught(lambda v: "".join([v]), TypeError),
    "copy": lambda v, w: type(copy.copy(v)) is int and copy.deepcopy([v])[0] > 5,
    "copy of a list": lambda v, w: copy.copy([v])[0] > 5,
    "a key": lambda v, w: {5: True, 6: True}.get(v, False),
    "an element": lambda v, w: v in {1, 2, 6},
    "an element of a tuple": lambda v, w: v in (1, 2, 6),
    "an index": lambda v, w: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9][v] > 5,
    "an index of a list": lambda v, w: [w, 7, v].index(v) == 0,
    "sorted": lambda v, w: sorted([5, v])[0] == 5,
    "sorted by type": lambda v, w: sorted([5, v], key=lambda one: (_type_of(one) is not int, -one))[0] == v,
    "max by type": lambda v, w: max(5, v, key=lambda one: type(one).__name__ < "j" and one) == v,
    "sum": lambda v, w: sum([v, w], 1) > 8,
    "sum of floats": lambda v, w: sum([0.1, v, 0.2], 0.3) > 5.5,
    "min and abs": lambda v, w: min(abs(v - 5), abs(w)) == 0,
    "round": lambda v, w: round(v, -1) == 10,
    "divmod": lambda v, w: divmod(v, 3)[1] == 2,
    "a user's comparison": lambda v, w: Wrapped(0) == v,
    "a user's sum": lambda v, w: Sneaky(1) + v == 1,
    "a user's method": lambda v, w: Point(0).is_far(v),
    "a field": lambda v, w: Point(v).x > 5,
    "points compared": lambda v, w: Point(v) == Point(6),
    "a user's class in a set": lambda v, w: Point(v) in {Point(1), Point(6)},
    "an enumeration by number": caught(lambda v: Level(v), ValueError),
    "partial": lambda v, w: functools.partial(_type_of, v)() is int and v > 5,
    "reduce": lambda v, w: functools.reduce(operator.add, [v, w], 0) > 8,
    "reduce by type": lambda v, w: (
        functools.reduce(lambda one, other: one + (type(other) is int), [v, w], 0) > 1 and v > 5
    ),
    "map of type": lambda v, w: [*map(type, [v])] == [int] and v > 5,
    "filter by type": lambda v, w: len([*filter(lambda one: type(one) is int and one > 5, [v, w])]) > 0,
    "a method taken from a class": lambda v, w: (
        [*map(int.__neg__, [1])] == [-1] and caught(int.__neg__, TypeError)(-v, w)
    ),
    "finally": finally_found,
    "with": with_quiet,
    "match": matched,
    "a dictionary that is filled": lambda v, w: remembered(v) > 5,
    "a cache": lambda v, w: cached(v) > 5,
    "single dispatch": lambda v, w: told_apart(v),
    "getattr": lambda v, w: getattr(v, "__class__") is int and getattr(5, "__lt__")(v) is True,  # noqa: B009
    "hasattr": lambda v, w: hasattr(v, "bit_length") and v > 5,
    "vars of a class": lambda v, w: int.__dict__["__gt__"](v, 5) is True,
    "getsizeof": lambda v, w: sys.getsizeof(v) == sys.getsizeof(5) and v > 5,
    "callable": lambda v, w: callable(v) or v > 5,
    "nested": lambda v, w: (lambda one: type(one) is int and one > 5)(v),
    "a generator": lambda v, w: any(type(one) is int and one > 5 for one in (v, w)),
    "slices": lambda v, w: len(((0,) * 9)[:v]) > 5,
    "text of a number": lambda v, w: str(v) > "5" or repr(w) == "7",
    "bits": lambda v, w: v.bit_length() == 3 and v & 1,
    "to bytes": lambda v, w: v.to_bytes(1, "big") > b"\5",
    "NotImplemented": lambda v, w: v.__lt__(5.5) is NotImplemented or v > 5,
}


def _id(value: Any) -> int:
    return builtins_id[0](value)


builtins_id = [id]


def counter(use: Callable[[Any, Any], Any]) -> Model:
    m = Model("odd", x=0, y=3, z=False)

    @m.action
    def up(s):
        require(s.x < 9)
        s.x += 1

    @m.action
    def jump(s):
        require(s.x == 9)
        s.y = (s.y + 4) % 9
        s.x = 0

    @m.action
    def look(s):
        require(s.x >= 0 and s.y >= 0)
        s.z = bool(use(s.x, s.y))

    @m.action
    def keep(s):
        found = bool(use(s.x, s.y))
        require(found)
        s.y = s.x

    return m


@pytest.mark.usefixtures("in_question")
@pytest.mark.parametrize("name", ODD)
def test_what_an_action_may_do_with_a_number(name: str) -> None:
    same(lambda: counter(ODD[name]))


@pytest.mark.usefixtures("in_question")
@pytest.mark.parametrize("name", ODD)
def test_what_a_predicate_may_do_with_a_number(name: str) -> None:
    use = ODD[name]

    def make() -> Model:
        m = counter(lambda v, w: False)
        m.always_possible("found", lambda s: use(s.x, s.y))
        m.invariant("never", lambda s: s.x < 0 or not use(s.x, s.y) or s.y != 2)
        return m

    same(make)


@pytest.mark.usefixtures("in_question")
@pytest.mark.parametrize("name", ODD)
def test_what_an_action_may_do_with_a_token(name: str) -> None:
    use = ODD[name]

    def make() -> Model:
        m = Model("odd", y=3, b=Bag([0, 5]), z=False)

        @m.action
        def up(s):
            token = s.b.take()
            s.b.add((token + 1) % 9)

        @m.action
        def look(s):
            token = s.b.peek()
            s.z = bool(use(token, s.y))

        @m.action
        def keep(s):
            token = choose(range(12))
            require(use(token, s.y))
            s.y = token % 10

        return m

    same(make)


# -- what is proven, and what is not -----------------------------------------------------------------------------------

HARMLESS = {"isinstance", "isinstance of bool", "is true", "is an enumeration", "operator.index", "operator.eq", "math"}
HARMLESS |= {"text by %", "text by format", "a key", "an element", "an element of a tuple", "an index", "sorted"}
HARMLESS |= {"an index of a list", "sum", "sum of floats", "min and abs", "round", "divmod", "reduce", "hasattr"}
HARMLESS |= {"slices", "text of a number", "bits", "to bytes"}


def test_what_is_proven() -> None:
    assert {name for name, use in ODD.items() if not Proofs().may_notice(use)} == HARMLESS


@dataclasses.dataclass(frozen=True)
class Spot:
    x: int
    y: int = 0

    def right(self) -> Any:
        return Spot(self.x + 1, self.y)


class ByIdentity(Enum):
    ONE = 1
    __eq__ = operator.is_  # type: ignore[assignment]
    __hash__ = object.__hash__


class Defaulting:
    limit = [Wrapped(1)]  # noqa: RUF012 - that it may change is the point


FLAG = None
SPOTS = (Spot(1), Spot(2))
TABLE = {1: [Spot(1)]}
BAGS = Bag([Point(1)])


def shadowed(v: Any, w: Any) -> Any:
    flag = None
    found = flag is None

    def inner(flag: Any) -> bool:
        return found and v is flag

    return inner(w)


def with_flag() -> Callable[[Any, Any], Any]:
    flag = None

    def outer(v: Any, w: Any) -> Any:
        def middle(flag: Any) -> Any:
            return lambda: v is flag

        return middle(w)() or flag

    return outer


PROVEN: dict[str, Callable[..., Any]] = {
    "a class": lambda v: Spot(v).right() == Spot(3),
    "constants": lambda v: v in [one.x for one in SPOTS] or TABLE[1][0].x == v,
    "None": lambda v: v is not None and FLAG is None,
    "a match": lambda v: _matched_well((v, 1)),
    "a loop": lambda v: [one for one in range(3) if one < v],
    "a walrus": lambda v: (other := v + 1) > 3 and other,
}
NOT_PROVEN: dict[str, Callable[..., Any]] = {
    "one of two": lambda v, w: v is (w or None),
    "a name that is another one inside": shadowed,
    "a name from outside that is another one inside": with_flag(),
    "an operator of an enumeration": lambda v: v == ByIdentity.ONE,
    "an attribute of a class": lambda v: Defaulting.limit[0] == v,
    "tokens of a constant bag": lambda v: [one.is_far(v) for one in BAGS],
    "a module": lambda v: _look_up(math, v),
    "an import": lambda v: _importing(v),
    "a star": lambda v: _caught_in_groups(v),
    "a class that is made": lambda v: _made(v),
    "exec": lambda v: exec("print(type(v))"),
}


def _matched_well(pair: Any) -> bool:
    match pair:
        case [1, 2]:
            return True
        case [other, None]:
            return bool(other)
    return False


def _look_up(module: Any, v: Any) -> Any:
    return module.isclose(v, 1)


def _importing(v: Any) -> Any:
    from decimal import Decimal as Number

    return Number(v)


def _caught_in_groups(v: Any) -> Any:
    try:
        return Decimal(v)
    except* TypeError:
        pass


def _made(v: Any) -> Any:
    class Made:
        def __eq__(self, other: object) -> bool:
            return type(other) is int

        __hash__ = None  # type: ignore[assignment]

    return Made() == v


@pytest.mark.parametrize("name", PROVEN)
def test_proven(name: str) -> None:
    assert Proofs().obstacle(PROVEN[name]) is None


@pytest.mark.parametrize("name", NOT_PROVEN)
def test_not_proven(name: str) -> None:
    assert Proofs().may_notice(NOT_PROVEN[name])


def test_members_of_a_family_are_told_by_their_values() -> None:
    proofs = Proofs()

    def waits(s: Any, i: Any) -> bool:
        return bool(s.at == i)

    assert not proofs.may_notice(waits, [3])
    assert proofs.may_notice(waits, [Wrapped(1)])
    assert not proofs.may_notice(waits, ["a", Spot(1)])


@pytest.mark.parametrize("value", [(1, "a"), frozenset({1}), Spot(1), Level.HIGH, Bag([Spot(1)]), (Spot(1),)])
def test_values_that_cannot_notice(value: Any) -> None:
    assert Proofs().is_transparent(value)


@pytest.mark.parametrize("value", [Point(1), Decimal(1), (1, (Point(1),)), Bag([Point(1)]), fractions.Fraction(1, 2)])
def test_values_that_may_notice(value: Any) -> None:
    assert not Proofs().is_transparent(value)


@pytest.mark.usefixtures("in_question")
def test_a_value_of_the_state_that_notices() -> None:
    def make() -> Model:
        m = Model("state", x=0, p=Point(0), z=False)

        @m.action
        def up(s):
            require(s.x < 9)
            s.x += 1

        @m.action
        def look(s):
            s.z = s.p.is_far(s.x)

        return m

    same(make)


def test_ordinary_functions_are_compared_all_the_same() -> None:
    m = Model("places", p=Array([40, 0]))

    @m.action
    def move(s):
        require(s.p[0] >= 2)
        s.p[0] -= 2
        s.p[1] += 1

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(description, "COMPARE_ALWAYS", True)
        report = check(m, engine="native")
    assert report.actions[0].evaluations < 10
