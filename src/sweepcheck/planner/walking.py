"""What random walks are asked for, as a request for a plan. What a walk cannot show is left out, or refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import SystemRandom
from typing import Any

from sweepcheck.core.declaration import amount
from sweepcheck.core.limits import Limits
from sweepcheck.core.model import System
from sweepcheck.core.property import Property
from sweepcheck.core.request import Request, WalkOptions
from sweepcheck.core.walking import Walking
from sweepcheck.errors import RequestError, shown

MOST_DEPTH = 1_000_000  # steps: every walk remembers its way


@dataclass(frozen=True, slots=True)
class WalkRequest:
    """The system, what its plan is asked, and the declared properties that no walk can show."""

    system: System
    request: Request
    left_out: tuple[Property, ...]


def walk_request(system: System, options: WalkOptions) -> tuple[WalkRequest, Walking]:
    """The request behind random walks, and the walks."""
    walks = amount(options.walks, "{} walks")
    depth = amount(options.depth, "a depth of {} steps")
    if depth > MOST_DEPTH:
        raise RequestError(
            "SC417",
            f"walks of {depth:,} steps were asked for, and every walk remembers its way",
            suggestion=f"at most {MOST_DEPTH:,} steps; more walks see more than longer ones",
        )
    seed = SystemRandom().randrange(2**32) if options.seed is None else options.seed
    if type(seed) is not int:
        raise RequestError("SC403", f"{shown(seed)} is not a seed", suggestion="give a whole number")
    if isinstance(options.limits, Limits) and options.limits.states is not None:
        raise RequestError(
            "SC417",
            "a limit on states was given, and walks store none",
            suggestion="limit the number of walks and their depth: walks=..., depth=...",
        )
    if isinstance(options.up_to, int) and not isinstance(options.up_to, bool):
        raise RequestError(
            "SC417",
            f"up_to={options.up_to} is a number of steps, which walks call their depth",
            suggestion=f"write depth={options.up_to}",
        )
    chosen, left_out = _properties(system, options.properties)
    request = Request(
        chosen,
        strategy="full",
        equivalence=False,  # a walk is a run of states
        trace=False,
        workers=options.workers,
        keep_going=options.keep_going,
        limits=options.limits,
        engine=options.engine,
        up_to=options.up_to,
        constraints=options.constraints,
        table_memory=options.table_memory,
    )
    return WalkRequest(system, request, left_out), Walking(walks, depth, seed)


def _properties(system: System, asked: Any) -> tuple[Sequence[Property | str] | Any, tuple[Property, ...]]:
    """The properties to look at, and those that are declared and are about cycles."""
    declared = {one.name: one for one in system.properties}
    if asked is None:
        chosen = [one for one in declared.values() if one.kind.decided_by_states]
        return chosen, tuple(one for one in declared.values() if not one.kind.decided_by_states)
    for one in [asked] if isinstance(asked, str | Property) else asked if isinstance(asked, list | tuple) else ():
        found = declared.get(one) if isinstance(one, str) else one
        if isinstance(found, Property) and not found.kind.decided_by_states:
            raise RequestError(
                "SC417",
                f"{found.kind} {found.name!r} cannot be looked for by random walks: it is about cycles",
                suggestion="use check(), which decides it; walks look at invariants, deadlocks, steps and assertions",
            )
    return asked, ()
