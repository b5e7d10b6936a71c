"""Features: whole numbers that are read off a state, each with the expression that reads it in the model's words."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sweepcheck.core.model import State, System
from sweepcheck.core.tabulated import VariableKind, is_tabulated
from sweepcheck.core.values import Bag, Queue, sort_key
from sweepcheck.errors import ModelError, RequestError
from sweepcheck.properties.expression import expression

MOST_SYMBOLS = 24  # different values of a variable, or tokens of a bag, that get a feature each
FEW_NUMBERS = 6  # a whole number with so few values gets a feature for each of them too
PLAIN = (bool, int, str, type(None))  # values whose text is a Python expression

Read = Callable[[Any], int]


@dataclass(frozen=True, slots=True)
class Feature:
    """A number of a state: `text` reads it from a view, `read` from a state as engines know it."""

    text: str
    read: Read


@dataclass(frozen=True, slots=True)
class Features:
    """All features of a model."""

    all: tuple[Feature, ...]

    def __len__(self) -> int:
        return len(self.all)

    def of(self, state: State) -> tuple[int, ...]:
        """The numbers of a state."""
        return tuple(one.read(state) for one in self.all)


def features_of(system: System, states: Sequence[State]) -> Features:
    """The features that tell these states apart, and whose expressions say of them what is read."""
    found = [one for one in _offered(system, states) if len({one.read(state) for state in states}) > 1]
    views = [system.view(state) for state in states[:16]]
    return Features(tuple(one for one in found if _agrees(system, one, states, views)))


def count_features(places: Sequence[str]) -> Features:
    """Those of a net that only counts tokens: a state is the tuple of its counts."""
    return Features(tuple(Feature(f"len({name})", _item(at)) for at, name in enumerate(places)))


def _item(at: int) -> Read:
    return lambda counts: counts[at]


def _agrees(system: System, feature: Feature, states: Sequence[State], views: Sequence[Any]) -> bool:
    """Whether the expression can be read by the model, and gives the same numbers."""
    try:
        function = expression(system, feature.text)
        return all(function(view) == feature.read(state) for state, view in zip(states, views, strict=False))
    except (RequestError, ModelError, AttributeError, TypeError, ValueError, LookupError, SyntaxError):
        return False


def _offered(system: System, states: Sequence[State]) -> Iterator[Feature]:
    """Every variable, element by element."""
    names = system.variables
    if is_tabulated(system):
        kinds = [one.kind for one in system.tabulate().variables]
        for at, (name, kind) in enumerate(zip(names, kinds, strict=True)):
            text = f"{name}.token" if kind is VariableKind.SINGLE else name
            yield from _value_features(text, lambda state, at=at: state[at], states)  # type: ignore[misc]
    elif names:
        for name in names:
            yield from _value_features(name, lambda state, name=name: getattr(state, name), states)  # type: ignore[misc]
    else:
        yield from _value_features("state", lambda state: state, states)


def _value_features(text: str, get: Callable[[Any], Any], states: Sequence[State]) -> Iterator[Feature]:
    """The features of one value: its number, its size, its elements, or which of a few it is."""
    values = [get(state) for state in states]
    first = values[0]
    if all(type(value) is int for value in values):
        yield Feature(text, get)
        if 2 < len(set(values)) <= FEW_NUMBERS:
            yield from _symbols(text, get, values)
    elif all(type(value) is bool for value in values):
        yield Feature(f"int({text})", lambda state: int(get(state)))
    elif isinstance(first, Bag):
        yield from _bag_features(text, get, states)
    elif isinstance(first, Queue | frozenset):
        yield Feature(f"len({text})", lambda state: len(get(state)))
    elif isinstance(first, tuple) and all(type(value) is type(first) and len(value) == len(first) for value in values):
        for at in range(len(first)):
            part = lambda state, at=at: get(state)[at]  # noqa: E731
            yield from _value_features(f"{text}[{at}]", part, states)
    else:
        yield from _symbols(text, get, values)


def _bag_features(text: str, get: Callable[[Any], Any], states: Sequence[State]) -> Iterator[Feature]:
    """How many tokens there are, how many of each, and the number that the only token is."""
    values = [get(state) for state in states]
    tokens: set[Hashable] = set()
    for value in values:
        tokens.update(value.distinct())
    yield Feature(f"len({text})", lambda state: len(get(state)))
    if all(len(value) == 1 for value in values):
        yield from _value_features(f"{text}.token", lambda state: get(state).token, states)
        return
    numbers = all(type(token) is int for token in tokens)
    if numbers and len(tokens) > 1:
        yield Feature(f"sum({text})", lambda state: sum(get(state)))
    if 1 < len(tokens) <= (FEW_NUMBERS if numbers else MOST_SYMBOLS) and all(map(_is_plain, tokens)):
        for token in sorted(tokens, key=sort_key):
            yield Feature(f"{text}.count({token!r})", lambda state, token=token: get(state).count(token))  # type: ignore[misc]


def _symbols(text: str, get: Callable[[Any], Any], values: Sequence[Any]) -> Iterator[Feature]:
    """A feature for each of a few values: whether it is that one."""
    try:
        met = set(values)
    except TypeError:
        return
    if len(met) <= MOST_SYMBOLS and all(map(_is_plain, met)):
        for symbol in sorted(met, key=sort_key):
            yield Feature(f"({text} == {symbol!r})", lambda state, symbol=symbol: int(get(state) == symbol))  # type: ignore[misc]


def _is_plain(value: object) -> bool:
    return type(value) in PLAIN or (type(value) is tuple and all(map(_is_plain, value)))
