"""A file of CPN Tools as a model: the net in it, its transitions by priority, and all values as CPN ML writes them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sweepcheck.core.layout import DrawnModule, DrawnPage, ReportLayout
from sweepcheck.core.limits import FileLimits
from sweepcheck.core.model import Edge, Label, State
from sweepcheck.core.stamps import At
from sweepcheck.core.values import Bag
from sweepcheck.errors import ModelError, SweepcheckError, closest
from sweepcheck.models.actions.action import Action
from sweepcheck.models.actions.draft import Draft
from sweepcheck.models.actions.enabled import Asked
from sweepcheck.models.cpn.document import CpnDocument
from sweepcheck.models.cpn.drawing import page_svg
from sweepcheck.models.cpn.instances import PageInstance, instances
from sweepcheck.models.cpn.ml import Colour, Ml, Where
from sweepcheck.models.cpn.predicates import Places
from sweepcheck.models.cpn.reading import read_document
from sweepcheck.models.cpn.source import python_source
from sweepcheck.models.cpn.translation import Translated, translated
from sweepcheck.models.net.system import NetModel, TransitionAction
from sweepcheck.models.net.time import CLOCK


class Token:
    """A value that is printed as CPN ML writes it; it equals the value."""

    __slots__ = ("text", "value")

    def __init__(self, value: Hashable, of: Colour) -> None:
        self.value, self.text = value, of.text(value)

    def __eq__(self, other: object) -> bool:
        return self.value == (other.value if isinstance(other, Token) else other)

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return self.text


class CpnLabel(Label):
    """A binding element as CPN Tools prints it: `Protocol'Send 1: {n=1,d="COL"}`."""

    __slots__ = ()

    def __str__(self) -> str:
        words = (repr(value) if name is None else f"{name}={value!r}" for name, value in self.arguments)
        return f"{self.action}: {{{','.join(words)}}}" if self.arguments else self.action


@dataclass(frozen=True, slots=True)
class CpnAction(TransitionAction):
    """A transition; its label is the binding as CPN Tools prints it, without the time it looked at."""

    spelling: Mapping[str, tuple[str, Colour]] = field(default_factory=dict)

    def fire(self, draft: Draft) -> Label | None:
        """See `Action.fire`."""
        label = TransitionAction.fire(self, draft)
        assert label is not None
        return CpnLabel(
            label.action, tuple(self._spelt(name, value) for name, value in label.arguments if name != CLOCK)
        )

    def _spelt(self, name: str | None, value: Hashable) -> tuple[str | None, Hashable]:
        if name is None or name not in self.spelling:
            return name, value
        spelt, of = self.spelling[name]
        return spelt, Token(value, of)


class CpnModel(NetModel):
    """The model of a file of CPN Tools."""

    def __init__(self, made: Translated) -> None:
        super().__init__(made.net)
        self.made = made
        spelling = {one.python: (one.name, one.colour) for one in made.ml.variables.values()}
        for name, (action,) in self._families.items():
            given = {one.name: getattr(action, one.name) for one in fields(action)}
            self._families[name] = (CpnAction(**given, spelling=spelling),)

    def describe(self, state: State) -> dict[str, object]:
        """The state as places and their tokens, as CPN ML writes them."""
        shown = super().describe(state)
        return {name: self._spelt(name, held) if isinstance(held, Bag) else held for name, held in shown.items()}

    def _spelt(self, place: str, held: Bag) -> Bag:
        of = self.made.colours[place]
        counts: dict[Hashable, int] = {}
        for token, count in held.items():
            spelt = At(Token(token.token, of), token.time) if isinstance(token, At) else Token(token, of)
            counts[spelt] = count
        return Bag(counts)

    @property
    def notes(self) -> tuple[str, ...]:
        """See `Prepared`: declarations that cannot be used, and that nothing needs."""
        return tuple(self.made.ml.notes)

    def remarks(self) -> Iterator[str]:
        """See `Prepared`."""
        if self.made.draws:
            yield f"random draws are explored as every outcome: {', '.join(sorted(self.made.draws))}"

    def own_expression(self, text: str) -> str | Callable[[Any], Any]:
        """See `Prepared`."""
        return self._places.expression(text)

    def variable_called(self, name: str) -> str:
        """See `Prepared`."""
        return name if name in self.kinds else self._places.called(name)

    @cached_property
    def _places(self) -> Places:
        return Places(self.made, frozenset(name for name, kind in self.kinds.items() if kind == "single"))

    def report_layout(self) -> ReportLayout:
        """See `Prepared`: fused places have rows of their own; a port has none, only the place that it is."""
        heading = self.made.instances.document.source.path.name
        places = {one.name: one.root().name for one in self.made.instances.places if not one.is_connected}
        return ReportLayout(heading, places, self._multiset)

    def python_source(self, origin: str) -> str:
        """See `Prepared`."""
        return python_source(self.made, origin)

    def drawn_pages(self, marking: Mapping[str, object] | None) -> dict[str, str]:
        """See `Prepared`: of every page its first instance."""
        held = self.describe(self.initial_states()[0]) if marking is None else marking
        found: dict[str, str] = {}
        for of in self.made.instances.pages:
            if of.number > 1:
                continue
            own = [one for one in self.made.instances.places if one.of is of]
            found[of.page.name] = page_svg(of.page, {one.place.id: _words(held.get(one.root().name)) for one in own})
        return found

    def drawn_at(self) -> list[DrawnPage]:
        """See `Prepared`: every instance of a page is one."""
        return [self._drawn(of) for of in self.made.instances.pages]

    def _drawn(self, of: PageInstance) -> DrawnPage:
        made = self.made.instances
        places = {one.place.id: one for one in made.places if one.of is of}
        nodes = {one.root().name: (one.place.figure.x, -one.place.figure.y) for one in places.values()}
        own = [one for one in made.transitions if one.of is of]
        nodes |= {one.name: (one.transition.figure.x, -one.transition.figure.y) for one in own}
        modules = tuple(
            DrawnModule(
                one.name,
                next(number for number, other in enumerate(made.pages) if other.way == (*of.way, one.id)),
                tuple(places[socket].root().name for socket in one.sockets.values() if socket in places),
                (one.figure.x, -one.figure.y),
            )
            for one in of.page.transitions.values()
            if one.subpage is not None
        )
        several = made.numbers[of.page.id] > 1
        return DrawnPage(f"{of.page.name} {of.number}" if several else of.page.name, nodes, modules)

    def _multiset(self, place: str, held: Bag) -> list[str]:
        of = self.made.colours[place]
        # What was described has tokens that are spelt already; what was counted has bare ones.
        bare = [(token.value if isinstance(token, Token) else token, count) for token, count in held.items()]
        return [f"{count}`{of.text(token)}" for token, count in sorted(bare, key=lambda one: of.key(one[0]))]


class PrioritisedModel(CpnModel):
    """A model whose transitions have different priorities: of those enabled, the lowest numbers occur."""

    def priorities(self) -> list[int]:
        """See `Prepared`."""
        return [self.made.priorities[one.name] for one in self.actions]

    def some_edges(self, state: State, most: int | None) -> tuple[Edge, ...]:
        """See `NetModel.some_edges`; which are the first is known when all are."""
        found = super().some_edges(state, None)
        first = min((self.made.priorities[edge.label.action] for edge in found), default=0)
        return tuple(edge for edge in found if self.made.priorities[edge.label.action] == first)[:most]

    def enabling(self, action: Action, asked: Asked) -> Callable[[Any], bool]:
        """See `Model.enabling`: what others are enabled makes a difference."""
        return lambda view: any(
            edge.label.action == action.name and asked.fits(edge.label) for edge in self.edges(self._whole(view))
        )

    def decidable(self, action: Action, asked: Asked) -> bool:  # noqa: ARG002 - no action is known by itself
        """See `Model.decidable`."""
        return False


def read_cpn(
    path: Path,
    limits: FileLimits,
    parameters: Mapping[str, object] = MappingProxyType({}),
    *,
    relative: bool = False,
) -> CpnModel:
    """The model in a file of CPN Tools. `parameters` replace the values that are declared there.

    `relative`: states are equivalent at any time.
    """
    document = read_document(path, limits)
    try:
        return _model(document, path, parameters, relative)
    except SweepcheckError as error:
        if document.options.get("realtimestamp") == "true" and error.code in ("SC141", "SC142"):
            error.add(("time", "the file has time stamps that are real numbers; here they are whole ones"))
        raise _located(error, path.name) from None


def _model(document: CpnDocument, path: Path, parameters: Mapping[str, object], relative: bool) -> CpnModel:
    overrides = {name: _written(value) for name, value in parameters.items()}
    ml = Ml(overrides, path.parent)
    for one in document.declarations:
        ml.declare(one.text, Where("", "a declaration", one.line))
    for name in overrides:
        if name not in ml.overridable:
            raise ModelError(
                "SC105",
                f"{path.name} declares no value {name!r}",
                where=path.name,
                suggestion=closest(name, list(ml.overridable)),
            )
    made = translated(instances(document), ml)
    if relative:
        made.net.time_equivalence()
    model = PrioritisedModel(made) if len(set(made.priorities.values())) > 1 else CpnModel(made)
    model.parameters = MappingProxyType(dict(parameters))
    return model


def _located(error: SweepcheckError, file: str) -> SweepcheckError:
    """The error with its file and line first, as editors know them."""
    where, _, line = (error.where or "").rpartition(", line ")
    if line.isdigit():
        error.where = f"{file}:{line}, {where}"
    elif error.where is None:
        error.where = file
    return error


def _words(held: object) -> list[str]:
    return [f"{count}`{token!r}" for token, count in held.items()] if isinstance(held, Bag) else []


def _written(value: object) -> str:
    """A parameter as CPN ML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value).replace("-", "~")
    return str(value)
