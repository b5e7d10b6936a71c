"""From PNML to a net of ours: sorts become colours, terms become inscriptions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sweepcheck.core.values import Bag
from sweepcheck.models.net import colours
from sweepcheck.models.net.colours import UNIT, Colour, Ordered
from sweepcheck.models.net.inscription import conjuncts as conditions
from sweepcheck.models.net.net import Net
from sweepcheck.models.net.source import RESERVED, identifier
from sweepcheck.models.net.structure import Arc, Place, Transition
from sweepcheck.models.pnml.document import PnmlArc, PnmlNet, PnmlTransition
from sweepcheck.models.pnml.sorts import Dot, Enumeration, IntRange, Product, Sort
from sweepcheck.models.pnml.terms import (
    All,
    Comparison,
    Condition,
    Constant,
    Difference,
    ElementOf,
    Junction,
    Moved,
    Negation,
    Several,
    Sum,
    Term,
    TupleOf,
    Variable,
    conjuncts,
    is_value,
    tokens,
    variables,
)

MOST_LISTED = colours.MOST_VALUES  # tokens of one colour, or terms on one arc


class InexpressibleError(Exception):
    """What no inscription of a net of ours says; the message names it."""


class Vocabulary:
    """The colours of sorts, and the constants by which inscriptions call them."""

    def __init__(self, taken: set[str]) -> None:
        self.constants: dict[str, Ordered] = {}
        self._taken = taken.union(RESERVED)  # and names of variables
        self._colours: dict[Sort, Colour] = {}
        self._names: dict[Sort, str] = {}

    def colour(self, sort: Sort) -> Colour:
        """The colour of a sort, one object for all its places."""
        if sort not in self._colours:
            self._colours[sort] = self._made(sort)
        return self._colours[sort]

    def _made(self, sort: Sort) -> Colour:
        match sort:
            case Dot():
                return UNIT
            case IntRange():
                return colours.colour(range(sort.start, sort.end + 1))
            case Product() if len(sort.parts) > 1:
                return colours.product(*map(self.colour, sort.parts))
            case Enumeration():
                return colours.values(*sort.listed)
            case _:
                raise InexpressibleError("a product of one component")

    def name(self, sort: Sort) -> str:
        """What inscriptions call a sort when they need its order or all its values."""
        if sort not in self._names:
            if sort.size > MOST_LISTED:
                raise InexpressibleError(f"all or the order of the {sort.size:,} values of {sort.name}")
            name = identifier(sort.name if not isinstance(sort, Product) else sort.name.strip("()"), self._taken)
            self._names[sort] = name
            self.constants[name] = colours.ordered(self.colour(sort))
        return self._names[sort]

    # -- inscriptions ------------------------------------------------------------------------------------------------

    def multiset(self, term: Term) -> str:
        """What stands on an arc."""
        if isinstance(term, Sum):
            return " ++ ".join(self.multiset(part) for part in term.parts) or "{}"
        if isinstance(term, All):
            return f"{self.name(term.sort)}.all()"
        if isinstance(term, Difference):
            return self._difference(term)
        if isinstance(term, Several) and is_value(term.of):
            return f"{term.count}*{self.value(term.of)}" if term.count else "{}"
        if is_value(term):
            return self.value(term)
        listed = list(_expanded(term))
        return " ++ ".join(f"{count}*{self.value(one)}" if count > 1 else self.value(one) for count, one in listed)

    def _difference(self, term: Difference) -> str:
        removed: list[str] = []
        whole: Term = term
        while isinstance(whole, Difference):
            parts = whole.removed.parts if isinstance(whole.removed, Sum) else (whole.removed,)
            if not all(map(is_value, parts)):
                raise InexpressibleError("a subtraction of other tokens than values that are named one by one")
            removed = [*(self.value(part) for part in parts), *removed]
            whole = whole.whole
        if not isinstance(whole, All):
            raise InexpressibleError("a subtraction from other tokens than all of a sort")
        return f"{self.name(whole.sort)}.all_but({', '.join(removed)})"

    def value(self, term: Term) -> str:
        """One token."""
        match term:
            case Variable():
                return term.name
            case Constant():
                return repr(term.constant)
            case Moved():
                word = "next" if term.steps == 1 else "previous"
                return f"{self.name(term.sort)}.{word}({self.value(term.of)})"
            case TupleOf():
                return f"({', '.join(self.value(part) for part in term.parts)})"
            case ElementOf():
                raise InexpressibleError("the element of a partition")
            case _:
                raise InexpressibleError("several tokens where one is wanted")

    def condition(self, condition: Condition) -> str:
        """A condition of a guard."""
        match condition:
            case Negation():
                return f"not ({self.condition(condition.part)})"
            case Junction():
                inside = [self.condition(part) for part in condition.parts]
                if not inside:
                    return str(condition.word == "and")
                return inside[0] if len(inside) == 1 else f" {condition.word} ".join(f"({one})" for one in inside)
            case Comparison():
                sides = [self.value(condition.left), self.value(condition.right)]
                if condition.symbol not in ("==", "!=") and not isinstance(condition.left.sort, IntRange):
                    name = self.name(condition.left.sort)
                    sides = [f"{name}.position({one})" for one in sides]
                return f" {condition.symbol} ".join(sides)


def _expanded(term: Term) -> Iterator[tuple[int, Term]]:
    """A term as values with their numbers: what stands for several tokens inside a tuple is written out."""
    if is_value(term):
        yield 1, term
        return
    match term:
        case All():
            if term.sort.size > MOST_LISTED:
                raise InexpressibleError(f"all {term.sort.size:,} values of {term.sort.name}")
            yield from ((1, Constant(value, term.sort)) for value in term.sort.values)
        case Several():
            yield from ((term.count * count, one) for count, one in _expanded(term.of))
        case Sum():
            for part in term.parts:
                yield from _expanded(part)
        case TupleOf():
            rows: list[tuple[int, tuple[Term, ...]]] = [(1, ())]
            for part in term.parts:
                inside = list(_expanded(part))
                if len(rows) * len(inside) > MOST_LISTED:
                    raise InexpressibleError(f"tuples of more than {MOST_LISTED:,} tokens")
                rows = [(count * times, (*row, one)) for count, row in rows for times, one in inside]
            yield from ((count, TupleOf(row, term.sort)) for count, row in rows)
        case _:
            raise InexpressibleError("a subtraction inside a tuple")


def translated(pnml: PnmlNet, names: Mapping[str, str]) -> Net:
    """The net, coloured as it is; `names` are those of its nodes."""
    arcs: dict[str, list[PnmlArc]] = {one: [] for one in pnml.transitions}
    for arc in pnml.arcs:
        arcs[arc.transition].append(arc)
    if not pnml.coloured:
        return _plain(pnml, names, arcs)
    used = {one.name for arc in pnml.arcs for one in variables(arc.term)}
    used |= {one.name for t in pnml.transitions.values() if t.guard is not None for one in variables(t.guard)}
    words = Vocabulary(used)
    for sort in _named_sorts(pnml):
        if sort.size <= MOST_LISTED:
            words.name(sort)  # so that every sort keeps its name, also in files that are written
    texts = {id(arc): words.multiset(arc.term) for arc in pnml.arcs if arc.kind != "reset"}
    guards = {one.id: [words.condition(part) for part in conjuncts(one.guard)] for one in pnml.transitions.values()}
    net = Net(pnml.name, **words.constants)
    file = pnml.source.path.name
    for place in pnml.places.values():
        held = Bag() if place.marking is None else Bag(dict(+tokens(place.marking, {})))
        _place(net, names[place.id], words.colour(place.sort), held, f"{file}:{place.line}")
    for transition in pnml.transitions.values():
        made = [_arc(net.places[names[one.place]], one, texts.get(id(one), "")) for one in arcs[transition.id]]
        free = {name: words.colour(sort) for name, sort in unbound(transition, arcs[transition.id]).items()}
        guard = conditions(guards[transition.id], "the guard")
        where = f"{file}:{transition.line}"
        net.add(Transition(names[transition.id], tuple(made), guard, {}, free, None, net.constants, False, where))
    return net


def _named_sorts(pnml: PnmlNet) -> Iterator[Sort]:
    """The enumerations and ranges that colours are made of, in the order in which places need them."""
    waiting = [place.sort for place in reversed(pnml.places.values())]
    while waiting:
        sort = waiting.pop()
        if isinstance(sort, Product):
            waiting += reversed(sort.parts)
        elif not isinstance(sort, Dot):
            yield sort


def _plain(pnml: PnmlNet, names: Mapping[str, str], arcs: dict[str, list[PnmlArc]]) -> Net:
    """A place/transition net, which may have thousands of nodes and needs no vocabulary."""
    net, file = Net(pnml.name), pnml.source.path.name
    for place in pnml.places.values():
        count = _weight(place.marking)
        _place(net, names[place.id], UNIT, Bag({(): count}) if count else Bag(), f"{file}:{place.line}")
    for transition in pnml.transitions.values():
        made = tuple(_arc(net.places[names[one.place]], one, black(_weight(one.term))) for one in arcs[transition.id])
        where = f"{file}:{transition.line}"
        net.add(Transition(names[transition.id], made, constants=net.constants, where=where))
    return net


def _weight(term: Term | None) -> int:
    if term is None:
        return 0
    return term.count if isinstance(term, Several) else 0 if isinstance(term, Sum) else 1


def black(count: int) -> str:
    """So many black tokens on an arc."""
    return "()" if count == 1 else f"{count}*()"


def _place(net: Net, name: str, colour: Colour, held: Bag, where: str) -> None:
    net.places[name] = Place(net, name, colour, held, where=where)


def _arc(place: Place, arc: PnmlArc, text: str) -> Arc:
    match arc.kind:
        case "reset":
            return place.reset()
        case "inhibitor":
            return place.inhibit(text)
        case "test":
            return place.test(text)
        case _:
            return place.take(text) if arc.takes else place.put(text)


def unbound(transition: PnmlTransition, arcs: list[PnmlArc]) -> dict[str, Sort]:
    """The variables that run through all values of their sorts, since no token tells which one they have."""
    bound = {one for arc in arcs if arc.takes and arc.kind in ("normal", "test") for one in _bound(arc.term)}
    used = [one for arc in arcs for one in variables(arc.term)]
    used += [] if transition.guard is None else variables(transition.guard)
    return {one.name: one.sort for one in used if one.name not in bound}


def _bound(term: Term) -> Iterator[str]:
    """The variables that are found in tokens."""
    match term:
        case Variable():
            yield term.name
        case TupleOf() | Sum():
            for part in term.parts:
                yield from _bound(part)
        case Several() if term.count:
            yield from _bound(term.of)
