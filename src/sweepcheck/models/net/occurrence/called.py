"""What the function of a transition calls while it runs."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any

from sweepcheck.core.running import Disabled
from sweepcheck.core.stamps import At, Stamped
from sweepcheck.core.values import Bag
from sweepcheck.errors import ModelError, shown
from sweepcheck.models.actions.choice import choose, stay
from sweepcheck.models.net.inscription import PURE
from sweepcheck.models.net.structure import Place, Transition
from sweepcheck.models.net.time import delay


def namespace_of(transition: Transition) -> dict[str, Any]:
    """The names that the function of a transition knows; inscriptions add their own functions."""
    namespace: dict[str, Any] = {name: getattr(builtins, name) for name in PURE}
    namespace.update(transition.constants)
    namespace.update(_Disabled=Disabled, _choose=choose, _stay=stay, _Stamped=Stamped, _delay=delay)
    namespace.update(_stamped=stamped)
    namespace.update(_tokens=tokens, _number=number, _some=some, _holds=holds, _is_below=is_below)
    namespace["__builtins__"] = {}
    return namespace


def tokens(value: Any, times: int = 1) -> list[Any]:
    """The tokens that a value stands for: those of a bag, else itself."""
    return [*value] * times if isinstance(value, Bag) else [value] * times


def stamped(check: Callable[[Any], Any], token: Any, wait: int) -> Stamped:
    """A token that waits; what a function computed may say itself for how long, beside the delays of the arc."""
    if isinstance(token, At):
        return Stamped(check(token.token), delay(token.time) + wait)
    return Stamped(check(token), wait)


def number(value: Any) -> int:
    """A number of tokens, if it is one."""
    if type(value) is not int or value < 0:
        raise ModelError(
            "SC221",
            f"{shown(value)} is not a number of tokens",
            suggestion="a coefficient is a whole number, 0 or more",
        )
    return value


def some(value: Any) -> int:
    """A number of tokens that bind variables: of none at all nothing could be bound."""
    given = number(value)
    if given == 0:
        raise ModelError(
            "SC221",
            "0 tokens cannot bind the variables of their inscription",
            suggestion="bind the variables on another arc, or let the guard demand 1 or more",
        )
    return given


def holds(place: Any, asked: list[Any]) -> bool:
    """Whether a place holds all these tokens at once."""
    return all(place.count(token) >= asked.count(token) for token in asked)


def is_below(place: Any, taken: Sequence[Any], named: list[Any]) -> bool:
    """Whether a place, before some tokens were taken, held fewer of each token than are named."""
    return all(place.count(token) + taken.count(token) < named.count(token) for token in named)


def checker(place: Place) -> Callable[[Any], Any]:
    """The function that refuses tokens which do not belong on a place."""
    contains = place.colour.contains

    def checked(token: Any) -> Any:
        if contains(token):
            return token
        suggestion = "mend the inscription, or widen the colour"
        if isinstance(token, list | set | dict):
            suggestion = "several tokens are a Bag, Bag([1, 2]); one token that is a list is a tuple"
        raise ModelError(
            "SC220",
            f"the token {shown(token)} does not belong on place {place.name!r} of colour {place.colour}",
            suggestion=suggestion,
        )

    return checked
