"""Values that nobody should hand to a function, and somebody will."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from sweepcheck.errors import shown


def _refuse(self: object, *_: object) -> Any:
    raise ZeroDivisionError("asked")


METHODS = ("__eq__", "__hash__", "__repr__", "__str__", "__bool__", "__len__", "__iter__", "__lt__", "__call__")


def refusing(*methods: str, base: type = object, value: tuple[Any, ...] = ()) -> Any:
    """An object of a subclass in which these methods raise."""
    return type(f"Refusing{base.__name__.title()}", (base,), dict.fromkeys(methods, _refuse))(*value)


class Deceiving:
    """Has every attribute, and none of them is any good."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self


class Shade(Enum):
    """An enumeration of the user's."""

    DARK = 1


def numbers_from(first: int) -> Iterator[int]:
    """A generator that ends."""
    yield first


NUMBERS = (
    0, 1, -1, 2, 255, 2**31, 2**32, 2**53 + 1, 2**63 - 1, 2**63, 2**64, 10**23, 10**400, -(10**400), True, False,
    0.0, -0.0, 0.5, -0.5, 1e-320, 1e308, float("inf"), float("-inf"), float("nan"), 1j,
    Fraction(1, 3), Fraction(10**400, 3), Decimal("0.1"), Decimal("nan"), Decimal("snan"),
)  # fmt: skip
TEXTS = (
    "", " ", "0", "1", "-1", "1.5", "x", "s.n", "n", "n +", "import os", "1" * 23, "9" * 5000, "٣", "²", "nan", "inf",
    "layer", "auto", "full", "sweep", "caching", "column", "native", "reference", "scc", "p=scc", "\x00",
    "\ud800", "\x1b[2J", "a\nb", "a.b", "_", "__class__", "class", "tau", "ä", "x" * 10_000, "(" * 500,
)  # fmt: skip
OTHERS = (
    None, ..., NotImplemented, b"", b"x", (), (1,), (1, 2), ("a", "b", "c"), [], [1], ["x"], [None], [[]], {}, {"n": 1},
    {1: 2}, {"x": None}, set(), {1}, frozenset(), frozenset({"n"}), range(3), range(0), object, int, type, Shade,
    Shade.DARK, len, lambda: 0, lambda s: s, lambda s: 1 // 0, lambda *given: True, lambda *given: "x",
    lambda *given: 10**400, Path("/nowhere/at/all"), Path("nothing.py"), Deceiving(), object(), ValueError("x"),
)  # fmt: skip
HOSTILE = (
    *(refusing(method) for method in METHODS),
    refusing(*METHODS),
    refusing("__eq__", "__hash__", base=str, value=("n",)),
    refusing("__repr__", "__str__", base=str, value=("n",)),
    refusing("__eq__", "__lt__", "__gt__", "__le__", "__ge__", "__index__", "__int__", base=int, value=(3,)),
    refusing("__iter__", "__len__", base=list, value=([1],)),
    refusing("__iter__", "__len__", "__getitem__", "keys", "items", base=dict, value=({"n": 1},)),
)
ODD = (*NUMBERS, *TEXTS, *OTHERS, *HOSTILE)


@dataclass(frozen=True, eq=False)
class Held:
    """A value that is not looked at before it is handed over."""

    value: Any

    def __repr__(self) -> str:
        return shown(self.value)


_position = st.integers(0, len(ODD) - 1)
odd_values = st.one_of(
    _position.map(lambda position: Held(ODD[position])),
    st.one_of(st.integers(), st.floats(), st.text(max_size=20)).map(Held),
    st.lists(_position, max_size=3).map(lambda positions: Held([ODD[position] for position in positions])),
    st.lists(_position, max_size=3).map(lambda positions: Held(tuple(ODD[position] for position in positions))),
    st.integers().map(lambda first: Held(numbers_from(first))),
)
