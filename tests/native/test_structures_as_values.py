"""What stands for a bag, set, queue or array in an action answers as the value would, or refuses as Python would."""

# ruff: noqa: PLC3002, PLW0108, RUF005, UP031 - what a modeller may write

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from comparing import same

from sweepcheck import Array, Bag, Map, Model, Queue, Record, Set, SweepcheckError, check, require
from sweepcheck.errors import ModelError

VALUES: dict[str, Any] = {
    "b": Bag([1, 1, 2]),
    "e": Set([1, 2]),
    "q": Queue([3, 1]),
    "none": Queue([]),
    "a": Array([2, 0, 1]),
    "g": Array(0, shape=(2, 2)),
    "r": Record(v=1, w=2),
    "k": Map({"p": 1, "z": 2}),
}
PYTHONS = (AttributeError, IndexError, KeyError, TypeError, ValueError)


def taken_apart(value: Any) -> Any:
    match value:
        case [one, other]:
            return "two", one == other
        case [_, _, _]:
            return "three"
        case []:
            return "none"
    return "no sequence"


ASKED: dict[str, Callable[[Any], Any]] = {
    "repr": repr,
    "str": str,
    "format": lambda x: f"{x} {x!r}",
    "by %": lambda x: "%s" % (x,),
    "bool": bool,
    "len": len,
    "list": list,
    "tuple": tuple,
    "set": lambda x: sorted(set(x), key=repr),
    "sorted": sorted,
    "reversed": lambda x: list(reversed(x)),
    "min": min,
    "sum": sum,
    "any": any,
    "starred": lambda x: [*x],
    "enumerated": lambda x: list(enumerate(x)),
    "itself": lambda x: x == x,  # noqa: PLR0124
    "not itself": lambda x: x != x,  # noqa: PLR0124
    "a list": lambda x: x == [5],
    "a tuple": lambda x: (x == (2, 0, 1), x == (3, 1)),
    "a set": lambda x: (x == {1, 2}, {1, 2} == x),
    "a bag": lambda x: (x == Bag([1, 1, 2]), Bag([1, 1, 2]) == x),
    "a map": lambda x: x == {"p": 1, "z": 2},
    "None": lambda x: x == None,  # noqa: E711
    "less": lambda x: x < (3,),
    "less or equal": lambda x: x <= x,  # noqa: PLR0124
    "a larger bag": lambda x: x <= Bag([1, 1, 2, 2]),
    "a larger set": lambda x: x <= {1, 2, 3},
    "a smaller set": lambda x: x >= {1},
    "added to itself": lambda x: x + x,
    "a tuple added": lambda x: x + (7,),
    "added to a tuple": lambda x: (7,) + x,
    "a bag added": lambda x: x + Bag([7]),
    "added to a bag": lambda x: Bag([7]) + x,
    "a list added": lambda x: x + [7],
    "subtracted": lambda x: x - Bag([1]),
    "a set subtracted": lambda x: x - {1},
    "subtracted from a set": lambda x: {1, 9} - x,
    "repeated": lambda x: (x * 2, 2 * x),
    "united": lambda x: x | x,
    "united with a set": lambda x: (x | {7}, {7} | x),
    "common": lambda x: (x & {1}, {1} & x),
    "different": lambda x: x ^ {1},
    "first": lambda x: x[0],
    "last": lambda x: x[-1],
    "outside": lambda x: x[5],
    "slice": lambda x: x[1:],
    "backwards": lambda x: x[::-1],
    "a key": lambda x: x["p"],
    "no key": lambda x: x["nowhere"],
    "no index": lambda x: x[None],
    "in": lambda x: (1 in x, 9 in x),
    "count": lambda x: x.count(1),
    "copied": lambda x: copy.copy(x),
    "copied deeply": lambda x: copy.deepcopy(x),
    "an attribute": lambda x: x.nowhere,
    "hasattr": lambda x: hasattr(x, "_nowhere") if isinstance(x, Record) else True,
    "passed on": lambda x: (lambda *y: y)(*x),
    "zipped": lambda x: list(zip(x, x, strict=True)),
    "joined": lambda x: "".join(map(str, x)),
    "and": lambda x: bool(x and 1),
    "negative": lambda x: -x,
    "int": int,
    "called": lambda x: x(),
    "matched": taken_apart,
}
# Where a draft has more than the value, or says otherwise why it cannot: rows may be compared with lists, and so on.
MORE = {("g", "a set"), ("r", "an attribute"), ("r", "first"), ("r", "last"), ("k", "count")}
# Sequences of a draft are read by their elements; what is made of them is made of `tuple(s.q)`.
MORE |= {
    (of, name) for of in ("b", "e", "q", "none", "a") for name in ("copied", "copied deeply", "matched", "repeated")
}
MORE |= {(of, name) for of in ("q", "none", "a") for name in ("added to itself", "a tuple added", "added to a tuple")}
MORE |= {("r", name) for name in ("outside", "slice", "backwards", "a key", "no key", "no index")}


