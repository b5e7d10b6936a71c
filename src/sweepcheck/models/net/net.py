"""Net: a coloured Petri net, written down as it is drawn.

    net = Net("network", limit=3)
    a, b = net.place("A", int, [1, 2]), net.place("B", int)
    net.transition("Move", a.take("n"), b.put("n"), guard="n < limit")

Constants are the names that inscriptions may use beside variables. Mistakes that can be seen in a declaration are
errors of that line.
"""

from __future__ import annotations

import keyword
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from sweepcheck.core.declaration import check_fairness
from sweepcheck.core.purity import check_purity
from sweepcheck.core.stamps import At, Stamped
from sweepcheck.core.values import Bag, unfit
from sweepcheck.errors import ModelError, caller, closest, public, shown
from sweepcheck.models.actions.enabled import Asked, Enabled
from sweepcheck.models.net.colours import UNIT, Colour, how_to_time
from sweepcheck.models.net.colours import colour as colour_of
from sweepcheck.models.net.inscription import COMPUTES, Multiset, conjuncts, expression
from sweepcheck.models.net.names import definitions
from sweepcheck.models.net.occurrence.binding import check
from sweepcheck.models.net.occurrence.shape import shape
from sweepcheck.models.net.occurrence.writer import Slot
from sweepcheck.models.net.scrutiny import scrutinise
from sweepcheck.models.net.structure import Arc, Place, Substitution, Transition
from sweepcheck.models.net.time import CLOCK
from sweepcheck.models.questions import Classes, Progress, Questions

PORTS = ("in", "out", "inout")


