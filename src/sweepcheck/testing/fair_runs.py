"""What fair runs do, from the explicit graph by naive fixpoints; and the kit's questions about them.

    check_fair_runs(run, model, predicate=..., goal=..., fair=[Fair(("send",), strong=True)])

A run is infinite, or stays for ever in a dead state; where models stutter, in any state in which nothing is enabled
that it has to be fair to. To go on for ever within some states and be fair, it must stay in a set of states, from each
of which a way within the set leads to whatever fairness wants to see again and again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any

from sweepcheck.core.model import Edge, Label, State
from sweepcheck.core.plan import Outcome, Plan
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.request import Request
from sweepcheck.core.verdict import Status, conclude
from sweepcheck.engines.replay import replay
from sweepcheck.errors import SweepcheckError
from sweepcheck.models.adoption import adopt
from sweepcheck.planner import plan
from sweepcheck.properties import always_eventually, leads_to
from sweepcheck.testing.conformance import Nonconformity, Run, Watcher
from sweepcheck.testing.truth import Truth, survey

MEMBERS = ("i", "p")  # the parameters of families, of actions and of processes, in random models


@dataclass(frozen=True)
class Fair:
    """What runs are fair to: actions or processes by name, each member of a family on its own, or all `together`.

    A step counts if it changes one of the variables `of`, "*" being all; without any, each does.
    """

    names: tuple[str, ...]
    strong: bool = False
    of: tuple[str, ...] = ()

    def __str__(self) -> str:
        of = f" of {', '.join(self.of)}" if self.of else ""
        return ("strong " if self.strong else "") + " + ".join(self.names) + of

    def units(self, truth: Truth) -> Iterator[Taken]:
        """The edges that belong together: of one action or process, or of all of them."""
        if len(self.names) > 1:
            yield lambda state, edge: _unit(edge.label)[0] in self.names and self._counts(truth, state, edge.target)
            return
        labels = (edge.label for edges in truth.edges.values() for edge in edges)
        for unit in dict.fromkeys(_unit(label) for label in labels if _unit(label)[0] in self.names):
            yield lambda state, edge, unit=unit: (  # type: ignore[misc]
                _unit(edge.label) == unit and self._counts(truth, state, edge.target)
            )

    def _counts(self, truth: Truth, before: State, after: State) -> bool:
        if not self.of or "*" in self.of:
            return not self.of or before != after
        old, new = truth.system.describe(before), truth.system.describe(after)
        return any(old[name] != new[name] for name in self.of)


def _unit(label: Label) -> tuple[str, Any]:
    """The action or process that an edge belongs to, and its member."""
    first = label.arguments[0] if label.arguments else None
    return label.action.partition(":")[0], first[1] if first is not None and first[0] in MEMBERS else None


Taken = Callable[[State, Edge], bool]  # whether an edge of a state counts
# What has to be seen again and again: some states, or some edges.
Recurring = tuple[Callable[[State], bool], Taken]


def lasting(truth: Truth, inside: set[State], fair: Sequence[Fair], stuttering: bool = False) -> set[State]:
    """The states from which some fair run stays inside for ever."""
    weak = [(unit, one.strong) for one in fair for unit in one.units(truth) if not one.strong]
    strong = [(unit, one.strong) for one in fair for unit in one.units(truth) if one.strong]

    def enabled(unit: Taken) -> set[State]:
        return {state for state, edges in truth.edges.items() if any(unit(state, edge) for edge in edges)}

    ends = set(truth.dead)
    if stuttering:
        ends |= set(truth.distance).difference(*(enabled(unit) for unit, _ in weak + strong))
    found = _able(truth, inside, ends & inside)
    # In the strong sense a unit is taken again and again, or from some point on never enabled: every split is tried.
    for never in chain.from_iterable(combinations(strong, size) for size in range(len(strong) + 1)):
        within = inside.difference(*(enabled(unit) for unit, _ in never))
        wanted: list[Recurring] = [_taken(unit) for unit, _ in strong if (unit, True) not in never]
        wanted += [_taken(unit, enabled(unit)) for unit, _ in weak]
        found |= _able(truth, inside, _recurring(truth, within, wanted))
    return found


def _taken(unit: Taken, unless: set[State] | None = None) -> Recurring:
    """A unit is taken, or, in the weak sense, a state met where it is not enabled."""
    return lambda state: unless is not None and state not in unless, unit


def _recurring(truth: Truth, within: set[State], wanted: Sequence[Recurring]) -> set[State]:
    """The largest set of states from each of which, within the set, a step leads on and to all that is wanted."""
    left = set(within)
    while True:
        kept = {state for state in left if any(edge.target in left for edge in truth.edges[state])}
        for of_states, of_edges in wanted:
            starts = {state for state in kept if of_states(state)} | {
                state for state in kept for edge in truth.edges[state] if edge.target in kept and of_edges(state, edge)
            }
            kept = _able(truth, kept, starts)
        if kept == left:
            return left
        left = kept


def _able(truth: Truth, inside: set[State], goal: Iterable[State]) -> set[State]:
    """The states inside from which a way inside leads to the goal."""
    able = set(goal)
    waiting = list(able)
    while waiting:
        for state in truth.predecessors[waiting.pop()] & inside - able:
            able.add(state)
            waiting.append(state)
    return able


def deciding(truth: Truth, asked: Property, fair: Sequence[Fair], stuttering: bool = False) -> set[State]:
    """Where a violation begins: the states from which a fair run avoids for ever what is to come."""
    goal = asked.predicate if asked.kind is Kind.ALWAYS_EVENTUALLY else asked.goal
    everywhere = set(truth.distance)
    avoiding = lasting(truth, everywhere - truth.satisfying(goal) - truth.outside, fair, stuttering)
    return avoiding if asked.kind is Kind.ALWAYS_EVENTUALLY else avoiding & truth.satisfying(asked.predicate)


def check_fair_runs(  # noqa: PLR0913 - one call says it all
    run: Run,
    model: Any,
    *,
    predicate: Callable[[Any], object],
    goal: Callable[[Any], object],
    fair: Sequence[Fair] = (),
    stuttering: bool = False,
    measure: Any = None,
    strategy: str = "full",
    gc: str | int = "layer",
    engine: str = "auto",
    truth: Truth | None = None,
) -> None:
    """Raise `Nonconformity` unless the engine tells truly what leads to what, and what always comes, in fair runs."""
    known = truth if truth is not None else survey(adopt(model))
    asked = (
        leads_to("leads", predicate, goal),
        leads_to("leads back", goal, predicate),
        always_eventually("comes", goal),
    )
    for properties in (asked, asked[:1], asked[2:]):
        request = Request(
            properties,
            measure=measure,
            strategy=strategy,
            gc=gc,
            engine=engine,
            fair=list(map(str, fair)),
            stuttering=stuttering,
            keep_going=True,
        )
        decided = plan(adopt(model), request)
        try:
            outcome = run(decided, Watcher())
        except SweepcheckError as error:
            raise Nonconformity(f"a sound request was refused: {error}") from error
        _check(known, decided, outcome, fair, stuttering)


def _check(known: Truth, decided: Plan, outcome: Outcome, fair: Sequence[Fair], stuttering: bool) -> None:
    shown = (", ".join(map(str, fair)) or "nothing") + (", stuttering" if stuttering else "")
    for decision in outcome.decisions:
        asked, status = decision.property, conclude(decision, outcome.stop).status
        true = Status.VIOLATED if deciding(known, asked, fair, stuttering) else Status.HOLDS
        if known.outside and true is Status.HOLDS and not asked.kind.of_runs:
            true = Status.INCONCLUSIVE  # nobody knows what comes outside
        if status is not true:
            raise Nonconformity(f"{asked.name!r}, fair to {shown}: the engine says {status}, the truth is {true}")
        if decision.trace is None:
            continue
        try:
            replay(decided.system, decision, decided.runs)
        except SweepcheckError as error:
            raise Nonconformity(f"the trace of {asked.name!r} does not replay: {error}") from error
        _, trace = decided.system.original(decision.trace)
        avoided = known.satisfying(asked.predicate if asked.kind is Kind.ALWAYS_EVENTUALLY else asked.goal)
        if trace.loop is None or avoided & set(trace.states[trace.loop :]):
            raise Nonconformity(f"the loop of {asked.name!r} meets what it should avoid")
