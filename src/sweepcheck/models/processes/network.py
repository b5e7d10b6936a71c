"""Network: a composition of components as a model. A state is one location for each component.

What a rule does depends on the locations of its participants alone, and these are tables: no function of the user's
runs while a network is explored.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from types import MappingProxyType
from typing import Any, ClassVar

from sweepcheck.core.formula import FALSE, Among, Formula, conjunction, disjunction, entries
from sweepcheck.core.measure import Measure
from sweepcheck.core.model import Edge, Label, State, System
from sweepcheck.core.plan import Strategy
from sweepcheck.core.prepared import Prepared
from sweepcheck.core.property import Kind, Pattern, Property, names_for
from sweepcheck.core.tabulated import Synchronisation, Tables, Variable
from sweepcheck.core.trace import Trace
from sweepcheck.core.view import view_class
from sweepcheck.errors import ModelError, RequestError, caller, closest, public, shown
from sweepcheck.measures.computed import meant_as_kinds, parse_kinds
from sweepcheck.models.processes.composition import Composition, Rule, component, distinct, labelled, parallel
from sweepcheck.models.processes.conditions import formula_from_python
from sweepcheck.models.processes.events import TAU
from sweepcheck.models.processes.lts import LTS
from sweepcheck.models.processes.measuring import network_measure
from sweepcheck.models.processes.observation import check_pattern, observed, observers, sees, unobserved
from sweepcheck.models.processes.spelling import near_misses
from sweepcheck.models.questions import Questions
from sweepcheck.strategies import COLUMN, FULL, GENERALISED, SWEEP

Moves = Mapping[Hashable, tuple[Hashable, ...]]  # from a location to the locations an event leads to


@dataclass(frozen=True, slots=True)
class Event:
    """A rule with its label and, for each participant, where it goes from each location."""

    name: str
    rule: Rule
    moves: tuple[tuple[int, Moves], ...]
    function: ClassVar[None] = None  # none is run

    def __str__(self) -> str:
        return self.name

    @property
    def label(self) -> Label:
        """The label of its edges."""
        return Label(self.name)

    def targets(self, state: tuple[Hashable, ...]) -> Iterator[tuple[Hashable, ...]]:
        """Every state that the event leads to, the first participant's choices outermost."""
        offered = [moves.get(state[member], ()) for member, moves in self.moves]
        if all(offered):
            for chosen in product(*offered):
                following = list(state)
                for (member, _), location in zip(self.moves, chosen, strict=True):
                    following[member] = location
                yield tuple(following)