def said(ask: Callable[[Any], Any], x: Any) -> str:
    try:
        return repr(ask(x))
    except PYTHONS as error:
        return next(kind.__name__ for kind in PYTHONS if isinstance(error, kind))
    except SweepcheckError as error:
        return error.code


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("of", VALUES)
def test_in_an_action_as_the_value(of: str, name: str) -> None:
    ask = ASKED[name]

    def make() -> Model:
        m = Model("asked", said="", **VALUES)

        @m.action
        def look(s):
            require(not s.said)
            s.said = said(ask, getattr(s, of))

        expected = said(ask, VALUES[of])
        if (of, name) not in MORE:
            m.invariant("as the value", lambda s: s.said in ("", expected))
            m.invariant("in a predicate too", lambda s: said(ask, getattr(s, of)) == expected)
        return m

    found = same(make)
    assert not isinstance(found, str)
    assert all(status == "holds" for _, status in found[-1])  # type: ignore[union-attr]


HANDLED: dict[str, Callable[[Any], Any]] = {
    "IndexError of a queue": lambda s: s.q[0],
    "IndexError of an array": lambda s: s.a[s.n],
    "IndexError of a row": lambda s: s.g[0, s.n],
    "KeyError of a map": lambda s: s.k[s.n],
    "TypeError of a value": lambda s: setattr(s, "n", []),
    "TypeError of a bag": lambda s: s.b[0],
    "ValueError of an array": lambda s: s.a.index(s.n),
    "AttributeError of a bag": lambda s: s.b.nothing,
}


@pytest.mark.parametrize("name", HANDLED)
def test_an_error_that_the_model_handles(name: str) -> None:
    kind = {error.__name__: error for error in PYTHONS}[name.split(maxsplit=1)[0]]
    use = HANDLED[name]

    def make() -> Model:
        m = Model("handled", n=2, z=0, q=Queue([]), a=Array([0, 1]), g=Array(0, shape=(2, 2)), b=Bag(), k=Map({1: 2}))

        @m.action
        def look(s):
            require(s.z == 0)
            try:
                use(s)
                s.z = 1
            except kind:
                s.z = 2

        m.invariant("handled", lambda s: s.z != 1)
        return m

    found = same(make)
    assert not isinstance(found, str)
    assert all(status == "holds" for _, status in found[-1])  # type: ignore[union-attr]


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("name", HANDLED)
def test_an_error_that_it_does_not_handle(name: str, engine: str) -> None:
    m = Model("unhandled", n=2, q=Queue([]), a=Array([0, 1]), g=Array(0, shape=(2, 2)), b=Bag(), k=Map({1: 2}))

    @m.action
    def look(s):
        HANDLED[name](s)

    with pytest.raises(SweepcheckError) as caught:
        check(m, engine=engine)
    assert isinstance(caught.value, ModelError)
    assert caught.value.code in ("SC203", "SC207", "SC214")
