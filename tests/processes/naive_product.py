"""CSP's operators on explicit transition systems, straight from their definitions and two at a time.

Written without looking at how networks are flattened: states are nested pairs, an operator is a function from systems
to systems, and nothing is shared with the package but the words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

TAU = "tau"


@dataclass(frozen=True)
class Explicit:
    """A transition system: initial state, alphabet, and all its steps."""

    initial: Any
    alphabet: frozenset[str]
    steps: frozenset[tuple[Any, str, Any]]

    def states(self) -> set[Any]:
        return {self.initial} | {end for source, _, target in self.steps for end in (source, target)}


def both(one: Explicit, other: Explicit) -> Explicit:
    """Alphabetised parallel of two: shared events together, the others alone."""
    shared = one.alphabet & other.alphabet
    steps = set()
    for a in one.states():
        for b in other.states():
            for source, event, target in one.steps:
                if source == a and event not in shared:
                    steps.add(((a, b), event, (target, b)))
                if source == a and event in shared:
                    steps |= {((a, b), event, (target, t)) for s, e, t in other.steps if s == b and e == event}
            steps |= {((a, b), e, (a, t)) for s, e, t in other.steps if s == b and e not in shared}
    return Explicit((one.initial, other.initial), one.alphabet | other.alphabet, frozenset(steps))


def hiding(one: Explicit, events: set[str]) -> Explicit:
    steps = frozenset((s, TAU if e in events else e, t) for s, e, t in one.steps)
    return Explicit(one.initial, one.alphabet - events, steps)


def renaming(one: Explicit, mapping: dict[str, tuple[str, ...]]) -> Explicit:
    def new(event: str) -> tuple[str, ...]:
        return mapping.get(event, (event,))

    steps = frozenset((s, to, t) for s, e, t in one.steps for to in new(e))
    return Explicit(one.initial, frozenset(to for e in one.alphabet for to in new(e)), steps)


def flat(state: Any) -> tuple[Any, ...]:
    """A nested pair as one tuple."""
    return (*flat(state[0]), *flat(state[1])) if isinstance(state, tuple) else (state,)


def reachable_steps(one: Explicit) -> set[tuple[Any, str, Any]]:
    """The steps out of reachable states, with flat states."""
    found, unseen = set(), [one.initial]
    seen = {one.initial}
    while unseen:
        state = unseen.pop()
        for source, event, target in one.steps:
            if source == state:
                found.add((flat(source), event, flat(target)))
                if target not in seen:
                    seen.add(target)
                    unseen.append(target)
    return found


def explicit(description: tuple[Any, ...]) -> Explicit:
    """What a description of a network means."""
    match description:
        case ("lts", _, steps, alphabet):
            return Explicit(0, frozenset(alphabet), frozenset(steps))
        case ("parallel", one, other):
            return both(explicit(one), explicit(other))
        case ("hide", part, event):
            return hiding(explicit(part), {event})
        case ("rename", part, event, to):
            return renaming(explicit(part), {event: to})
    raise LookupError(description)
