"""Random inscriptions for one transition: patterns that bind, expressions over what is bound, guards, delays.

Every inscription has a value for every binding, and every variable is bound by something: by a pattern, a definition in
the guard, or by running freely through its colour.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from sweepcheck.testing.drawing import st
from sweepcheck.testing.net_sketch import (
    BIT,
    EVEN,
    FLAG,
    LETTER,
    LIST,
    NUMBER,
    PRODUCT,
    RECORD,
    UNION,
    UNIT,
    WORD,
    ArcSketch,
    Either,
    Kind,
    PlaceSketch,
    Term,
    TransitionSketch,
    names,
    written_token,
)

Option = str | Callable[[], str]
MOST_BINDINGS = 120  # of one transition, so that brute force stays quick


@dataclass
class Pen:
    """Writes the inscriptions of one transition, and remembers its variables."""

    draw: st.DrawFn
    timed: bool
    variables: dict[str, Kind] = field(default_factory=dict)  # all of the binding
    bound: set[str] = field(default_factory=set)  # those that need not be declared free
    let: dict[str, str] = field(default_factory=dict)
    computed: dict[str, Kind] = field(default_factory=dict)  # the colours of what let computes
    guard: list[str] = field(default_factory=list)
    defined: set[str] = field(default_factory=set)  # by the guard
    loose: set[str] = field(default_factory=set)  # read before anything bound them: they run freely
    wildcards: int = 0

    def one_of(self, *options: Option) -> str:
        """One of several texts, some of which are only written when drawn."""
        option = self.draw(st.sampled_from(options))
        return option if isinstance(option, str) else option()

    def chance(self, of: int) -> bool:
        """True once in so many draws."""
        return bool(self.draw(st.integers(1, of)) == of)

    # -- variables and patterns --------------------------------------------------------------------------------------

    def _room(self, kind: Kind) -> bool:
        bindings = len(kind.tokens)
        for other in self.variables.values():
            bindings *= len(other.tokens)
        return bindings <= MOST_BINDINGS

    def _bind(self, name: str, kind: Kind) -> str:
        self.variables[name] = kind
        self.bound.add(name)
        return name

    def _wildcard(self, kind: Kind) -> str:
        self.wildcards += 1
        return self._bind(f"w{self.wildcards}", kind)

    def pattern(self, kind: Kind, known: tuple[str, ...]) -> str:
        """What a token must look like; it may read variables that are known already."""
        options: list[Option] = [self.constant(kind)]
        for name in kind.variables:
            if name in self.variables or self._room(kind):
                options += [partial(self._bind, name, kind)] * 5
        if self._room(kind):
            options += [lambda: self._wildcard(kind)] * 2
        options += [lambda: self.expression(kind, known)] if known else []
        if kind is PRODUCT:
            options += [lambda: f"({self.pattern(NUMBER, known)}, {self.pattern(LETTER, known)})"] * 4
        elif kind is RECORD:
            options += [lambda: f"Pair({self.pattern(BIT, known)}, {self.pattern(FLAG, known)})"] * 2
            options += [lambda: f"Pair(f={self.pattern(FLAG, known)}, n={self.pattern(BIT, known)})"] * 2
        elif kind is UNION:
            options += ["Message.stop", *[lambda: f"Message.data({self.pattern(BIT, known)})"] * 3]
        elif kind is LIST:
            if "tail" in self.variables or self._room(LIST):
                options += [lambda: f"(*{self._bind('tail', LIST)}, {self.pattern(BIT, known)})"]
                options += [lambda: self._first_and_rest(known)] * 2
            options += [lambda: f"({self.pattern(BIT, known)}, {self.pattern(BIT, known)})"]
            options += [lambda: f"({self.pattern(BIT, known)},)"]
        return self.one_of(*options)

    def _first_and_rest(self, known: tuple[str, ...]) -> str:
        rest = self._bind("tail", LIST)
        return f"({self.pattern(BIT, known)}, *{rest})"

    def constant(self, kind: Kind) -> str:
        """A token of the colour, written out."""
        return written_token(kind, self.draw(st.sampled_from(kind.tokens)))

    # -- expressions -------------------------------------------------------------------------------------------------

    def known(self) -> tuple[str, ...]:
        """The variables that expressions may read."""
        return tuple(name for name in (*self.variables, *self.let) if name[0] != "w")

    def _kind(self, name: str) -> Kind:
        return self.variables.get(name) or self.computed[name]

    def expression(self, kind: Kind, known: tuple[str, ...], depth: int = 1) -> str:
        """An expression whose value has this colour."""
        same = [name for name in known if self._kind(name) is kind]
        options: list[Option] = [self.constant(kind), *same, *same, *same]
        unused = [name for name in kind.variables if name not in self.variables and self._room(kind)]
        options += [partial(self._free, name, kind) for name in unused]
        if depth:
            options += self._compound(kind, known)
            options.append(
                lambda: (
                    f"({self.expression(kind, known, 0)} if {self.condition(known)} else "
                    f"{self.expression(kind, known, 0)})"
                )
            )
        return self.one_of(*options)

    def _free(self, name: str, kind: Kind) -> str:
        self.variables[name] = kind
        self.loose.add(name)
        return name

    def _compound(self, kind: Kind, known: tuple[str, ...]) -> list[Option]:
        def of(inner: Kind) -> str:
            return self.expression(inner, known, 0)

        any_ = [f"number({name})" for name in known]
        has = {inner.name: [name for name in known if self._kind(name) is inner] for inner in (PRODUCT, RECORD, LIST)}
        rows = has[LIST.name]
        made: dict[str, list[Option]] = {
            NUMBER.name: [
                lambda: f"({of(NUMBER)} + 1) % 3",
                lambda: f"max({of(NUMBER)}, {of(BIT)})",
                "two",
                *any_,
                *(f"{name}[0]" for name in has[PRODUCT.name]),
                *(f"len({name})" for name in rows),
            ],
            BIT.name: [
                lambda: f"1 - {of(BIT)}",
                *(f"{name}.n" for name in has[RECORD.name]),
                *(f"({name}[0] if {name} else 0)" for name in rows),
                *(f"{one} % 2" for one in any_),
            ],
            LETTER.name: [f"{name}[1]" for name in has[PRODUCT.name]],
            FLAG.name: [lambda: f"not {of(FLAG)}", *(f"{name}.f" for name in has[RECORD.name])],
            EVEN.name: [lambda: f"2 - {of(EVEN)}"],
            PRODUCT.name: [lambda: f"({of(NUMBER)}, {of(LETTER)})"] * 2,
            RECORD.name: [
                lambda: f"Pair({of(BIT)}, {of(FLAG)})",
                lambda: f"Pair(f={of(FLAG)}, n={of(BIT)})",
            ],
            UNION.name: [lambda: f"Message.data({of(BIT)})"] * 2,
            LIST.name: [
                lambda: f"({of(BIT)},)",
                lambda: f"({of(BIT)}, *{of(LIST)})[:2]",
                *(f"{name}[1:]" for name in rows),
            ],
            WORD.name: ["'x'"],
            UNIT.name: ["()"],
        }
        return made[kind.name]

    def condition(self, known: tuple[str, ...]) -> str:
        """A condition over known variables."""

        def of(kind: Kind) -> str:
            return self.expression(kind, known, 0)

        options: list[Option] = [
            lambda: f"{of(NUMBER)} <= {of(NUMBER)}",
            *(f"number({name}) != {value}" for name in known for value in (0, 1)),
            lambda: f"not {of(FLAG)}",
        ]
        for name in known:
            kind = self._kind(name)
            options.append(lambda name=name, kind=kind: f"{name} == {of(kind)}")  # type: ignore[misc]
            options.append(lambda name=name, kind=kind: f"{of(kind)} != {name}")  # type: ignore[misc]
        return self.one_of(*options)

    def conditions(self) -> None:
        """Guards that test, guards that define, computed values: up to two of them."""
        for _ in range(self.draw(st.sampled_from((0, 0, 0, 1, 1, 2)))):
            self.draw(st.sampled_from((self._test, self._test, self._define, self._compute)))()

    def _test(self) -> None:
        self.guard.append(self.condition(self.known()))

    def _define(self) -> None:
        """`x == e` for a variable that need not be bound otherwise."""
        known = self.known()
        kind = self.draw(st.sampled_from((NUMBER, BIT, LETTER, PRODUCT, LIST)))
        name = self.draw(st.sampled_from(kind.variables))
        value = self.expression(kind, known)
        if name in names(value) or not (name in self.variables or self._room(kind)):
            return
        self.guard.append(self.one_of(f"{name} == {value}", f"({value}) == {name}"))
        if name not in self.variables:
            self.defined.add(name)
        self.variables[name] = kind

    def _compute(self) -> None:
        """A value for several inscriptions; sometimes of a variable that an arc binds as well."""
        kind = self.draw(st.sampled_from((NUMBER, BIT, LETTER, PRODUCT, FLAG)))
        known = self.known()
        bound = [name for name in known if name in self.bound and self._kind(name) is kind and name not in self.let]
        if bound and self.chance(4):
            name = bound[0]
            self.let[name] = self.expression(kind, tuple(one for one in known if one != name), 0)
            return
        name = f"h{len(self.let)}"
        self.let[name] = self.expression(kind, known)
        self.computed[name] = kind

    # -- arcs --------------------------------------------------------------------------------------------------------

    def take(self, place: PlaceSketch) -> ArcSketch:
        """An input arc that binds."""
        return self._input("take", place)

    def test(self, place: PlaceSketch) -> ArcSketch:
        """A test arc that binds."""
        return self._input("test", place)

    def _input(self, kind: str, place: PlaceSketch) -> ArcSketch:
        terms = []
        for _ in range(self.draw(st.sampled_from((1, 1, 1, 1, 2)))):
            known = self.known()
            count = self.one_of(*["1"] * 8, "2", lambda known=known: f"1 + {self.expression(BIT, known, 0)}")  # type: ignore[misc]
            terms.append(Term(self.pattern(place.kind, known), count))
        return ArcSketch(kind, place.name, tuple(terms), style=self.one_of("sum", "dict"))

    def look(self, place: PlaceSketch) -> ArcSketch:
        """An input or test arc for tokens that are computed, none perhaps."""
        return replace(self.put(place, delays=False), kind=self.one_of("take", "test"), delay=None)

    def inhibit(self, place: PlaceSketch) -> ArcSketch:
        """An inhibitor arc; those that name tokens are for places without time."""
        if place.timed or self.chance(3):
            return ArcSketch("inhibit", place.name)
        terms = tuple(self.term(place.kind) for _ in range(self.draw(st.integers(1, 2))))
        return ArcSketch("inhibit", place.name, terms, style=self.one_of("sum", "dict"))

    def put(self, place: PlaceSketch, delays: bool = True) -> ArcSketch:
        """An output arc: plain, a sum, conditional, or a function."""
        timed = place.timed and delays
        terms: list[Term | Either] = []
        for _ in range(self.draw(st.sampled_from((1, 1, 1, 2)))):
            if self.chance(4):
                sides = tuple(tuple(self.terms(place.kind, timed)) for _ in range(2))
                terms.append(Either(self.condition(self.known()), *sides))
            else:
                terms.append(self.term(place.kind, timed))
        style = self.one_of("sum", "sum", "dict", "function")
        if style == "function" and timed:
            style = "sum"
        delay = self.delay() if timed and self.chance(3) else None
        return ArcSketch("put", place.name, tuple(terms), delay, style)

    def terms(self, kind: Kind, timed: bool) -> list[Term]:
        """No term, one or two."""
        return [self.term(kind, timed) for _ in range(self.draw(st.sampled_from((0, 1, 1, 2))))]

    def term(self, kind: Kind, timed: bool = False) -> Term:
        """Some equal tokens."""
        known = self.known()
        numbers = [name for name in known if self._kind(name) in (NUMBER, BIT)]
        count = self.one_of("1", "1", "1", "1", "2", *numbers)
        return Term(self.expression(kind, known), count, self.delay() if timed and self.chance(2) else None)

    def delay(self) -> str:
        """How long something takes."""
        return self.one_of("0", "1", "2", *(f"number({name})" for name in self.known()))

    # -- all together ------------------------------------------------------------------------------------------------

    def transition(self, name: str, arcs: list[ArcSketch], places: list[PlaceSketch]) -> TransitionSketch:
        """The transition with these arcs, and what was written beside them."""
        timed = {place.name for place in places if place.timed}
        delay = self.delay() if any(a.kind == "put" and a.place in timed for a in arcs) and self.chance(2) else None
        style = self.one_of("and", "and", "list", "function")
        bound = (self.bound | set(self.let)) - self.loose
        if style != "function":  # a function hides its definitions
            texts = [*self.guard, *self.let.values(), *(one for arc in arcs for one in arc.expressions())]
            bound |= {one for one in self.defined if sum(one in names(text) for text in texts) > 1}
        free = {one: kind for one, kind in self.variables.items() if one not in bound}
        if "n" in self.variables and self.chance(6):
            free["n"] = BIT  # narrower than the colour of the places it is found on
        return TransitionSketch(
            name, tuple(arcs), dict(self.variables), tuple(self.guard), dict(self.let), free, delay, style
        )