class Net(Questions, Progress, Classes):
    """A coloured Petri net: places, transitions, and modules as substitution transitions.

    >>> net = Net("switch")
    >>> off, on = net.place("Off", initial=1), net.place("On")
    >>> net.transition("Press", off.take("()"), on.put("()"))
    >>> net
    <Net 'switch': 2 places, 1 transition>
    """

    def __init__(self, name: str, /, **constants: Any) -> None:
        if not isinstance(name, str):
            raise ModelError(
                "SC110",
                f"the net's name is {shown(name)}, which is not text",
                where=caller(),
                suggestion='write Net("name", constant=value)',
            )
        for constant, value in constants.items():
            if constant.startswith("_"):
                raise ModelError(
                    "SC110",
                    f"a constant cannot be called {constant!r}",
                    where=caller(),
                    suggestion="names in inscriptions start with a letter",
                )
            check_purity(value, f"constant {constant!r}", COMPUTES)
        self.name = name
        self.constants: Mapping[str, Any] = constants
        self.places: dict[str, Place] = {}
        self.transitions: dict[str, Transition] = {}
        self.substitutions: dict[str, Substitution] = {}
        self.terms: dict[str, Multiset] = {}  # what stands on arcs, by its text
        self._checked: dict[Hashable, Transition] = {}  # the first one of every shape
        self.clock = Place(self, CLOCK, colour_of(int), Bag([0]))  # the time, which transitions may test
        self.time_is_relative = False

    def __repr__(self) -> str:
        counts = [(len(self.places), "place"), (len(self.transitions), "transition")]
        counts += [(len(self.substitutions), "module")] if self.substitutions else []
        words = [f"{count} {what}" if count == 1 else f"{count} {what}s" for count, what in counts]
        return f"<Net {self.name!r}: {', '.join(words)}>"

    # -- places ------------------------------------------------------------------------------------------------------

    @public
    def place(
        self,
        name: str,
        colour: Any = UNIT,
        initial: Any = (),
        *,
        capacity: int | None = None,
        port: str | None = None,
        fusion: str | None = None,
    ) -> Place:
        """Declare a place: its colour, and a list of the tokens it holds at first (a number, for black tokens).

        `capacity` disables transitions that would put more tokens there. `port` ("in", "out" or "inout") makes it the
        module's side of a place of whoever uses the module. Places of one `fusion` set are one place, in all modules.
        """
        self._check_name(name, "place")
        if fusion is not None:
            _check_text(fusion, "fusion set", "SC121")
        of = colour_of(colour)
        if capacity is not None and (type(capacity) is not int or capacity < 1):
            raise self._wrong(
                f"place {name!r} cannot have capacity {shown(capacity)}", "give a whole number, 1 or more"
            )
        if port is not None and (not isinstance(port, str) or port not in PORTS):
            raise self._wrong(f"place {name!r} cannot be a port {shown(port)}", f"use one of {', '.join(PORTS)}")
        tokens = _marking(name, of, initial)
        if port is not None and tokens:
            raise self._wrong(f"port {name!r} has tokens of its own", "the place it stands for has the initial marking")
        if port is not None and fusion is not None:
            raise self._wrong(f"place {name!r} is both a port and fused", "leave out one of the two")
        if capacity is not None and len(tokens) > capacity:
            raise self._wrong(
                f"place {name!r} of capacity {capacity} starts with {len(tokens)} tokens",
                "give fewer tokens, or a greater capacity",
            )
        made = Place(self, name, of, tokens, capacity, port, fusion, caller())
        if (before := self.places.setdefault(name, made)) is made:
            return made
        if not _same_place(before, made):  # its arcs are there already
            suggestion = "run the cell again that makes the net"
            raise ModelError("SC112", f"place {name!r} is declared otherwise", where=caller(), suggestion=suggestion)
        return before

    def _check_name(self, name: object, what: str) -> None:
        _check_text(name, what, {"place": "SC121", "transition": "SC122"}.get(what, "SC128"))
        again = self._again(what, name)
        for kind, taken in (("place", self.places), ("transition", self.transitions), ("module", self.substitutions)):
            if name in taken and not (again and kind == what):
                raise ModelError(
                    "SC112",
                    f"net {self.name!r} has a {kind} {name!r} already",
                    where=caller(),
                    suggestion="give each place, transition and module its own name",
                )

    def _wrong(self, what: str, suggestion: str, code: str = "SC121") -> ModelError:
        return ModelError(code, what, where=caller(), suggestion=suggestion)

    # -- transitions -------------------------------------------------------------------------------------------------

    @public
    def transition(
        self,
        name: str,
        *arcs: Arc,
        guard: Any = None,
        let: Mapping[str, Any] | None = None,
        free: Mapping[str, Any] | None = None,
        delay: Any = None,
        fair: bool | str = False,
    ) -> None:
        """Declare a transition: its arcs, made by its places, and what else decides how it occurs.

        `guard` must hold. `let` computes values for several inscriptions, in order. `free` gives the colours of
        variables that no arc binds: the transition occurs with each value, or with the one that an equality of the
        guard tells. `delay` is added to the time stamps of all
        tokens it produces. With `fair=True` no run ignores the transition for ever while it stays enabled, with
        `fair="strong"` neither if it is enabled again and again.
        """
        self._check_name(name, "transition")
        check_fairness(fair, "SC122")
        for arc in arcs:
            self._check_arc(name, arc)
        conditions = conjuncts(guard, f"the guard of {name!r}")
        told = {
            one for condition in conditions for found in definitions(condition, self.constants) for one in found.binds
        }
        declared = Transition(
            name,
            arcs,
            conditions,
            {one: expression(given, f"{one!r} of {name!r}") for one, given in self._variables(name, "let", let)},
            {one: self._colour(name, one, given, one in told) for one, given in self._variables(name, "free", free)},
            None if delay is None else expression(delay, f"the delay of {name!r}"),
            self.constants,
            fair,
            caller(),
        )
        self.add(declared)

    def add(self, declared: Transition) -> None:
        """Add a transition whose parts are known to be what they should be; how it binds its variables is checked."""
        # Where its places lie in a state is not known yet and makes no difference: each has a slot of its own here.
        slots = {arc.place: Slot(arc.place.name) for arc in declared.arcs}
        kind = shape(declared, slots)
        if kind not in self._checked:
            scrutinise(declared)
            check(declared, slots)
            self._checked[kind] = declared
        self.transitions[declared.name] = declared

    def _check_arc(self, name: str, arc: object) -> None:
        if not isinstance(arc, Arc):
            suggestion = 'arcs are made by places: a.take("x"), b.put("x"), a.test("x"), a.inhibit(), a.reset()'
            raise self._wrong(f"transition {name!r} was given {shown(arc)}, which is not an arc", suggestion, "SC122")
        if arc.place.net is not self:
            raise self._wrong(
                f"transition {name!r} has an arc to place {arc.place.name!r} of net {arc.place.net.name!r}",
                "use a place of this net; modules share places through ports and fusion sets",
                "SC122",
            )
        if arc.place is self.clock and arc.kind != "test":
            raise self._wrong(
                f"transition {name!r} changes the time by {arc}",
                'it can only look at it: net.clock.test("now"); tokens wait with delays',
                "SC131",
            )
        allowed = {"in": ("take", "test"), "out": ("put",)}.get(arc.place.port or "")
        if allowed is not None and arc.kind not in allowed:
            raise self._wrong(
                f"transition {name!r}: {arc} goes against its port, which is {arc.place.port!r}",
                'declare the port "inout"',
                "SC128",
            )

    def _variables(self, transition: str, word: str, given: Any) -> list[tuple[str, Any]]:
        if given is not None and not isinstance(given, Mapping):
            example = {"let": "{'m': 'n + 1'}", "free": "{'ok': bool}"}[word]
            raise self._wrong(
                f"transition {transition!r} was given {word}={shown(given)}", f"write {word}={example}", "SC122"
            )
        for name in given or {}:
            if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
                raise self._wrong(
                    f"transition {transition!r}: a variable cannot be called {shown(name)}",
                    "use a Python name that does not start with an underscore",
                    "SC122",
                )
            if name in self.constants:
                raise self._wrong(
                    f"transition {transition!r}: {name!r} is a constant of the net",
                    "give the variable another name",
                    "SC122",
                )
        return list((given or {}).items())

    def _colour(self, transition: str, name: str, given: Any, told: bool) -> Colour:
        """The colour of a free variable: a finite one, unless the guard tells the value."""
        of = colour_of(given)
        if of.values() == ():
            raise self._wrong(
                f"transition {transition!r}: free variable {name!r} of colour {of} has no value",
                "give a colour with tokens; without one the transition would never occur",
                "SC127",
            )
        if of.values() is None and not told:
            raise self._wrong(
                f"transition {transition!r}: free variable {name!r} of colour {of} has infinitely or too many values",
                "give a finite colour: a range, a set of values, bool, an Enum",
                "SC127",
            )
        return of

    @public
    def enabled(self, transition: str, *arguments: Hashable, **named: Hashable) -> Enabled:
        """The predicate that a transition is enabled, by any binding, or with these values: `enabled("Send", n=1)`."""
        from sweepcheck.models.net.system import NetModel  # which is made from a net

        return Enabled(lambda: NetModel(self), Asked(transition, arguments, named))

    # -- time --------------------------------------------------------------------------------------------------------

    @public
    def time_equivalence(self) -> None:
        """Declare that states are equivalent which differ only in what time it is, and for how long tokens were ready.

        The clock is then no measure, since equivalent states have equal progress: without a `net.progress` of another
        kind there is none, and all classes are stored.
        """
        self.time_is_relative = True

    # -- modules -----------------------------------------------------------------------------------------------------

    @public
    def substitution(self, name: str, module: Net, /, **sockets: Place) -> None:
        """Use a module as a substitution transition: one instance, with a place of this net for each of its ports."""
        self._check_name(name, "module")
        if not isinstance(module, Net):
            raise self._wrong(f"module {name!r} is {shown(module)}, which is not a net", "give a Net", "SC128")
        if module is self or self in module.modules():
            raise self._wrong(
                f"net {self.name!r} would contain itself through module {name!r}",
                "modules are nested to a finite depth; use several instances instead",
                "SC129",
            )
        ports = {place.name: place for place in module.places.values() if place.port is not None}
        for port, socket in sockets.items():
            if port not in ports:
                raise self._wrong(f"module {name!r} has no port {port!r}", closest(port, ports), "SC128")
            self._check_socket(name, ports[port], socket)
        for port in ports:
            if port not in sockets:
                suggestion = f"give a place: substitution({name!r}, ..., {port}=place)"
                raise self._wrong(f"port {port!r} of module {name!r} is not connected", suggestion, "SC128")
        self.substitutions[name] = Substitution(name, module, dict(sockets), caller())

    def _check_socket(self, name: str, port: Place, socket: object) -> None:
        if not isinstance(socket, Place) or socket.net is not self:
            raise self._wrong(
                f"port {port.name!r} of module {name!r} was given {shown(socket)}, which is no place of this net",
                closest(getattr(socket, "name", ""), self.places),
                "SC128",
            )
        if not same(port.colour, socket.colour):
            raise self._wrong(
                f"port {port.name!r} of module {name!r} has colour {_words(port.colour)}, and place {socket.name!r} "
                f"has colour {_words(socket.colour)}",
                "give both the same colour",
                "SC128",
            )
        if socket.port not in (None, "inout", port.port):
            raise self._wrong(
                f"port {port.name!r} of module {name!r} is {port.port!r}, and the port {socket.name!r} it is "
                f"connected to is {socket.port!r}",
                "give both the same direction",
                "SC128",
            )
        if port.capacity is not None and port.capacity != socket.capacity:
            raise self._wrong(
                f"port {port.name!r} of module {name!r} has capacity {port.capacity}, and place {socket.name!r} "
                f"{'none' if socket.capacity is None else socket.capacity}",
                "the place decides: leave the capacity of the port out",
                "SC128",
            )

    def modules(self) -> set[Net]:
        """All nets used by this one, at any depth."""
        direct = {one.module for one in self.substitutions.values()}
        return direct.union(*(module.modules() for module in direct))


