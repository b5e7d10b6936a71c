"""What the Python text of CPN ML calls: exceptions, integers of 31 bits, lists and multisets.

Integers overflow as those of SML/NJ do, for which models were written. The language has no loops: recursion that has
no end goes deeper and deeper, or calls more and more functions, or makes larger and larger values. Each is an error.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable
from functools import partial, wraps
from typing import Any, NoReturn

from sweepcheck.core.values import Bag
from sweepcheck.errors import ModelError

LARGEST, SMALLEST = 2**30 - 1, -(2**30)
MOST_TOKENS = 1_000_000  # that a coefficient may make
MOST_ITEMS = 10_000_000  # of a list or text that is put together
MOST_BITS = 1_000_000  # of a product
MOST_CALLS = 2_000_000  # of recursive functions, within one call from outside
DEEPEST = 3_000  # frames of recursive functions, two for each call
_ADVICE = {
    "Overflow": f"integers are between ~{-SMALLEST} and {LARGEST}; colour set intinf has no limits",
    "Div": "the divisor is 0",
    "Match": "no pattern fits: add a last one, _ => ...",
    "Bind": "the value does not have the form of the pattern",
    "Empty": "the list is empty: test it with null first",
    "Subscript": "the index is outside the list or text",
    "Subtract": "a multiset can only lose what it has",
    "no_singleton": "the multiset has no token, or several",
}


class Raised(ModelError):  # noqa: N818 - as ML calls it
    """An exception of ML, with its value: the name, or the name and the argument."""

    def __init__(self, value: Any) -> None:
        name = value if isinstance(value, str) else value[0]
        shown = name if isinstance(value, str) else f"{name} {value[1]!r}"
        super().__init__("SC143", f"exception {shown} was raised", suggestion=_ADVICE.get(name))
        self.value = value


def throw(value: Any) -> NoReturn:
    """Raise an exception of ML, in the place of an expression."""
    raise Raised(value)


# -- numbers ----------------------------------------------------------------------------------------------------------


def whole(value: int) -> int:
    """An integer of 31 bits; it overflows."""
    if SMALLEST <= value <= LARGEST:
        return value
    raise Raised("Overflow")


def sized(value: int) -> int:
    """An integer without limits, or nearly so."""
    if value.bit_length() <= MOST_BITS:
        return value
    raise ModelError(
        "SC143", "a number has more than a million bits", suggestion="see that every recursion comes to an end"
    )


def div(one: int, other: int) -> int:
    """Division that rounds down."""
    if other == 0:
        raise Raised("Div")
    return one // other


def mod(one: int, other: int) -> int:
    """The remainder of `div`."""
    if other == 0:
        raise Raised("Div")
    return one % other


def quot(one: int, other: int) -> int:
    """Division that rounds towards 0."""
    if other == 0:
        raise Raised("Div")
    return -(-one // other) if (one < 0) != (other < 0) else one // other


def divide(one: float, other: float) -> float:
    """Division of reals, which raises no exception."""
    try:
        return one / other
    except ZeroDivisionError:
        return math.nan if one == 0 or math.isnan(one) else math.copysign(math.inf, one) * math.copysign(1, other)
    except OverflowError:
        return math.copysign(math.inf, one) * math.copysign(1, other)


# -- functions --------------------------------------------------------------------------------------------------------


class _Calls:
    """Calls of recursive functions that are still allowed; None while none of them runs."""

    left: int | None = None


def _endless(why: str) -> ModelError:
    return ModelError("SC143", f"a function {why}", suggestion="see that every recursion comes to an end")


def recursive(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that calls itself: it may do so neither too deeply nor too often."""

    @wraps(function)
    def called(*arguments: Any) -> Any:
        if _Calls.left is None:
            return _first_call(function, arguments)
        _Calls.left -= 1
        if _Calls.left < 0:
            raise _endless(f"and those it calls were called more than {MOST_CALLS:,} times")
        return function(*arguments)

    return called


def _first_call(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    limit = sys.getrecursionlimit()
    _Calls.left = MOST_CALLS
    sys.setrecursionlimit(max(limit, DEEPEST))
    try:
        return function(*arguments)
    except RecursionError:
        raise _endless("calls itself too deeply, or without end") from None
    finally:
        _Calls.left = None
        sys.setrecursionlimit(limit)


def tupled(function: Callable[..., Any]) -> Callable[[Any], Any]:
    """A function of several arguments as a function of a tuple."""
    return lambda parts: function(*parts)


def compose(outer: Callable[[Any], Any], inner: Callable[[Any], Any], argument: Any) -> Any:
    """`outer o inner`."""
    return outer(inner(argument))


# -- lists and multisets -----------------------------------------------------------------------------------------------


def times(count: int, token: Any) -> tuple[Any, ...]:
    """A multiset of equal tokens; none if there are to be less than none, as in CPN Tools."""
    if count > MOST_TOKENS:
        raise ModelError(
            "SC143", f"a multiset of {count:,} tokens was to be made", suggestion=f"at most {MOST_TOKENS:,} are made"
        )
    return (token,) * count


def scaled(count: int, tokens: tuple[Any, ...]) -> tuple[Any, ...]:
    """A multiset so many times."""
    times(count * len(tokens), ())  # not more than can be made
    return tuple(token for token in tokens for _ in range(count))


def joined(one: Any, other: Any) -> Any:
    """Two lists or texts put together."""
    check_size(len(one) + len(other))
    return one + other


def check_size(size: int) -> None:
    """Refuse a list or text that is larger than any that is meant."""
    if size > MOST_ITEMS:
        raise ModelError(
            "SC143",
            f"a list or text of {size:,} items was to be made",
            suggestion=f"at most {MOST_ITEMS:,} are made; see that every recursion comes to an end",
        )


def without(tokens: tuple[Any, ...], removed: tuple[Any, ...]) -> tuple[Any, ...]:
    """A multiset less another, all of which it has."""
    left = list(tokens)
    for token in removed:
        if token not in left:
            raise Raised("Subtract")
        left.remove(token)
    return tuple(left)


def delayed(tokens: Iterable[Any], delay: int) -> tuple[Any, ...]:
    """Tokens that are ready after a delay."""
    return tuple((token, delay) for token in tokens)


def later(tokens: Iterable[Any], delay: int) -> tuple[Any, ...]:
    """Timed tokens that are ready later still."""
    return tuple((token, time + delay) for token, time in tokens)


__all__ = [
    "Bag", "Raised", "compose", "delayed", "div", "divide", "joined", "later", "mod", "partial", "quot", "recursive",
    "scaled", "sized", "throw", "times", "tupled", "whole", "without",
]  # fmt: skip