class Network(Questions, Prepared):
    """Components that run side by side and do shared events together (CSP's alphabetised parallel).

    >>> from sweepcheck import LTS, Network, parallel
    >>> cell = LTS([("empty", "put", "full"), ("full", "get", "empty")])
    >>> buffer = Network("buffer", parallel(left=cell.rename(get="mid"), right=cell.rename(put="mid")).hide("mid"))
    >>> buffer.edges(("full", "empty"))
    (Edge(label=Label(action='tau(mid)', arguments=()), target=('empty', 'full')),)

    The variables of a state are the components, their values locations. `measures` says how progress is computed, for
    all components ("scc", "tree", "both", "auto") or by component; it is used when a strategy asks for progress.
    """

    action_word = "event"

    @public
    def __init__(
        self,
        name: str,
        composition: Composition | Mapping[str, LTS],
        *,
        measures: Mapping[str, str] | str | None = None,
    ) -> None:
        _check_given(name, composition, measures)
        if not isinstance(composition, Composition):
            composition = parallel(*(component(one, lts) for one, lts in composition.items()))
        self.name = name
        self.parameters: Mapping[str, object] = MappingProxyType({})
        self.unobserved: Network | None = None  # of a network with observers, the one without
        self.measures = {"": measures} if isinstance(measures, str) else dict(measures or {})
        self._composition = composition
        flat = composition.flatten()
        if not flat.components:
            raise ModelError(
                "SC611", f"network {name!r} has no component", where=caller(), suggestion="give at least one LTS"
            )
        self.variables: tuple[str, ...] = tuple(name for name, _ in flat.components)
        self.components: tuple[LTS, ...] = tuple(lts for _, lts in flat.components)
        self.alphabet: tuple[str, ...] = tuple(dict.fromkeys(r.event for r in flat.rules if r.event != TAU))
        self._view = view_class(self.variables)
        rules = distinct(flat.rules)
        tables = [_moves(lts) for lts in self.components]
        self.actions: tuple[Event, ...] = tuple(
            Event(label, rule, tuple((member, tables[member][event]) for member, event in rule.participants))
            for label, rule in zip(labelled(rules, self.variables), rules, strict=True)
            if all(event in tables[member] for member, event in rule.participants)  # the others are never possible
        )

    # -- declarations: those of Model, and `never` ------------------------------------------------------------------

    def deadlock(self, name: str = "deadlock") -> None:  # type: ignore[override]  # what is final, locations say
        """No reachable state is without successors, except those in which every component is in a final location."""
        super().deadlock(name)

    def declare(self, declared: Property) -> None:
        """Declare a property."""
        if isinstance(declared, Property):
            if declared.pattern is not None:
                check_pattern(self, declared.pattern)
            declared = self.completed(declared)
        super().declare(declared)

    @public
    def enabled(self, action: str, *arguments: Hashable, **named: Hashable) -> Formula:
        """The formula that an event is possible; `enabled("yes")` is about all events `yes.1`, `yes.2`, ..."""
        if named:
            raise RequestError(
                "SC413", f"an event has no parameter {next(iter(named))!r}", suggestion='write enabled("yes", 2)'
            )
        name = ".".join([action, *map(str, arguments)])
        meant = [one for one in self.actions if name in (*names_for(one.name), one.rule.event)]
        if not meant:
            known = [one.name for one in self.actions]
            raise RequestError("SC407", f"the network has no event {name!r}", suggestion=closest(name, known))
        return disjunction(
            conjunction(Among(self.variables[member], frozenset(moves)) for member, moves in one.moves) for one in meant
        )

    # -- what the engines see ---------------------------------------------------------------------------------------

    @property
    def measure(self) -> Measure | None:
        """Networks declare how to compute a measure (`measures`), not a measure."""
        return None

    def initial_states(self) -> tuple[State, ...]:
        """Every component in its initial location."""
        return (tuple(lts.locations[lts.initial] for lts in self.components),)

    def edges(self, state: State) -> tuple[Edge, ...]:
        """The edges out of a state, in the order of the events and of each participant's steps."""
        locations: tuple[Hashable, ...] = state  # type: ignore[assignment]
        # An event is looked at only where its first participant can do it.
        numbers: set[int] = set()
        for offered, location in zip(self._offers, locations, strict=True):
            numbers.update(offered.get(location, ()))
        return tuple(
            Edge(self.actions[number].label, target)
            for number in sorted(numbers)
            for target in self.actions[number].targets(locations)
        )

    @cached_property
    def _offers(self) -> tuple[dict[Hashable, list[int]], ...]:
        """Per component and location: the events that it is the first participant of and can do there."""
        offers: tuple[dict[Hashable, list[int]], ...] = tuple({} for _ in self.components)
        for number, event in enumerate(self.actions):
            member, moves = event.moves[0]
            for location in moves:
                offers[member].setdefault(location, []).append(number)
        return offers

    def view(self, state: State) -> Any:
        """The state as predicates and measures read it: a component's name gives its location."""
        return self._view(state)  # type: ignore[arg-type]

    def tabulate(self) -> Tables:
        """See `Tabulated`: every component is a scalar whose values are its locations."""
        moves = [_numbered_moves(lts) for lts in self.components]
        return Tables(
            tuple(Variable(name, values=lts.locations) for name, lts in self._named()),
            tuple(
                Synchronisation([(member, moves[member][event]) for member, event in one.rule.participants])
                for one in self.actions
            ),
        )

    def reading(self, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """See `Tabulated`."""
        return function

    def describe(self, state: State) -> dict[str, object]:
        """The components and their locations."""
        locations: tuple[Hashable, ...] = state  # type: ignore[assignment]
        return dict(zip(self.variables, locations, strict=True))

    def locate(self, label: Label) -> str | None:  # noqa: ARG002 - an event is written in several components
        """An event has no single place."""
        return None

    @cached_property
    def final(self) -> Formula:
        """Every component may rest where it is."""
        return conjunction(
            Among(name, frozenset(lts.locations[location] for location in lts.final)) if lts.final else FALSE
            for name, lts in self._named()
        )

    def parties(self) -> dict[str, set[str]]:
        """The components that take part in each event, hidden ones under the name they had."""
        known: dict[str, set[str]] = {}
        for rule in self._composition.flatten().rules:
            members = [member for member, event in rule.participants if event != TAU]
            name = rule.origin if rule.event == TAU else rule.event
            known.setdefault(name, set()).update(self.variables[member] for member in members)
        return known

    def _named(self) -> Iterator[tuple[str, LTS]]:
        return zip(self.variables, self.components, strict=True)

    def condition(self, text: str) -> Formula | None:
        """The formula that Python text means, if it compares components with locations and does nothing else."""
        found = formula_from_python(text, self.variables, self.enabled)
        asked = [] if found is None else [entry for entry in entries(found) if entry.variable]
        known = {name: frozenset(lts.locations) for name, lts in self._named()} if asked else {}
        for entry in asked:
            for value in entry.values:
                if value not in known[entry.variable]:
                    raise RequestError(
                        "SC402",
                        f"component {entry.variable!r} has no location {shown(value)}",
                        values=[("in", text)],
                        suggestion=closest(value, map(str, dict(self._named())[entry.variable].locations)),
                    )
        return found

    # -- see `Prepared` ---------------------------------------------------------------------------------------------

    def declared_actions(self) -> tuple[Event, ...]:
        """Every event that is ever possible."""
        return self.actions

    def family(self, label: Label) -> str:
        """The events of one name differ in what follows its first full stop."""
        return label.action.partition(".")[0]

    def completed(self, asked: Property) -> Property:
        """A deadlock property that says nothing about final states: those in which all components may rest."""
        final = asked.kind is Kind.DEADLOCK and asked.predicate is None
        return replace(asked, predicate=self.final) if final else asked

    def pattern(self, text: str) -> Pattern:
        """The pattern of events that a text of the process language means."""
        from sweepcheck.models.processes.parsing import parse_pattern  # needs the grammar

        return parse_pattern(text)

    def prepared(self, properties: Sequence[Property]) -> Network:
        """The network with an observer for every property about events; itself if there is none."""
        watching = observers(self, properties)
        if not watching:
            return self
        observed = Network(self.name, parallel(self._composition, *watching), measures=self.measures)
        observed.parameters, observed._asked, observed.unobserved = self.parameters, dict(self._asked), self
        return observed

    def measure_for(self, asked: str | None, needed: bool) -> Measure | None:
        """The product of the components' measures: computed where it is asked for, declared, or needed."""
        if asked is None:
            return network_measure(self) if self.measures or needed else None
        if not meant_as_kinds(asked, (*self.variables, *self.parameters)):
            return None
        return network_measure(self, parse_kinds((asked,)))

    def default_strategy(self, measure: Measure | None, demanding: str | None) -> tuple[Strategy, str | None]:
        """Which components go back is known, since their measures are computed."""
        if measure is None:
            return FULL, None
        if measure.monotone:
            return SWEEP, "no component's measure goes back"
        if demanding is not None:
            return FULL, f"{demanding} needs a measure that never goes back"
        if any(part.monotone for part in measure.parts):
            return COLUMN, "some of the components' measures go back"
        return GENERALISED, "the components' measures go back"

    def original(self, trace: Trace) -> tuple[Network, Trace]:
        """The network without observers."""
        return (self, trace) if self.unobserved is None else (self.unobserved, unobserved(self.unobserved, trace))

    def followed(self, trace: Trace) -> Trace:
        """The trace with observers, if there are any."""
        return trace if self.unobserved is None else observed(self, trace)

    def reads_along(self, trace: Trace) -> list[frozenset[str] | None]:
        """See `Prepared`: where those components are that take part in the event."""
        taking_part: dict[Label, set[str]] = {}
        for one in self.actions:
            taking_part.setdefault(one.label, set()).update(self.variables[at] for at, _ in one.rule.participants)
        return [frozenset(taking_part[step.label]) for step in trace.steps]

    def sees(self, pattern: Pattern, trace: Trace) -> bool:
        """Whether the pattern comes in the events of a trace."""
        return sees(self, pattern, trace)

    def remarks(self) -> Iterator[str]:
        """Events that only one component knows while another has nearly the same."""
        for lonely, alone, near, others in near_misses(self.unobserved or self):
            known = " and ".join(others[:2]) + (f" and {len(others) - 2} more" if len(others) > 2 else "")
            yield f"event {lonely!r} is known to {alone} alone, and {known} has {near!r}: is one of them misspelt?"

    def __repr__(self) -> str:
        return f"<Network {self.name!r}: {len(self.components)} components, {len(self.actions)} events>"


def network_of(system: System, what: str) -> Network:
    """The system, if it is made of components; `what` is to be done with them."""
    if isinstance(system, Network):
        return system
    raise RequestError(
        "SC404",
        f"the model {system.name!r} has no components that could be {what}",
        suggestion="give a process file (.psl), a .network or an .aut file",
    )


def _check_given(name: object, composition: object, measures: object) -> None:
    """Refuse what no network can be made of."""
    what = suggestion = ""
    if not isinstance(name, str):
        what, suggestion = f"the network's name is {shown(name)}, which is not text", 'write Network("name", ...)'
    elif not isinstance(composition, Composition | Mapping):
        what = f"network {name!r} is made of {shown(composition)}, which is no composition"
        suggestion = "give parallel(...), or names and LTSs: {'door': lts}"
    elif not isinstance(measures, str | Mapping | None):
        what = f"network {name!r} was given measures={shown(measures)}"
        suggestion = "give scc, tree, both or auto, for all components or for each by name"
    if what:
        raise ModelError("SC611", what, where=caller(), suggestion=suggestion)


def _moves(lts: LTS) -> dict[str, dict[Hashable, tuple[Hashable, ...]]]:
    """Per event: from each location that has such a step, where it leads."""
    tables: dict[str, dict[Hashable, list[Hashable]]] = {event: {} for event in lts.events}
    for source, event, target in lts.triples():
        tables[event].setdefault(lts.locations[source], []).append(lts.locations[target])
    return {event: {here: tuple(there) for here, there in table.items()} for event, table in tables.items()}


def _numbered_moves(lts: LTS) -> dict[str, list[tuple[int, int]]]:
    """Per event its steps, from location to location by number."""
    found: dict[str, list[tuple[int, int]]] = {event: [] for event in lts.events}
    for source, event, target in lts.triples():
        found[event].append((source, target))
    return found
