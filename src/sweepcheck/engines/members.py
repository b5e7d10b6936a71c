"""Meeting more states of each class than a reduced run would: a walk before every run, all of them where it is asked.

A reduced run ends before it has seen what a key forgets grow large. A walk goes on, so that "receiver <= 5" under a key
that has numbers modulo 4 is found to be no question about classes.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from sweepcheck.core.equivalence import Equivalence
from sweepcheck.core.model import Edge, State
from sweepcheck.core.plan import Plan
from sweepcheck.engines.agreement import Agreement
from sweepcheck.engines.bound import follows
from sweepcheck.engines.classes import class_of
from sweepcheck.errors import ModelError
from sweepcheck.properties.product import without_memory

MOST_MEMBERS = 256  # of an endless class that are verified, so that it ends where there are finitely many classes
WALK = 1000  # states
MOST_EDGES = 5000  # whose classes a walk computes
SEED = 1
STANDING = 500  # edges of states that are compared with the canonical ones of their classes too, which need not be met
DISAGREEMENTS = ("SC231", "SC232", "SC233")


class Compared(NamedTuple):
    """How many states agreed with another one of their class, and the variables that they differed in.

    Of such a variable it is said whether they differed in how much it holds as well. `verified` says whether these were
    all states; None after a walk, which does not ask that.
    """

    states: int
    differing: Mapping[str, bool]
    verified: bool | None


def compare_members(plan: Plan) -> Compared | None:
    """Compare states before a run: all that can be reached where that was asked for, else those on a walk."""
    if plan.classes is None:
        return None
    # What runs have met would tell states apart that are to be compared.
    plan = replace(plan, system=without_memory(plan.system))
    assert plan.classes is not None
    agreement = Agreement(plan, plan.classes)
    verified = None
    if plan.verify_equivalence:
        verified = _every(plan, agreement)
    else:
        try:
            _walk(plan, agreement)
        except ModelError as error:
            if error.code in DISAGREEMENTS:
                raise
            # Any other fault the run will meet in its own time, perhaps after a violation that comes before it.
    return Compared(agreement.compared, agreement.differing, verified)


def _every(plan: Plan, agreement: Agreement) -> bool:
    """Every reachable state up to the bound; of large classes some. Whether that was all of them."""
    within, bound, most = follows(plan), plan.bound, _most_members(agreement.equivalence)
    queue = deque((state, 0) for state in plan.system.initial_states())
    seen = set(plan.system.initial_states())
    whole = True
    while queue:
        state, depth = queue.popleft()
        first = agreement.see(class_of(plan.system, agreement.equivalence, state), state)
        if first.members == most:
            whole = False
        elif within(state, depth):
            first.members += 1
            for edge in agreement.compare_steps(first, state):
                if edge.target not in seen:
                    seen.add(edge.target)
                    queue.append((edge.target, depth + 1))
        elif bound is not None and bound.up_to is not None:  # nobody knows what lies beyond, be it of a class within
            whole = False
    return whole


def _most_members(equivalence: Equivalence) -> int | None:
    """How many states of a class are compared; all, where a class has but one for each way to rename members."""
    symmetry = equivalence.symmetry
    finite = symmetry is not None and not symmetry.relative and not equivalence.parts
    return None if finite else MOST_MEMBERS


def _walk(plan: Plan, agreement: Agreement) -> None:
    """One run at random, always the same; where it cannot go on it begins again."""
    chance, within, canonical = random.Random(SEED), follows(plan), agreement.equivalence.canonical
    roots = plan.system.initial_states()
    state, depth, seen_edges = roots[0], 0, 0
    standing = STANDING if canonical is not None else 0
    known: dict[State, Sequence[Edge]] = {}
    for _ in range(WALK):
        if state not in known:
            key = class_of(plan.system, agreement.equivalence, state)
            first = agreement.see(key, state)
            inside = within(state, depth)
            known[state] = agreement.compare_steps(first, state) if inside else ()
            if canonical is not None and inside and standing > 0:
                stands = canonical(state)
                agreement.see(key, stands)
                standing -= len(agreement.compare_steps(first, stands))
            seen_edges += len(known[state])
            if seen_edges > MOST_EDGES:
                return
        edges = known[state]
        state, depth = (chance.choice(edges).target, depth + 1) if edges else (chance.choice(roots), 0)
