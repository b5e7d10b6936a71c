"""The distributions of CPN Tools, by name: their types, the values that they give, and how one is drawn."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Any

from sweepcheck.models.cpn.ml.chance import between, one_of, without_end
from sweepcheck.models.cpn.ml.running import Raised

INFINITE = math.inf
MOST_TRIALS = 1_000_000  # of one draw


def _text(value: float) -> str:
    return str(value).replace("-", "~")


def _positive(*values: float) -> None:
    if not all(0 < value < math.inf for value in values):
        raise Raised("Domain")


def discrete(low: int, high: int) -> Any:
    """A whole number from one to another."""
    return one_of(f"discrete({_text(low)}, {_text(high)})", range(low, high + 1), _text)


def bernoulli(probability: float) -> Any:
    """1 with a probability, else 0."""
    if not 0 <= probability <= 1:
        raise Raised("Domain")
    values = (0,) if probability == 0 else (1,) if probability == 1 else (0, 1)
    return one_of("bernoulli", values, _text, lambda numbers: int(numbers.random() < probability))


def binomial(trials: int, probability: float) -> Any:
    """How many of some trials succeed."""
    if not (0 <= probability <= 1 and 0 <= trials <= MOST_TRIALS):
        raise Raised("Domain")

    def draw(numbers: Random) -> int:
        return sum(numbers.random() < probability for _ in range(trials))

    return one_of(f"binomial({trials}, {_text(probability)})", range(trials + 1), _text, draw)


def poisson(mean: float) -> Any:
    """A number of events that are independent of each other; there is no end of them."""
    _positive(mean)

    def draw(numbers: Random) -> int:
        found, passed = -1, 0.0
        while passed < mean and found < MOST_TRIALS:
            found, passed = found + 1, passed + _waiting(numbers)
        return found

    return without_end(f"poisson({_text(mean)})", _text, draw)


def _waiting(numbers: Random) -> float:
    return -math.log(1 - numbers.random())


def _normal(numbers: Random) -> float:
    return math.sqrt(2 * _waiting(numbers)) * math.cos(2 * math.pi * numbers.random())


def _squares(numbers: Random, count: int) -> float:
    return sum(_normal(numbers) ** 2 for _ in range(count))


Draw = Callable[..., float]  # of the numbers, then of the arguments
# By name: the type, the limits of what is drawn (of the arguments), the arguments that are above 0, and the draw.
_REAL: dict[str, tuple[str, Callable[..., tuple[float, float]], slice, Draw]] = {
    "uniform": (
        "real * real -> real",
        lambda low, high: (low, high),
        slice(0),
        lambda numbers, low, high: low + (high - low) * numbers.random(),
    ),
    "exponential": (
        "real -> real",
        lambda _: (0.0, INFINITE),
        slice(None),
        lambda numbers, rate: _waiting(numbers) / rate,
    ),
    "normal": (
        "real * real -> real",
        lambda _, __: (-INFINITE, INFINITE),
        slice(1, None),
        lambda numbers, mean, variance: mean + math.sqrt(variance) * _normal(numbers),
    ),
    "erlang": (
        "int * real -> real",
        lambda _, __: (0.0, INFINITE),
        slice(None),
        lambda numbers, count, rate: sum(_waiting(numbers) for _ in range(count)) / rate,
    ),
    "chisq": ("int -> real", lambda _: (0.0, INFINITE), slice(None), _squares),
    "student": (
        "int -> real",
        lambda _: (-INFINITE, INFINITE),
        slice(None),
        lambda numbers, count: _normal(numbers) / math.sqrt(_squares(numbers, count) / count),
    ),
    "beta": (
        "real * real -> real",
        lambda _, __: (0.0, 1.0),
        slice(None),
        lambda numbers, one, other: numbers.betavariate(one, other),
    ),
    "gamma": (
        "real * real -> real",
        lambda _, __: (0.0, INFINITE),
        slice(None),
        lambda numbers, rate, shape: numbers.gammavariate(shape, 1 / rate),
    ),
    "weibull": (
        "real * real -> real",
        lambda _, __: (0.0, INFINITE),
        slice(None),
        lambda numbers, scale, shape: numbers.weibullvariate(scale, shape),
    ),
    "rayleigh": (
        "real -> real",
        lambda _: (0.0, INFINITE),
        slice(None),
        lambda numbers, scale: scale * math.sqrt(2 * _waiting(numbers)),
    ),
}


def _function(name: str) -> Callable[..., Any]:
    _, limits, positive, draw = _REAL[name]

    def drawn(*arguments: float) -> Any:
        _positive(*arguments[positive])
        low, high = limits(*arguments)
        if low == high:
            return low
        if not low < high or any(one > MOST_TRIALS for one in arguments if type(one) is int):
            raise Raised("Domain")
        return between(f"{name}({', '.join(map(_text, arguments))})", low, high, lambda it: draw(it, *arguments))

    return drawn


DISTRIBUTIONS: dict[str, tuple[str, Any]] = {
    "discrete": ("int * int -> int", discrete),
    "bernoulli": ("real -> int", bernoulli),
    "binomial": ("int * real -> int", binomial),
    "poisson": ("real -> int", poisson),
    **{name: (given, _function(name)) for name, (given, *_) in _REAL.items()},
}
