"""CTL: what is true of the tree of all runs, by the textbook's fixpoints.

A sweep goes forward first, and its layers are kept; then they are gone through in reverse order. A step leads to the
same layer or to one that was completed later, so that a fixpoint over one layer takes the rest as known. Full
exploration has one layer. E and A are about fair runs: every finite path goes on to one, so that fairness matters to EG
alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from sweepcheck.core.fairness import ALL_RUNS, Runs
from sweepcheck.core.model import Label, State, System
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.temporal import Op, Proposition, Temporal, check_size, formula
from sweepcheck.core.trace import Step
from sweepcheck.core.verdict import Status
from sweepcheck.errors import public
from sweepcheck.logic.normal import existential, refuse_runs
from sweepcheck.properties.always_eventually import AlwaysEventuallyMonitor
from sweepcheck.properties.evaluation import truth
from sweepcheck.properties.explanation import Explanation, Way, truth_of
from sweepcheck.properties.monitor import Sighting


@public
def ctl(name: str, asked: str | Temporal) -> Property:
    """Every initial state satisfies a CTL formula: a text, `"AG (sent -> EF received)"`, or one that was built.

    Propositions are names of declared predicates (or variables) and `{expressions}`. A run that ends stays in its last
    state for ever.
    """
    from sweepcheck.logic.parsing import parse  # needs the grammar

    made = parse(asked) if isinstance(asked, str) else formula(asked)
    check_size(made)
    refuse_runs(made)
    return Property(Kind.CTL, name, formula=made)


def everywhere(given: Temporal) -> Temporal | None:
    """What a formula `AG ...` says of every state; None of other formulas, which are asked of initial states."""
    if given.op is Op.EVERY_RUN and given.parts[0].op is Op.ALWAYS:
        return given.parts[0].parts[0]
    return None


def claim(given: Temporal) -> Temporal:
    """What is asked of single states: of all of them, or of initial ones."""
    found = everywhere(given)
    return given if found is None else found


def tree_nodes(given: Temporal) -> tuple[Temporal, ...]:
    """All that has to be known of states to tell the truth of the claim, each after what it consists of."""
    found = dict.fromkeys(reversed(list(existential(claim(given)).walk())))
    return tuple(node for node in found if node.op not in (Op.NEXT, Op.UNTIL, Op.ALWAYS))  # which E says with its part


class CtlMonitor(AlwaysEventuallyMonitor):
    """Violated by an initial state in which the formula is false or, of `AG ...`, by any state where its claim is."""

    def __init__(self, watched: Property, system: System, runs: Runs = ALL_RUNS) -> None:
        super().__init__(watched, system, runs)
        assert watched.formula is not None
        self._formula = watched.formula
        self._layers: list[Sequence[State]] = []
        self._numbers: dict[State, int] = {}  # in the order found
        self._true: dict[Temporal, set[State]] = {}

    def on_found(self, state: State) -> Sighting | None:
        """See `Monitor`."""
        self._numbers[state] = len(self._numbers)
        return None

    def on_complete(self, states: Sequence[State]) -> Sighting | None:
        """See `Monitor`."""
        self._layers.append(states)
        return None

    def on_end(self) -> Sighting | None:
        """See `Monitor`."""
        nodes = tree_nodes(self._formula)
        self._true = {node: set() for node in nodes}
        for layer in reversed(self._layers):
            for node in nodes:
                self._true[node] |= self._states(node, layer)
        asked = existential(claim(self._formula))
        is_everywhere = everywhere(self._formula) is not None
        roots = self.system.initial_states()
        for state in self._numbers if is_everywhere else roots:
            if state not in self._true[asked]:
                return self._explained(Status.VIOLATED, state)
        return None if is_everywhere or len(roots) != 1 else self._explained(Status.HOLDS, roots[0])

    def _explained(self, status: Status, state: State) -> Sighting | None:
        """The state, the run from there that shows why it decides, and what is true where."""
        found = Explanation(self, claim(self._formula), Step(Label(""), state))
        if status is Status.HOLDS and not found.path and found.cycle is None:
            return None
        cycle = None if found.cycle is None else tuple(found.cycle)
        return Sighting(status, state, cycle, number=self._numbers[state], path=tuple(found.path), explanation=found)

    def holds(self, node: Temporal, at: Step) -> bool:
        """See `Ways`. A state is known by a step that leads to it."""
        return truth_of(node, {one: at.state in true for one, true in self._true.items()})

    def way(self, node: Temporal, at: Step) -> Way[Step]:
        """See `Ways`."""
        run = node.parts[0]
        holding = [self._true[part] for part in run.parts]
        if run.op is Op.NEXT:
            edges = [edge for edge in self.system.edges(at.state) if edge.target in holding[0]]
            return Way([Step(*edge) for edge in edges[:1]])  # without one, the run stays where it is
        ways = self._ways_from(at, self._true[node])
        if run.op is Op.UNTIL:
            return Way(next(way for state, way in ways.items() if state in holding[1]))
        lasting = [(state, scc) for scc in self.fair_components(list(ways)) for state in ways if state in scc]
        nearest, scc = min(lasting, key=lambda one: len(ways[one[0]]))
        return Way(ways[nearest], self._cycle(nearest, scc))

    def _ways_from(self, at: Step, inside: set[State]) -> dict[State, list[Step]]:
        """The states of a set that can be reached from one of them inside it, nearest first, and the ways there."""
        found: dict[State, list[Step]] = {at.state: []}
        waiting = deque([at.state])
        while waiting:
            state = waiting.popleft()
            for edge in self.system.edges(state):
                if edge.target in inside and edge.target not in found:
                    found[edge.target] = [*found[state], Step(*edge)]
                    waiting.append(edge.target)
        return found

    def _targets(self, state: State) -> list[State]:
        targets = [edge.target for edge in self.system.edges(state)]
        return [*targets, state] if self.may_end(state) else targets

    def _states(self, node: Temporal, layer: Sequence[State]) -> set[State]:
        """The states of a layer in which a node is true."""
        match node.op:
            case Op.TRUE:
                return set(layer)
            case Op.PROPOSITION:
                assert isinstance(node, Proposition)
                function = node.function
                assert function is not None
                what = f"{node} of {self.property.kind} {self.property.name!r}"
                return {state for state in layer if truth(self.system, function, state, what)}
            case Op.NOT:
                return set(layer) - self._true[node.parts[0]]
            case Op.OR:
                return {state for state in layer if any(state in self._true[part] for part in node.parts)}
        run = node.parts[0]
        holding = [self._true[part] for part in run.parts]
        match run.op:
            case Op.NEXT:
                return {state for state in layer if any(target in holding[0] for target in self._targets(state))}
            case Op.UNTIL:
                return self._leading_to({s for s in layer if s in holding[1]}, holding[0], node, layer)
            case _:
                inside = [state for state in layer if state in holding[0]]
                core = {state for scc in self.fair_components(inside) for state in scc}
                return self._leading_to(core, holding[0], node, layer)

    def _leading_to(self, goal: set[State], through: set[State], node: Temporal, layer: Sequence[State]) -> set[State]:
        """The states of a layer from which the goal, or what is known of later layers, can be reached."""
        found = set(goal)
        while True:
            more = {
                state
                for state in layer
                if state in through
                and state not in found
                and any(target in found or target in self._true[node] for target in self._targets(state))
            }
            if not more:
                return found
            found |= more
