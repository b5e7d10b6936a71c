"""A net as the engines see it: a model whose variables are places and whose actions are transitions."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

from sweepcheck.core.advice import advice
from sweepcheck.core.captured import refuse_rebound
from sweepcheck.core.chance import drawn, labelled
from sweepcheck.core.counting import CountNet, TokenCounts, TokenNumber
from sweepcheck.core.equivalence import Equivalence, Symmetry
from sweepcheck.core.layout import DrawnPage
from sweepcheck.core.measure import Measure
from sweepcheck.core.model import Edge, Label, State
from sweepcheck.core.stamps import Stamped
from sweepcheck.core.tabulated import Variable, VariableKind
from sweepcheck.core.values import Bag
from sweepcheck.core.view import view_class
from sweepcheck.errors import ModelError, RequestError, SweepcheckError, own_traceback, shown, told
from sweepcheck.models.actions.action import Action
from sweepcheck.models.actions.draft import Draft, admit_initial, draft_class
from sweepcheck.models.actions.enabled import Asked, settled_value
from sweepcheck.models.actions.model import Model
from sweepcheck.models.actions.reads import Reader
from sweepcheck.models.net.bounds import black_bounds, within
from sweepcheck.models.net.counting import count_net
from sweepcheck.models.net.editor import TimedEditor
from sweepcheck.models.net.hierarchy import FlatNet, FlatPlace, FlatTransition, flatten
from sweepcheck.models.net.marking import Marking
from sweepcheck.models.net.names import functions
from sweepcheck.models.net.net import Net
from sweepcheck.models.net.occurrence import Occurrence, Occurrences
from sweepcheck.models.net.occurrence.writer import Slot
from sweepcheck.models.net.time import CLOCK, absolute, later, next_time, without_past
from sweepcheck.models.structures.faces import Faces
from sweepcheck.models.symmetry.shape import NOWHERE, Elements, Parts, Shape

TIME = "time equivalence"


@dataclass(frozen=True, slots=True)
class TransitionAction(Action):
    """A transition of the flat net; its label is the binding."""

    occurrence: Occurrence | None = None
    where: str | None = None

    def fire(self, draft: Draft) -> Label | None:
        """See `Action.fire`."""
        assert self.occurrence is not None
        draws: list[str] = []
        token = drawn.set(draws)
        try:
            binding = self.occurrence.labelled(draft)
        finally:
            drawn.reset(token)
        return Label(self.name, (*self.arguments, *binding, *(labelled(draws) if draws else ())))

    def blame(self, error: BaseException, variables: Sequence[str]) -> SweepcheckError:  # noqa: ARG002 - as in Action
        """The error with the inscription it came from and the binding so far."""
        assert self.occurrence is not None
        where = f"{self.where}, transition {self.name}" if self.where else f"transition {self.name}"
        code = self.occurrence.labelled.__code__
        values = []
        for frame, line in traceback.walk_tb(error.__traceback__):
            if frame.f_code is code:
                known = {k: v for k, v in frame.f_locals.items() if k in self.occurrence.variables}
                binding = " ".join(f"{name}={shown(value)}" for name, value in known.items())
                values = [("in", self.occurrence.origin(line)), ("binding", binding or "empty")]
        if isinstance(error, SweepcheckError):
            return error.add(*values, where=where)
        frames = own_traceback(error)
        if "\n" in frames:  # else it is text, and its only line is known
            values.append(("traceback", frames))
        return ModelError(
            "SC223",
            f"transition {self.name!r} raised {told(error)}",
            where=where,
            values=values,
            suggestion=advice(error)
            or "an inscription must have a value for every binding that the guard lets through",
        )


class NetModel(Model):
    """The model of a net. In a timed net one more variable is the clock."""

    action_word = "transition"
    ids: Mapping[str, str] = MappingProxyType({})  # where it comes from a file: the names of its nodes, by ids there
    drawn_in: Callable[[], Mapping[str, tuple[float, float]]] | None = None  # and where it has them drawn

    takes_early = False  # some arc takes tokens before they are ready

    def __init__(self, net: Net) -> None:
        flat = flatten(net)
        refuse_rebound(
            (f"transition {one.name!r}", function) for one in flat.transitions for function in functions(one.transition)
        )
        singles = flat.singles()
        self._flat, self._singles = flat, singles
        self.name = net.name
        self.parameters: Mapping[str, object] = MappingProxyType({})
        self.kinds: dict[str, str] = {one.name: _kind(one, singles) for one in flat.places}
        if len(self.kinds) < len(flat.places):
            raise _twice(flat)
        self.capacities = {one.name: one.capacity for one in flat.places}
        self.timed = "timed" in self.kinds.values()
        if self.timed:
            self.kinds[CLOCK] = CLOCK
        self.variables = tuple(self.kinds)
        first = [next(iter(one.initial)) if one in singles else one.initial for one in flat.places]
        state = (*first, *([0] if self.timed else []))
        self._faces = Faces(dict(zip(self.variables, state, strict=True)))
        timed = {name: TimedEditor for name, kind in self.kinds.items() if kind == "timed"}
        self._draft = draft_class(self.variables, state, timed)
        self._initial = (admit_initial(self._draft, state),)
        self._view = view_class(self.variables)
        self._written_at = None
        self._families = transition_actions(flat, singles)
        self._early = _early(flat)
        self.takes_early = bool(self._early)
        self.net = net
        self.time_is_relative = net.time_is_relative
        by_clock = self.timed and not net.time_is_relative
        self.measure = net.measure or (Measure(lambda m: m.clock, name=CLOCK) if by_clock else None)
        if net.time_is_relative and not self.timed:
            raise _without_time(net)
        if flat.reads_clock and (net.time_is_relative or not self.timed):
            raise _reads_clock(net, self.timed)
        self._shapes = {one.name: _shape(one, singles) for one in flat.places if one.colour.shape.sets()}
        self._equivalence, self._cutoff = net.declared_equivalence(), net.declared_cutoff()
        self._asked = {one.name: one for one in net.properties}
        self._fair, self._stutters = list(net._fair), net._stutters
        self._constraints = {one.name: one for one in net.declared_constraints()}

    # -- what the engines see ----------------------------------------------------------------------------------------

    def with_log(self, events: Any) -> None:
        """See `Prepared`: what a log shows of a transition cannot be declared yet."""

    def some_edges(self, state: State, most: int | None) -> tuple[Edge, ...]:
        """The enabled binding elements; when nothing is enabled, those at the next time when something is."""
        values: tuple[Any, ...] | None = state  # type: ignore[assignment]
        while values is not None:
            found = super().some_edges(values, most)
            if found or not self.timed:
                return found
            values = self.advance(values)
        return ()

    def runs_of(self, action: int, state: State) -> tuple[tuple[Edge, ...], frozenset[int]] | None:
        """See `Prepared`: time may have to pass first."""
        return None if self.timed else super().runs_of(action, state)

    def _read_by(self, reader: Reader, state: State, edge: Edge) -> frozenset[str] | None:
        """In the state as it is when time has passed."""
        values: tuple[Any, ...] | None = state  # type: ignore[assignment]
        found = None
        while values is not None and found is None:
            found = reader.of(values, edge)
            values = self.advance(values) if self.timed else None
        return found

    def advance(self, values: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """The state when the next token can be taken; None when no token ever will."""
        kinds = self.kinds.values()
        held = zip(self.kinds.items(), values, strict=True)
        passed = next_time((value, self._early.get(name, (0,))) for (name, kind), value in held if kind == "timed")
        if passed is None:
            return None
        return tuple(
            later(value, passed) if kind == "timed" else value + passed if kind == CLOCK else value
            for value, kind in zip(values, kinds, strict=True)
        )

    def declared_equivalence(self) -> Equivalence | None:
        """See `Prepared`: time is made relative before names are changed."""
        declared = super().declared_equivalence()
        if not self.time_is_relative:
            return declared
        relative = Symmetry(relative=True)
        if declared is None:
            return Equivalence((), self.without_time, "relative", TIME, symmetry=relative)
        inner, origin = declared.canonical, f"{TIME} and {declared.origin}"
        if inner is None:
            return replace(declared, canonical=self.without_time, form="relative", origin=origin, symmetry=relative)
        told = None if declared.symmetry is None else replace(declared.symmetry, relative=True)
        form = f"relative, {declared.form}"
        canonical = lambda state: inner(self.without_time(state))  # noqa: E731
        return replace(declared, canonical=canonical, form=form, origin=origin, symmetry=told)

    def without_time(self, state: State) -> tuple[Any, ...]:
        """The state at time 0 in which tokens have as long to wait, and no token was ready before."""
        values: tuple[Any, ...] = state  # type: ignore[assignment]
        kinds = self.kinds.values()
        return tuple(
            without_past(value) if kind == "timed" else 0 if kind == CLOCK else value
            for value, kind in zip(values, kinds, strict=True)
        )

    def count_net(self) -> CountNet | None:
        """See `Prepared`."""
        return self._counted

    @cached_property
    def _counted(self) -> CountNet | None:
        return count_net(self._flat, self._singles)

    def view(self, state: State) -> Any:
        """The state as predicates and measures read it."""
        return Marking(super().view(state), self.kinds, self)

    def reading(self, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """See `Model.reading`."""
        kinds = self.kinds
        return lambda view: function(Marking(view, kinds, self))

    @cached_property
    def place_names(self) -> Collection[str]:
        """What the places of its markings are called."""
        return dict.fromkeys(name for name, kind in self.kinds.items() if kind != CLOCK)

    def flat_view(self, view: Any) -> Any:
        """See `Model.flat_view`."""
        return view._view if isinstance(view, Marking) else view

    def enabling(self, action: Action, asked: Asked) -> Callable[[Any], bool]:
        """See `Model.enabling`: of black tokens their number is enough, and time may have to pass first."""
        if self.timed:
            return lambda view: any(
                edge.label.action == action.name and asked.fits(edge.label) for edge in self.edges(self._whole(view))
            )
        assert isinstance(action, TransitionAction)
        made = action.occurrence
        bounds = None if made is None or not asked.fits(action.label) else black_bounds(made.transition, made.slots)
        return super().enabling(action, asked) if bounds is None else within(bounds)

    def token_counts(self) -> TokenCounts | None:
        """See `Prepared`."""
        if self.timed:
            return None
        total = self.tokens_on(self.variables)
        return TokenCounts(replace(total, constant=min(1, total.constant), most=True), total)

    def tokens_on(self, variables: Iterable[str]) -> TokenNumber:
        """How many tokens some variables hold together. A place that always holds one token is no bag."""
        held = Counter(variables)
        singles = sum(count for name, count in held.items() if self.kinds[name] == "single")
        terms = tuple((name, count) for name, count in held.items() if self.kinds[name] != "single")
        return TokenNumber(terms, singles, flat=self.flat_view)

    def variables_of(self, place: str) -> Iterable[str]:
        """The variables that hold the tokens of a place."""
        return (place,)

    def decidable(self, action: Action, asked: Asked) -> bool:
        """See `Model.decidable`: time may have to pass before a transition of a timed net is enabled."""
        return not self.timed and asked.fits(action.label)

    def _whole(self, view: Any) -> tuple[Any, ...]:
        first: tuple[Any, ...] = self._initial[0]
        return tuple(settled_value(getattr(view, name), like) for name, like in zip(self.variables, first, strict=True))

    def _variable(self, name: str, value: Any) -> Variable:  # noqa: ARG002 - a place tells by its kind
        kind = VariableKind(self.kinds[name])
        stamped = Stamped if kind is VariableKind.TIMED else None
        return Variable(name, kind, capacity=self.capacities.get(name), stamped=stamped)

    def describe(self, state: State) -> dict[str, object]:
        """The state as places and their tokens, with absolute times."""
        values: tuple[Any, ...] = state  # type: ignore[assignment]
        shown_: dict[str, object] = {}
        for (name, kind), value in zip(self.kinds.items(), values, strict=True):
            if kind == "single":
                shown_[name] = Bag([value])
            else:
                shown_[name] = absolute(value, values[-1]) if kind == "timed" else value
        return shown_

    def drawn_at(self) -> Sequence[DrawnPage]:
        """See `Prepared`: a file without pages of its own is one page."""
        found = {} if self.drawn_in is None else self.drawn_in()
        return [DrawnPage(self.net.name, found)] if found else []

    def locate(self, label: Label) -> str | None:
        """Where the transition of an edge is declared."""
        found = self._families.get(label.action)
        return found[0].where if found else None  # type: ignore[attr-defined]

    def __repr__(self) -> str:
        return f"<model of {self.net!r}>"


def net_of(model: object) -> Net:
    """The net that a model is, or was made from."""
    if isinstance(model, NetModel):
        return model.net
    if isinstance(model, Net):
        return model
    raise RequestError(
        "SC404",
        f"{shown(model)} is no net, and only nets can be drawn",
        suggestion="runs of any model can be drawn as sequence diagrams: sweepcheck check FILE.py --trace FILE.mmd",
    )


def _twice(flat: FlatNet) -> ModelError:
    names = [one.name for one in flat.places]
    twice = next(one for one in flat.places if names.count(one.name) > 1)
    return ModelError(
        "SC112",
        f"a place and a fusion set are both called {twice.name!r}",
        where=twice.where,
        suggestion="give the fusion set another name",
    )


def _without_time(net: Net) -> ModelError:
    return ModelError(
        "SC131",
        f"net {net.name!r} declares a time equivalence, and no place of it is timed",
        suggestion="leave it out, or give places timed colours: colours.timed(int)",
    )


def _early(flat: FlatNet) -> dict[str, tuple[int, ...]]:
    """How early tokens are taken from places, where some arc takes them before they are ready."""
    found: dict[str, set[int]] = {}
    for one in flat.transitions:
        for arc in one.transition.arcs:
            if arc.early:
                found.setdefault(one.places[arc.place].name, {0}).add(arc.early)
    return {name: tuple(sorted(by)) for name, by in found.items()}


def _reads_clock(net: Net, timed: bool) -> ModelError:
    return ModelError(
        "SC131",
        f"a transition of net {net.name!r} looks at the time, "
        + ("and states are to be equivalent at any time" if timed else "and no place of it is timed"),
        suggestion="leave out the time equivalence" if timed else "give places timed colours: colours.timed(int)",
    )


def _shape(place: FlatPlace, singles: set[FlatPlace]) -> Shape:
    """Where members of permutable colours are in what the place holds."""
    token = place.colour.shape
    if place in singles:
        return token
    return Elements(Parts((token, NOWHERE)) if place.colour.timed else token)


def _kind(place: FlatPlace, singles: set[FlatPlace]) -> str:
    return "single" if place in singles else "timed" if place.colour.timed else "bag"


def transition_actions(flat: FlatNet, singles: set[FlatPlace]) -> dict[str, tuple[Action, ...]]:
    """What the transitions do, by their names."""
    slots = {one: Slot(one.name, one.capacity, one in singles) for one in flat.places}
    slots[flat.clock] = Slot(CLOCK, None, True)
    occurrences = Occurrences()
    return {one.name: (_action(one, slots, occurrences),) for one in flat.transitions}


def _action(flat: FlatTransition, slots: Mapping[FlatPlace, Slot], occurrences: Occurrences) -> TransitionAction:
    touched = {arc.place: slots[flat.places[arc.place]] for arc in flat.transition.arcs}
    made = occurrences.occurrence(flat.transition, touched)
    return TransitionAction(
        flat.name, made.function, fair=flat.transition.fair, occurrence=made, where=flat.transition.where
    )
