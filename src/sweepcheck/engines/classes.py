"""The class of a state, and runs of classes as runs of states."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from sweepcheck.core.equivalence import Equivalence
from sweepcheck.core.model import Edge, State, System
from sweepcheck.core.trace import Step, Trace
from sweepcheck.core.values import unfit
from sweepcheck.errors import ModelError, place, shown
from sweepcheck.properties.evaluation import evaluate, show
from sweepcheck.properties.product import Product

KEY = "the key of the equivalence"
MOST_STEPS = 10_000  # of a trace whose loop is followed until it closes


def class_of(system: System, equivalence: Equivalence, state: State) -> Hashable:
    """The key of a state's class. What a run is known to have met is a part of it."""
    if isinstance(system, Product):
        own, memory = system.parted(state)
        return class_of(system.system, equivalence, own), memory
    standing = state if equivalence.canonical is None else equivalence.canonical(state)
    if not equivalence.parts:
        return standing
    return tuple(_part(system, part, standing) for part in equivalence.parts)


def _part(system: System, part: Callable[[object], Hashable], state: State) -> Hashable:
    value: Hashable = evaluate(system, part, state, KEY)
    if (why := unfit(value)) is not None:
        raise ModelError(
            "SC230",
            f"{KEY} is {shown(value)}, which {why}",
            where=place(part),
            values=[("state", show(system, state))],
            suggestion="return numbers, text, or tuples of these; tuple(s.x) of an array or queue, Bag(s.x) of a bag",
        )
    return value


def recurs(system: System, before: State, after: State) -> bool:
    """Whether what could be done in one state can be done again in the other: they are equal, or equivalent."""
    if before == after:
        return True
    cutoff = system.declared_cutoff()
    declared = (system.declared_equivalence(), None if cutoff is None else cutoff.equivalence)
    return any(one is not None and class_of(system, one, before) == class_of(system, one, after) for one in declared)


def realised(
    system: System, equivalence: Equivalence, trace: Trace, ending: Callable[[State, Edge], bool] | None = None
) -> Trace:
    """A real run through the classes of a trace.

    Step by step it takes an edge of the same action into the wanted class: the same edge where there is one, and in the
    end one that is as the `ending` is to be. A loop of classes is followed until a state comes back, which may take
    several rounds. Where none does, one round is shown, whose last state is equivalent to the one at `loop`.
    """

    def key(state: State) -> Hashable:
        return class_of(system, equivalence, state)

    roots = system.initial_states()
    initial = trace.initial
    if initial not in roots:
        initial = next(root for root in roots if key(root) == key(trace.initial))
    run = Trace(initial, _along(system, key, initial, trace.steps, ending), trace.loop)
    if trace.loop is None or trace.loop == len(trace):  # a state without successors stutters
        return run
    steps, last, round_ = list(run.steps), run.states[-1], trace.steps[trace.loop :]
    met = {run.states[trace.loop]: trace.loop}
    while last not in met and len(steps) < MOST_STEPS:
        met[last] = len(steps)
        steps += _along(system, key, last, round_)
        last = steps[-1].state
    return Trace(initial, tuple(steps), met[last]) if last in met else run


def _along(
    system: System,
    key: Callable[[State], Hashable],
    state: State,
    steps: Sequence[Step],
    ending: Callable[[State, Edge], bool] | None = None,
) -> tuple[Step, ...]:
    """Steps from a state, one by one of the same actions and into the same classes as those given."""
    taken: list[Step] = []
    for number, step in enumerate(steps, start=1):
        wanted = key(step.state)
        possible = [
            edge
            for edge in system.edges(state)
            if edge.label.action == step.label.action
            and key(edge.target) == wanted
            and (ending is None or number < len(steps) or ending(state, edge))
        ]
        if not possible:
            raise ModelError(
                "SC233",
                f"a state cannot do {step.label.action!r} into the class where an equivalent one can",
                where=system.locate(step.label),
                values=[("state", show(system, state)), ("wanted", show(system, step.state))],
                suggestion="let the key tell these states apart; --verify-equivalence compares every state met",
            )
        chosen = next((edge for edge in possible if edge.label == step.label), possible[0])
        taken.append(Step(*next((edge for edge in possible if edge == Edge(step.label, step.state)), chosen)))
        state = taken[-1].state
    return tuple(taken)
