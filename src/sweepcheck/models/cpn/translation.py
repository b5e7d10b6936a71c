"""From the instances of a file to a net of ours, with the priorities of its transitions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from sweepcheck.core.stamps import Stamped
from sweepcheck.core.values import Bag
from sweepcheck.errors import SweepcheckError, closest, shown
from sweepcheck.models.cpn.document import CpnArc, CpnPage, Written
from sweepcheck.models.cpn.inscriptions import Inscriptions, delays
from sweepcheck.models.cpn.instances import Instances, PlaceInstance, TransitionInstance
from sweepcheck.models.cpn.ml import Colour, Inscription, Ml, Where
from sweepcheck.models.net import colours
from sweepcheck.models.net.inscription import Expression, Tokens
from sweepcheck.models.net.names import definitions, names
from sweepcheck.models.net.net import Net
from sweepcheck.models.net.pattern import binds
from sweepcheck.models.net.structure import Arc, Place, Transition
from sweepcheck.models.net.time import CLOCK

UNIT = "UNIT"  # the colour set of places without one
DEFAULT_PRIORITY = 1000
RAN = "_code"  # what the code segment of a transition gave
KINDS = {"ptot": ("take",), "ttop": ("put",), "bothdir": ("take", "put")}


@dataclass(slots=True)
class Translated:
    """A net made from a file, and what else the file says about it."""

    instances: Instances
    ml: Ml
    net: Net
    colours: dict[str, Colour] = field(default_factory=dict)  # by places of the net
    priorities: dict[str, int] = field(default_factory=dict)  # by transitions
    draws: frozenset[str] = frozenset()  # the random functions that transitions draw from

    @property
    def timed(self) -> bool:
        """Whether some place has tokens with time stamps."""
        return any(one.timed for one in self.colours.values())


def translated(instances: Instances, ml: Ml) -> Translated:
    """The net of a file; all declarations have been made."""
    if UNIT not in ml.colours:
        ml.declare(f"colset {UNIT} = unit;", Where("", "the colour set of places without one", 0))
    found = Translated(instances, ml, Net(instances.document.name))
    inscriptions = Inscriptions(ml)
    places = _Places(found, inscriptions)
    for one in instances.places:
        places.add(one)
    transitions = _Transitions(found, inscriptions, places.made)
    for each in instances.transitions:
        transitions.add(each)
    found.draws = inscriptions.draws
    return found


@dataclass(slots=True)
class _Places:
    """Adds places: of ports and fused ones only the place that they are."""

    found: Translated
    inscriptions: Inscriptions
    made: dict[PlaceInstance, Place] = field(default_factory=dict)
    _kinds: dict[int, colours.Colour] = field(default_factory=dict)

    def add(self, one: PlaceInstance) -> None:
        root = one.root()
        if root not in self.made:
            self.made[root] = self._root(root)
        if root is one:
            return
        self.made[one] = self.made[root]
        # The marking of a port is the one of its socket, whatever stands beside it.
        is_fused = one.place.port is None or one.same is None
        if is_fused and self._marking(one, self._colour(one)) != self.made[root].initial:
            what = f"places {root.name!r} and {one.name!r} are fused, and start with different tokens"
            raise _wrong(self.found, what, one.of.page, one.place.marking.line, "give them the same initial marking")

    def _root(self, one: PlaceInstance) -> Place:
        of = self._colour(one)
        self.found.colours[one.name] = of
        where = f"{self.found.instances.document.source.path.name}:{one.place.line}"
        made = Place(self.found.net, one.name, self._kind(of), self._marking(one, of), where=where)
        self.found.net.places[one.name] = made
        return made

    def _colour(self, one: PlaceInstance) -> Colour:
        name = one.place.colour.text.strip() or UNIT
        known = self.found.ml.colours
        if name not in known:
            what = f"place {one.place.name!r} has the colour set {shown(name)}, which is not declared"
            raise _wrong(self.found, what, one.of.page, one.place.colour.line, closest(name, list(known)))
        return known[name]

    def _kind(self, of: Colour) -> colours.Colour:
        """A colour set as a colour of a net. Its values are not listed: no place needs that."""
        if id(of) not in self._kinds:
            made = colours.UNIT if of.values() == ((),) else colours.Colour(of.name, of.contains)
            self._kinds[id(of)] = colours.timed(made) if of.timed else made
        return self._kinds[id(of)]

    def _marking(self, one: PlaceInstance, of: Colour) -> Bag:
        page, written = one.of.page, one.place.marking
        if not written:
            return Bag()
        where = Where(page.name, f"the initial marking of place {one.place.name!r}", written.line)
        found = self.inscriptions.read(written, where, of, "marking")
        given = found.evaluate({CLOCK: 0} if found.uses_clock else {})
        pairs = list(given) if of.timed else [(token, 0) for token in given]
        for token, _ in pairs:
            if not of.contains(token):
                what = f"place {one.place.name!r} starts with {of.text(token)}, which is not in colour set {of.name}"
                suggestion = "mend the initial marking, or widen the colour set"
                raise _wrong(self.found, what, page, written.line, suggestion)
        return Bag([Stamped(token, wait) if of.timed else token for token, wait in pairs])


@dataclass(slots=True)
class _Transitions:
    """Adds transitions."""

    found: Translated
    inscriptions: Inscriptions
    places: dict[PlaceInstance, Place]

    def add(self, one: TransitionInstance) -> None:
        page, given = one.of.page, one.transition
        read: list[Inscription] = []

        def inscription(written: Written, kind: str, what: str) -> Inscription:
            where = Where(page.name, f"{what} of transition {given.name!r}", written.line)
            read.append(self.inscriptions.read(written, where, None, kind))
            return read[-1]

        arcs = [made for arc in page.arcs if arc.transition == given.id for made in self._arcs(one, arc, read)]
        guard: list[Expression] = []
        if given.guard:
            conditions = inscription(given.guard, "guard", "the guard").conditions
            guard = [self.inscriptions.expression(each.python) for each in conditions]
        delay = None
        if given.time:
            waits = inscription(given.time, "time", "the time")
            delay = self.inscriptions.expression(waits.python) if _delays_tokens(arcs) else None
        let = self._code(inscription(given.code, "code", "the code segment")) if given.code else {}
        if any(each.uses_clock for each in read):
            arcs += self._clock(let)
        where = f"{self.found.instances.document.source.path.name}:{given.line}"
        constants = self.inscriptions.constants
        made = Transition(one.name, tuple(arcs), tuple(guard), let, {}, delay, constants, where=where)
        self.found.net.add(replace(made, free=self._free(made, page, given.line)))
        self.found.priorities[one.name] = self._priority(one)

    def _clock(self, let: dict[str, Expression]) -> list[Arc]:
        """How a transition knows the time: in a net without time it is always 0."""
        if not self.found.timed:
            let[CLOCK] = self.inscriptions.expression("0")
            return []
        return [Arc("test", self.found.net.clock, (Tokens(self.inscriptions.expression(CLOCK)),), CLOCK)]

    def _priority(self, one: TransitionInstance) -> int:
        written = one.transition.priority
        if not written:
            return DEFAULT_PRIORITY
        where = Where(one.of.page.name, f"the priority of transition {one.transition.name!r}", written.line)
        found = self.inscriptions.read(written, where, None, "priority")
        if found.names or found.uses_clock:
            what = f"the priority of transition {one.transition.name!r} depends on its binding, which"
            raise _unsupported(self.found, what, one.of.page, written.line, "give a constant")
        number = found.evaluate({})
        assert isinstance(number, int)
        return number

    def _code(self, found: Inscription) -> dict[str, Expression]:
        """What a code segment computes. Without output it changes nothing."""
        assert found.code is not None
        if not found.code.outputs:
            return {}
        outputs = {
            name: self.inscriptions.expression(f"{RAN}[{number}]") for number, name in enumerate(found.code.outputs)
        }
        return {RAN: self.inscriptions.expression(found.code.python), **outputs}

    def _free(self, made: Transition, page: CpnPage, line: int) -> dict[str, colours.Colour]:
        """The variables that no arc binds: those of small colour sets run through them, until the guard tells the rest.

        A variable that the guard defines comes after those, and is only looked up in its colour set.
        """
        spelt = {one.python: one for one in self.found.ml.variables.values()}
        left = sorted((_used(made) & spelt.keys()) - _bound_by_arcs(made))
        free: dict[str, colours.Colour] = {}
        while unknown := [name for name in left if name not in _defined(made, _bound_by_arcs(made) | free.keys())]:
            name = min(unknown, key=lambda one: (spelt[one].colour.values() is None, spelt[one].colour.size or 0))
            of = spelt[name].colour
            values = of.values()
            if values is None:
                what = f"nothing binds variable {spelt[name].name!r}, and colour set {of.name} is too large to try all"
                suggestion = "let an input arc have it, or an equality in the guard; or declare a range of at most 100"
                raise _wrong(self.found, f"transition {made.name!r}: {what}", page, line, suggestion, "SC148")
            free[name] = colours.Colour(of.name, of.contains, _listed(values))
        for name in left:
            of = spelt[name].colour
            values = of.values()
            free.setdefault(name, colours.Colour(of.name, of.contains, None if values is None else _listed(values)))
        return free

    # -- arcs --------------------------------------------------------------------------------------------------------

    def _arcs(self, one: TransitionInstance, arc: CpnArc, read: list[Inscription]) -> Iterator[Arc]:
        instance = one.places[arc.place]
        place = self.places[instance]
        if arc.kind == "reset":
            yield place.reset()
        elif arc.kind == "inhibitor":
            if place.colour.timed:
                what = f"the inhibitor arc from {instance.place.name!r}, a timed place,"
                raise _unsupported(self.found, what, one.of.page, arc.line, "give the place an untimed colour set")
            yield place.inhibit()
        else:
            of = self.found.colours[place.name]
            element = f"the arc between {instance.place.name!r} and {one.transition.name!r}"
            where = Where(one.of.page.name, element, arc.inscription.line)
            found = self.inscriptions.read(arc.inscription, where, of, "arc")
            read.append(found)
            for kind in KINDS[arc.kind]:
                terms = self.inscriptions.multiset(found, kind, of.timed)
                early = self._early(found, element, one.of.page, arc) if kind == "take" and of.timed else 0
                yield Arc(kind, place, terms, arc.inscription.text.strip() or "()", early=early)

    def _early(self, found: Inscription, element: str, page: CpnPage, arc: CpnArc) -> int:
        """How long before they are ready an input arc takes tokens: the time on it, which must be one number."""
        if found.terms is None:  # what has no times; else there is an error when it is computed
            return 0
        what = f"{element}: a time on an input arc that is not one number for all its tokens"
        refused = _unsupported(self.found, what, page, arc.line, "write @+ with a constant behind all of the tokens")
        try:
            given = {self.inscriptions.constant(one) for one in delays(found.terms)} or {0}
        except Exception as error:
            raise refused from error
        early = given.pop()
        if given or type(early) is not int or early < 0:
            raise refused
        return early


def _delays_tokens(arcs: Iterable[Arc]) -> bool:
    """Whether a delay makes a difference: some token has a stamp."""
    return any(arc.kind == "put" and arc.place.colour.timed for arc in arcs)


def _used(made: Transition) -> set[str]:
    rest = [*made.guard, *made.let.values(), *([] if made.delay is None else [made.delay])]
    return set().union(*(names(arc.terms or ()) for arc in made.arcs), *(one.names for one in rest))


def _bound_by_arcs(made: Transition) -> set[str]:
    """The variables that tokens and code bind."""
    bound = set(made.let)
    for arc in made.arcs:
        for term in (arc.terms or ()) if arc.kind in ("take", "test") else ():
            if isinstance(term, Tokens):
                bound |= binds(term.token.node, made.constants)
    return bound


def _defined(made: Transition, bound: set[str]) -> set[str]:
    """The variables that are known when some are: equalities of the guard tell others."""
    known = bound | set(made.constants)
    waiting = [one for condition in made.guard for one in definitions(condition, made.constants)]
    while ready := [one for one in waiting if one.needs <= known]:
        waiting = [one for one in waiting if one not in ready]
        known = known.union(*(one.binds for one in ready))
    return known


def _listed(values: tuple[Hashable, ...]) -> Callable[[], tuple[Hashable, ...]]:
    return lambda: values


def _wrong(
    found: Translated, what: str, page: CpnPage, line: int, suggestion: str, code: str = "SC147"
) -> SweepcheckError:
    return found.instances.error(code, f"page {page.name!r}: {what}", line, suggestion)


def _unsupported(found: Translated, what: str, page: CpnPage, line: int, suggestion: str) -> SweepcheckError:
    return _wrong(found, f"{what} cannot be explored", page, line, suggestion, "SC146")