def _check_text(name: object, what: str, code: str) -> None:
    """Refuse what cannot be the name of a part of a net."""
    suggestion = None
    if not isinstance(name, str) or not name.strip() or not name.isprintable() or "." in name or name.startswith("_"):
        suggestion = "a name is one line of text that starts with a letter; a full stop separates names of modules"
    elif name == CLOCK and what != "transition":
        suggestion = "that is the name of the time in predicates"
    if suggestion is not None:
        raise ModelError(code, f"a {what} cannot be called {shown(name)}", where=caller(), suggestion=suggestion)


def _marking(name: str, of: Colour, initial: Any) -> Bag:
    """An initial marking; tokens of timed places get stamps."""

    def wrong(what: str, suggestion: str) -> ModelError:
        return ModelError("SC126", f"place {name!r}: {what}", where=caller(), suggestion=suggestion)

    if type(initial) is int and of.contains is UNIT.contains:
        if initial < 0:
            raise wrong(f"it cannot hold {initial} tokens", "give a number of tokens, 0 or more")
        initial = {(): initial}
    if isinstance(initial, str | tuple) and initial != ():
        raise wrong(f"{shown(initial)} is one token", f"list the tokens: [{shown(initial)}]")
    if not isinstance(initial, Iterable):
        raise wrong(f"{shown(initial)} is not a list of tokens", f"list the tokens: [{shown(initial)}]")
    try:
        given = initial if isinstance(initial, Bag) else Bag(initial)
    except (TypeError, ValueError) as error:
        raise wrong(str(error), "tokens are hashable values; counts are whole numbers") from None
    tokens: dict[Hashable, int] = {}
    for token, count in given.items():
        value, time = (token.token, token.time) if isinstance(token, At) else (token, 0)
        if isinstance(token, At) and not of.timed:
            raise wrong(f"{token!r} has a time stamp, and the colour is not timed", how_to_time(name, of))
        if (why := unfit(value)) is not None:
            raise wrong(f"{shown(value)} {why}", "tokens are values")
        if value not in of:
            black = f"without a colour its tokens are black: net.place({name!r}, {type(value).__name__}, [...])"
            suggestion = black if of.contains is UNIT.contains else "mend the token, or widen the colour"
            raise wrong(f"{shown(value)} is no token of colour {of}", suggestion)
        key = Stamped(value, time) if of.timed else value
        tokens[key] = tokens.get(key, 0) + count
    return Bag(tokens)


def same(one: Colour, other: Colour) -> bool:
    """Whether two colours, perhaps written down twice, are the same as far as can be seen."""
    alike = (one.name, one.timed, one.kinds) == (other.name, other.timed, other.kinds)
    return alike and one.shape.sets() == other.shape.sets()


def _same_place(one: Place, other: Place) -> bool:
    """Whether a place was declared as another one is, but for the line."""
    rest = [(each.initial, each.capacity, each.port, each.fusion) for each in (one, other)]
    return same(one.colour, other.colour) and rest[0] == rest[1]


def _words(of: Colour) -> str:
    return f"timed {of}" if of.timed else str(of)
