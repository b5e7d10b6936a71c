"""The random functions of CPN Tools: a state space has every outcome of them, a simulation draws one.

Each is a choice within the run of its transition. Of real numbers only that is chosen which somebody asks: a comparison
has two answers, a rounded number those that are in its range. What the draw is known to be between is kept, so that
later answers agree with earlier ones. Outcomes of probability zero, such as the limit of an interval, are left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Any, NoReturn

from sweepcheck.core import chance
from sweepcheck.core.running import current
from sweepcheck.errors import ModelError
from sweepcheck.models.actions.choice import choose

MOST_OUTCOMES = 10_000  # of one draw
SIMULATE = "draw it: sweepcheck simulate FILE.cpn --random 100; or let the outcome be discrete(a, b), or a variable"


class Draw:
    """A random number between two others, which narrows as questions about it are answered."""

    __slots__ = ("high", "low", "name", "noted")

    def __init__(self, name: str, low: float, high: float) -> None:
        self.name, self.low, self.high = name, low, high
        self.noted = _note("")

    def narrow(self, low: float, high: float) -> None:
        """The draw is known to be between these."""
        self.low, self.high = max(low, self.low), min(high, self.high)
        notes = chance.drawn.get()
        if notes is not None and self.noted is not None:
            notes[self.noted] = f"{_bound(self.low)}..{_bound(self.high)}"


class Drawn:
    """`scale * draw + shift`: a random number that may be compared with numbers, and rounded."""

    __slots__ = ("draw", "scale", "shift")

    def __init__(self, draw: Draw, scale: float = 1.0, shift: float = 0.0) -> None:
        self.draw, self.scale, self.shift = draw, scale, shift

    # -- questions that have finitely many answers -------------------------------------------------------------------

    def __lt__(self, other: Any) -> bool:
        limit = (self._number(other) - self.shift) / self.scale
        return self._is_below(limit) if self.scale > 0 else not self._is_below(limit)

    __le__ = __lt__

    def __gt__(self, other: Any) -> bool:
        return not self.__lt__(other)

    __ge__ = __gt__

    def __eq__(self, other: object) -> bool:
        self._number(other)
        return False

    __hash__ = None  # type: ignore[assignment]

    def _is_below(self, limit: float) -> bool:
        draw = self.draw
        if limit <= draw.low or limit >= draw.high:
            return limit >= draw.high
        below: bool = _among(("below", "above")) == "below"
        draw.narrow(*((draw.low, limit) if below else (limit, draw.high)))
        return below

    def rounded(self, how: Callable[[float], int]) -> int:
        """The number made whole: one of those that it can be."""
        low, high = sorted((self.scale * self.draw.low + self.shift, self.scale * self.draw.high + self.shift))
        if not (math.isfinite(low) and math.isfinite(high)) or high - low > MOST_OUTCOMES:
            self._refuse("has too many whole values")
        spans = {one: _span(how, one) for one in range(math.floor(low) - 1, math.ceil(high) + 2)}
        outcomes = tuple(one for one, (first, last) in spans.items() if max(first, low) < min(last, high))
        found: int = _among(outcomes)
        self.draw.narrow(*sorted((one - self.shift) / self.scale for one in spans[found]))
        return found

    # -- numbers that are made of it ---------------------------------------------------------------------------------

    def __add__(self, other: Any) -> Drawn:
        return Drawn(self.draw, self.scale, self.shift + self._number(other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Drawn:
        return Drawn(self.draw, self.scale, self.shift - self._number(other))

    def __rsub__(self, other: Any) -> Drawn:
        return (-self).__add__(other)

    def __neg__(self) -> Drawn:
        return Drawn(self.draw, -self.scale, -self.shift)

    def __mul__(self, other: Any) -> Any:
        factor = self._number(other)
        return Drawn(self.draw, self.scale * factor, self.shift * factor) if factor else 0.0

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Drawn:
        divisor = self._number(other)
        if divisor == 0:
            self._refuse("is divided by 0")
        return Drawn(self.draw, self.scale / divisor, self.shift / divisor)

    def __abs__(self) -> Drawn:
        return -self if self < 0.0 else self

    # -- everything else ---------------------------------------------------------------------------------------------

    def __float__(self) -> float:
        self._refuse()

    __int__ = __float__

    def __format__(self, _: str) -> str:
        self._refuse()

    def __rtruediv__(self, _: Any) -> Drawn:
        self._refuse()

    def __repr__(self) -> str:
        return self.draw.name

    def _number(self, other: Any) -> float:
        if isinstance(other, Drawn) or not isinstance(other, int | float) or not math.isfinite(other):
            self._refuse(f"meets {other!r}")
        return float(other)

    def _refuse(self, why: str = "is used as it is, not only compared") -> NoReturn:
        raise endless(f"{self.draw.name} has no end of values, and {why}")


def endless(what: str) -> ModelError:
    """The error for a draw that a state space cannot have."""
    return ModelError("SC142", what, suggestion=SIMULATE)


def one_of(
    name: str, values: Sequence[Hashable], text: Callable[[Any], str], draw: Callable[[Random], Any] | None = None
) -> Any:
    """A random value out of finitely many, each as likely as any other unless `draw` says otherwise."""
    numbers = chance.source.get()
    if numbers is None:
        _check_running()
    if not values or (numbers is None and len(values) > MOST_OUTCOMES):
        raise endless(f"{name} has {len(values):,} values")
    if numbers is None:
        found: Any = _among(tuple(values))
    else:
        found = values[int(numbers.random() * len(values))] if draw is None else draw(numbers)
    _note(text(found))
    return found


def between(name: str, low: float, high: float, draw: Callable[[Random], float]) -> Any:
    """A random real number; explored, only what is asked about it is known."""
    numbers = chance.source.get()
    if numbers is not None:
        found = draw(numbers)
        _note(_bound(found))
        return found
    _check_running()
    return Drawn(Draw(name, low, high))


def without_end(name: str, text: Callable[[Any], str], draw: Callable[[Random], Any]) -> Any:
    """A random value of which there is no end: only simulations have one."""
    numbers = chance.source.get()
    if numbers is None:
        _check_running()
        raise endless(f"{name} has no end of values")
    found = draw(numbers)
    _note(text(found))
    return found


def _among(values: tuple[Any, ...]) -> Any:
    _check_running()
    return values[0] if len(values) == 1 else choose(values)


def _check_running() -> None:
    if current.get() is None:
        raise chance.OutsideError


def _note(text: str) -> int | None:
    """Write down what was drawn; where."""
    notes = chance.drawn.get()
    if notes is None:
        return None
    notes.append(text)
    return len(notes) - 1


def _bound(value: float) -> str:
    return f"{value:.6g}".replace("-", "~")


def _span(how: Callable[[float], int], one: int) -> tuple[float, float]:
    """The numbers that are rounded to a whole one."""
    if how is math.floor or (how is math.trunc and one > 0):
        return one, one + 1
    if how is math.ceil or (how is math.trunc and one < 0):
        return one - 1, one
    return (-1, 1) if how is math.trunc else (one - 0.5, one + 0.5)
