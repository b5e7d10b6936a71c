"""Hypothesis strategies for random coloured nets, drawn as sketches and built from the source text they write.

The nets cover what a net can have: colours of every kind, patterns, variables that several arcs share, coefficients,
sums, conditional multisets, guards that test and guards that define, computed and free variables, every kind of arc,
capacities, places with one token, fusion sets, modules in several instances and two levels, time. They are finite or
nearly so: places have capacities, and every transition of a timed net burns a token of a fusion set.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from sweepcheck.core.values import Bag
from sweepcheck.measures import partial_order, product
from sweepcheck.models.net import Net, at, colours
from sweepcheck.testing.drawing import st
from sweepcheck.testing.net_inscriptions import Pen
from sweepcheck.testing.net_sketch import (
    KINDS,
    NUMBER,
    UNIT,
    ArcSketch,
    Kind,
    Letter,
    NetSketch,
    PlaceSketch,
    Term,
    TransitionSketch,
    Use,
    number,
)
from sweepcheck.testing.random_graphs import Case

Draw = st.DrawFn
NAMES: dict[str, Any] = {"Bag": Bag, "Letter": Letter, "Net": Net, "at": at, "colours": colours, "number": number}
NAMES |= {"two": 2, "partial_order": partial_order, "product": product}

FUEL = PlaceSketch("Fuel", UNIT, initial=(((), 0),) * 4, fusion="Fuel")

# Two places whose only token grows, and what can be measured with them.
GROWING = ("Step", "Stage")
MEASURES = {
    "number": "lambda m: m.Step.token",
    "lexicographic": "lambda m: (m.Step.token, m.Stage.token)",
    "product": "product(lambda m: m.Step.token, lambda m: m.Stage.token)",
    "partial": "partial_order(lambda m: frozenset(range(m.Step.token)))",
}


class DrawnNet:
    """A net as a sketch, with a measure and a predicate as source text."""

    def __init__(self, sketch: NetSketch, measure: str | None, predicate: str) -> None:
        self.sketch = sketch
        self.measure = measure
        self.predicate = predicate

    @property
    def text(self) -> str:
        """Source that defines `net` and `predicate`."""
        lines = [] if self.measure is None else [f"net.progress({self.measure})"]
        return "\n".join([self.sketch.written(), *lines, f"predicate = {self.predicate}\n"])

    def case(self) -> Case:
        """The net, freshly built."""
        namespace = dict(NAMES)
        exec(compile(self.text, "<random net>", "exec"), namespace)
        net = namespace["net"]
        return Case(net, net.measure, namespace["predicate"], self)

    def __repr__(self) -> str:
        return f'"""\n{self.text}"""'


@dataclass
class Drawer:
    """Draws the parts of one net. `shared` are the fused places that it may have a part of."""

    draw: Draw
    timed: bool
    shared: tuple[PlaceSketch, ...]
    transitions: int = 0

    def chance(self, of: int) -> bool:
        """True once in so many draws."""
        return bool(self.draw(st.integers(1, of)) == of)

    def place(self, name: str, kind: Kind | None = None, timed: bool | None = None) -> PlaceSketch:
        """A place with up to two tokens, and mostly room for few more."""
        if kind is None:
            kind = self.draw(st.sampled_from(KINDS))
        if timed is None:
            timed = self.timed and self.draw(st.booleans())
        stamps = st.integers(0, 2) if timed else st.just(0)
        token = st.tuples(st.sampled_from(kind.tokens), stamps)
        initial = tuple(self.draw(st.lists(token, min_size=self.draw(st.sampled_from((0, 1, 1))), max_size=3)))
        capacity = self.draw(st.sampled_from((2, 3, 3, 4, None)))
        if capacity is not None:
            capacity = max(capacity, len(initial))
        return PlaceSketch(name, kind, timed, initial, capacity)

    def places(self, prefix: str, most: int) -> list[PlaceSketch]:
        """Places of a net, parts of fusion sets among them."""
        found = [self.place(f"{prefix}{number_}") for number_ in range(1, self.draw(st.integers(2, most)) + 1)]
        for one in self.shared:
            found += [replace(one, name=f"{prefix}{one.name}{x}") for x in "XY"[: self.draw(st.integers(0, 2))]]
        return found

    def transition(self, places: list[PlaceSketch], growing: tuple[str, ...] = ()) -> TransitionSketch:
        """A transition between these places; some let a growing place grow."""
        self.transitions += 1
        pen = Pen(self.draw, self.timed)
        arcs: list[ArcSketch] = []
        inputs = [one for one in places if one.port != "out"]
        outputs = [one for one in places if one.port != "in"]
        for _ in range(self.draw(st.integers(1, 2)) if inputs else 0):
            place = self.draw(st.sampled_from(inputs))
            if arcs and arcs[0].kind == "test":  # two arcs to one place, which may want the same tokens
                place = next(one for one in inputs if one.name == arcs[0].place)
            arcs.append(pen.take(place) if self.draw(st.integers(0, 2)) else pen.test(place))
        pen.conditions()
        if inputs and self.chance(5):
            arcs.append(pen.look(self.draw(st.sampled_from(inputs))))
        count = self.draw(st.sampled_from((0, 1, 1, 2))) if outputs else 0
        arcs += [pen.put(self.draw(st.sampled_from(outputs))) for _ in range(count)]
        both = [one for one in places if one.port in (None, "inout")]
        if both and self.chance(6):
            arcs.append(pen.inhibit(self.draw(st.sampled_from(both))))
        if both and self.chance(8):
            arcs.append(ArcSketch("reset", self.draw(st.sampled_from(both)).name))
        for name in growing:
            if self.draw(st.booleans()):
                arcs += self._growth(pen, name)
        if self.timed:
            arcs.append(ArcSketch("take", FUEL.name, (Term("()"),)))
        return pen.transition(f"T{self.transitions}", self.draw(st.permutations(arcs)), places)

    def _growth(self, pen: Pen, name: str) -> list[ArcSketch]:
        variable = {"Step": "x", "Stage": "y"}[name]
        pen.variables[variable] = NUMBER
        pen.bound.add(variable)
        grown = self.draw(st.sampled_from((f"min({variable} + 1, 2)", f"max({variable}, 1)", variable)))
        return [ArcSketch("take", name, (Term(variable),)), ArcSketch("put", name, (Term(grown),))]

    def module(self, name: str, inner: NetSketch | None) -> NetSketch:
        """A module with one or two ports, perhaps using another one."""
        ports = [
            replace(self.place(f"{name}Port{number_}"), port=way, initial=(), capacity=None)
            for number_, way in enumerate(self.draw(st.sampled_from((("in", "out"), ("inout",), ("in", "inout")))))
        ]
        own = self.places(name, 2)
        uses = []
        if inner is not None:
            uses.append(self.use("Inner", inner, own, ports))
        transitions = [self.transition([*ports, *own]) for _ in range(self.draw(st.integers(1, 2)))]
        return NetSketch(name, (*ports, *own, *self.fuel()), tuple(transitions), tuple(uses))

    def fuel(self) -> tuple[PlaceSketch, ...]:
        """What every net with time has a part of."""
        return (FUEL,) if self.timed else ()

    def use(self, name: str, module: NetSketch, places: list[PlaceSketch], ports: list[PlaceSketch]) -> Use:
        """An instance of a module; a place is added where none fits a port."""
        sockets = {}
        for port in module.places:
            if port.port is None:
                continue
            fitting = [
                one.name
                for one in (*places, *ports)
                if (one.kind, one.timed) == (port.kind, port.timed) and one.port in (None, "inout", port.port)
            ]
            if not fitting:
                places.append(self.place(f"{name}{port.name}", port.kind, port.timed))
                fitting = [places[-1].name]
            sockets[port.name] = self.draw(st.sampled_from(fitting))
        return Use(name, module.name, sockets)


@st.composite
def nets(draw: Draw, *, timed: bool = False, modules: bool = False, order: str | None = None) -> DrawnNet:
    """Nets with two to four transitions, with or without time and modules, and a measure of this order."""
    plain = Drawer(draw, timed, ())
    shared: tuple[PlaceSketch, ...] = ()
    if draw(st.booleans()):
        shared = (replace(plain.place("Shared"), fusion="Shared"),)
    drawer = Drawer(draw, timed, shared)
    parts: list[NetSketch] = []
    if modules:
        parts.append(drawer.module("Low", None))
        if draw(st.booleans()):
            parts.append(drawer.module("High", parts[0]))
    places = drawer.places("P", 3)
    uses = [
        drawer.use(f"U{number_}", draw(st.sampled_from(parts)), places, [])
        for number_ in range(1, draw(st.integers(1, 2)) + 1)
        if modules
    ]
    growing = GROWING if order is not None else ()
    transitions = [drawer.transition(places, growing) for _ in range(draw(st.integers(1 if modules else 2, 3)))]
    places += [PlaceSketch(name, NUMBER, initial=((0, 0),)) for name in growing]
    places += drawer.fuel()
    sketch = NetSketch("net", tuple(places), tuple(transitions), tuple(uses), tuple(parts))
    used = {use.module for part in (sketch, *parts) for use in part.uses}
    sketch = replace(sketch, modules=tuple(one for one in parts if one.name in used))
    measure = None if order is None else MEASURES[order]
    if measure is not None and _has_clock(sketch):
        measure = draw(st.sampled_from((measure, "lambda m: m.clock")))
    return DrawnNet(sketch, measure, draw(predicates(sketch)))


def _has_clock(sketch: NetSketch) -> bool:
    """Whether a net surely has a clock: one that may have time need not have drawn a timed place."""
    return any(one.timed for one in sketch.places)


@st.composite
def predicates(draw: Draw, sketch: NetSketch) -> str:
    """A predicate about one place, which may be inside a module, as source text."""
    place = draw(st.sampled_from([one for one in sketch.places if one.fusion is None] or [FUEL]))
    path = "m." + (place.fusion or place.name)
    if draw(st.booleans()) and sketch.uses:
        use = sketch.uses[0]
        own = [one for one in sketch.module(use.module).places if one.port is None and one.fusion is None]
        if own:
            place = draw(st.sampled_from(own))
            path = draw(st.sampled_from((f"m.{use.name}.{place.name}", f"m[{use.name + '.' + place.name!r}]")))
    token = draw(st.sampled_from(place.kind.tokens))
    options: list[str] = [
        f"len({path}) > 0",
        f"any(number(token) == 1 for token in {path})",
        f"sum(map(number, {path})) < 2",
        f"{path}.count({token!r}) > 0" if place.kind is NUMBER else f"len({path}) == 1",
        f"{path} == Bag([{token!r}])" if place.kind is NUMBER else f"bool({path})",
    ]
    if _has_clock(sketch):
        options.append("m.clock < 2")
    return "lambda m: " + draw(st.sampled_from(options))
