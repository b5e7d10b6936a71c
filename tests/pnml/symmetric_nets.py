"""Nets written down once, as PNML text and as a naive token game: what a net does is found by trying every binding.

A term is a tuple whose first word says what it is: ("var", "x"), ("value", sort, v), ("succ", t), ("pred", t),
("tuple", t, ...), ("all", sort), ("times", n, t), ("add", t, ...), ("minus", t, t). A condition likewise: ("eq", t, t)
and the like, ("and", c, ...), ("or", c, ...), ("not", c). The game knows nothing of the reader.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import Any

GRAMMAR = "http://www.pnml.org/version-2009/grammar/"
TAGS = {
    "eq": "equality", "ne": "inequality", "lt": "lessthan", "le": "lessthanorequal", "gt": "greaterthan",
    "ge": "greaterthanorequal",
}  # fmt: skip
Term = tuple[Any, ...]


@dataclass
class Spec:
    """A symmetric net. A sort is ("cyclic", n), ("finite", n), ("range", a, b), ("product", sort, ...) or ("dot",)."""

    sorts: dict[str, tuple[Any, ...]]
    variables: dict[str, str]
    places: dict[str, tuple[str, Term | None]]  # sort, marking
    transitions: dict[str, tuple[Term | None, list[tuple[str, str, Term]]]]  # guard; arcs: kind, place, term
    pages: int = field(default=1)

    def values(self, sort: str) -> list[Any]:
        kind, *rest = self.sorts[sort]
        if kind in ("cyclic", "finite"):
            return [f"{sort}{number}" for number in range(rest[0])]
        if kind == "range":
            return list(range(rest[0], rest[1] + 1))
        return [()] if kind == "dot" else list(product(*(self.values(part) for part in rest)))

    # -- the token game ----------------------------------------------------------------------------------------------

    def tokens(self, term: Term, binding: dict[str, Any]) -> Counter[Any]:
        match term:
            case ("var", name):
                return Counter([binding[name]])
            case ("value", _, value):
                return Counter([value])
            case ("succ" | "pred" as word, inner, sort):
                values = self.values(sort)
                (one,) = self.tokens(inner, binding)
                return Counter([values[(values.index(one) + (1 if word == "succ" else -1)) % len(values)]])
            case ("tuple", *parts):
                rows = product(*(self.tokens(part, binding).elements() for part in parts))
                return Counter(rows)
            case ("all", sort):
                return Counter(self.values(sort))
            case ("times", count, inner):
                return Counter({one: count * often for one, often in self.tokens(inner, binding).items()})
            case ("add", *parts):
                return sum((self.tokens(part, binding) for part in parts), Counter())
            case ("minus", whole, removed):
                return self.tokens(whole, binding) - self.tokens(removed, binding)
        raise AssertionError(term)

    def holds(self, condition: Term, binding: dict[str, Any]) -> bool:
        match condition:
            case ("and", *parts):
                return all(self.holds(part, binding) for part in parts)
            case ("or", *parts):
                return any(self.holds(part, binding) for part in parts)
            case ("not", part):
                return not self.holds(part, binding)
        sign, left, right, sort = condition
        order = self.values(sort)
        (one,), (other,) = self.tokens(left, binding), self.tokens(right, binding)
        a, b = order.index(one), order.index(other)
        return {"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}[sign]

    def initial(self) -> tuple[frozenset[Any], ...]:
        return tuple(
            frozenset() if marking is None else frozenset(self.tokens(marking, {}).items())
            for _, marking in self.places.values()
        )

    def edges(self, state: tuple[frozenset[Any], ...]) -> Iterator[tuple[str, tuple[Any, ...], Any]]:
        marking = {name: Counter(dict(held)) for name, held in zip(self.places, state, strict=True)}
        for name, (guard, arcs) in self.transitions.items():
            used = sorted(set(_variables([guard, *(term for _, _, term in arcs)])))
            for row in product(*(self.values(self.variables[one]) for one in used)):
                binding = dict(zip(used, row, strict=True))
                if guard is None or self.holds(guard, binding):
                    following = self._fired(marking, arcs, binding)
                    if following is not None:
                        yield name, row, tuple(frozenset((+following[place]).items()) for place in self.places)

    def _fired(self, marking: Any, arcs: Any, binding: dict[str, Any]) -> dict[str, Counter[Any]] | None:
        left = {place: Counter(held) for place, held in marking.items()}
        for kind, place, term in arcs:
            if kind == "inhibitor":
                if any(marking[place][one] >= count for one, count in self.tokens(term, binding).items()):
                    return None
            elif kind == "take":
                left[place].subtract(self.tokens(term, binding))
        if any(count < 0 for held in left.values() for count in held.values()):
            return None
        for kind, place, _ in arcs:
            if kind == "reset":
                left[place].clear()
        for kind, place, term in arcs:
            if kind == "put":
                left[place].update(self.tokens(term, binding))
        return left

    def explored(self, most: int = 3000) -> tuple[dict[Any, list[tuple[str, Any]]], bool]:
        """All states with their edges, and whether these are all."""
        found: dict[Any, list[tuple[str, Any]]] = {}
        waiting = [self.initial()]
        while waiting:
            state = waiting.pop()
            if state in found:
                continue
            if len(found) >= most or any(count > 50 for held in state for _, count in held):
                return found, False
            found[state] = [(name, target) for name, _, target in self.edges(state)]
            waiting += [target for _, target in found[state]]
        return found, True

    # -- as PNML -----------------------------------------------------------------------------------------------------

    def pnml(self) -> str:
        nodes = [*map(self._place, self.places), *map(self._transition, self.transitions)]
        arcs = [
            self._arc(number, transition, *arc)
            for number, (transition, arc) in enumerate(
                (t, arc) for t, (_, arcs) in self.transitions.items() for arc in arcs
            )
        ]
        inside = [*nodes, *arcs]
        pages = [inside[start :: self.pages] for start in range(self.pages)]
        written = "".join(f'<page id="page{number}">{"".join(page)}</page>' for number, page in enumerate(pages))
        sorts = "".join(f'<namedsort id="{one}" name="{one}">{self._sort(one)}</namedsort>' for one in self.sorts)
        variables = "".join(
            f'<variabledecl id="{one}" name="{one}"><usersort declaration="{sort}"/></variabledecl>'
            for one, sort in self.variables.items()
        )
        declared = f"<declaration><structure><declarations>{sorts}{variables}</declarations></structure></declaration>"
        return (
            f'<?xml version="1.0"?><pnml xmlns="{GRAMMAR}pnml"><net id="net" type="{GRAMMAR}symmetricnet">'
            f"{written}{declared}</net></pnml>"
        )

    def _sort(self, name: str) -> str:
        kind, *rest = self.sorts[name]
        if kind in ("cyclic", "finite"):
            inside = "".join(f'<feconstant id="{one}" name="{one}"/>' for one in self.values(name))
            return f"<{kind}enumeration>{inside}</{kind}enumeration>"
        if kind == "range":
            return f'<finiteintrange start="{rest[0]}" end="{rest[1]}"/>'
        inside = "".join(f'<usersort declaration="{part}"/>' for part in rest)
        return "<dot/>" if kind == "dot" else f"<productsort>{inside}</productsort>"

    def _place(self, name: str) -> str:
        sort, marking = self.places[name]
        held = "" if marking is None else _structured("hlinitialMarking", self.term(marking))
        kind = _structured("type", f'<usersort declaration="{sort}"/>')
        return f'<place id="{name}">{_name(name)}{kind}{held}</place>'

    def _transition(self, name: str) -> str:
        guard = self.transitions[name][0]
        condition = "" if guard is None else _structured("condition", self.condition(guard))
        return f'<transition id="{name}">{_name(name)}{condition}</transition>'

    def _arc(self, number: int, transition: str, kind: str, place: str, term: Term) -> str:
        ends = (transition, place) if kind == "put" else (place, transition)
        marked = f' type="{kind}"' if kind in ("inhibitor", "reset") else ""
        inside = "" if kind == "reset" else _structured("hlinscription", self.term(term))
        return f'<arc id="a{number}" source="{ends[0]}" target="{ends[1]}"{marked}>{inside}</arc>'

    def term(self, term: Term) -> str:
        match term:
            case ("var", name):
                return f'<variable refvariable="{name}"/>'
            case ("value", sort, value):
                return self._value(sort, value)
            case ("succ" | "pred" as word, inner, _):
                return _nested({"succ": "successor", "pred": "predecessor"}[word], self.term(inner))
            case ("all", sort):
                return f'<all><usersort declaration="{sort}"/></all>'
            case ("times", count, inner):
                return _nested(
                    "numberof", f'<numberconstant value="{count}"><positive/></numberconstant>', self.term(inner)
                )
            case (word, *parts):
                tag = {"minus": "subtract"}.get(word, word)
                return _nested(tag, *map(self.term, parts))
        raise AssertionError(term)

    def _value(self, sort: str, value: Any) -> str:
        kind, *rest = self.sorts[sort]
        if kind == "dot":
            return "<dotconstant/>"
        if kind == "range":
            inside = f'<finiteintrange start="{rest[0]}" end="{rest[1]}"/>'
            return f'<finiteintrangeconstant value="{value}">{inside}</finiteintrangeconstant>'
        if kind == "product":
            return _nested("tuple", *(self._value(part, one) for part, one in zip(rest, value, strict=True)))
        return f'<useroperator declaration="{value}"/>'

    def condition(self, condition: Term) -> str:
        word, *parts = condition
        if word in TAGS:
            return _nested(TAGS[word], self.term(parts[0]), self.term(parts[1]))
        return _nested(word, *map(self.condition, parts))


def _variables(terms: list[Any]) -> Iterator[str]:
    for term in terms:
        if isinstance(term, tuple) and term:
            if term[0] == "var":
                yield term[1]
            yield from _variables(list(term[1:]))


def _structured(tag: str, inside: str) -> str:
    return f"<{tag}><structure>{inside}</structure></{tag}>"


def _name(text: str) -> str:
    return f"<name><text>{text}</text><graphics><offset x='1' y='2'/></graphics></name>"


def _nested(tag: str, *parts: str) -> str:
    return f"<{tag}>{''.join(f'<subterm>{part}</subterm>' for part in parts)}</{tag}>"


def plain_net(places: dict[str, int], transitions: dict[str, list[tuple[str, str, int]]]) -> Spec:
    """A place/transition net as a symmetric one of black tokens: arcs are (kind, place, weight)."""
    black = ("value", "Dot", ())

    def several(count: int) -> Term:
        return black if count == 1 else ("times", count, black)

    return Spec(
        {"Dot": ("dot",)},
        {},
        {name: ("Dot", several(count) if count else None) for name, count in places.items()},
        {name: (None, [(kind, p, several(n)) for kind, p, n in arcs]) for name, arcs in transitions.items()},
    )


def plain_pnml(places: dict[str, int], transitions: dict[str, list[tuple[str, str, int]]], inside: str = "") -> str:
    """The same as a place/transition net of PNML."""
    held = {name: f"<initialMarking><text> {count} </text></initialMarking>" for name, count in places.items() if count}
    nodes = "".join(f'<place id="{name}">{_name(name)}{held.get(name, "")}</place>' for name in places)
    nodes += "".join(f'<transition id="{name}">{_name(name)}</transition>' for name in transitions)
    arcs = ""
    for name, listed in transitions.items():
        for number, (kind, place, weight) in enumerate(listed):
            ends = (name, place) if kind == "put" else (place, name)
            marked = f' type="{kind}"' if kind in ("inhibitor", "reset") else ""
            written = f"<inscription><text>{weight}</text></inscription>" if weight != 1 and kind != "reset" else ""
            arcs += f'<arc id="{name}{number}" source="{ends[0]}" target="{ends[1]}"{marked}>{written}</arc>'
    return (
        f'<pnml xmlns="{GRAMMAR}pnml"><net id="net" type="{GRAMMAR}ptnet"><page id="page">{nodes}{arcs}{inside}'
        "</page></net></pnml>"
    )


# -- random nets -------------------------------------------------------------------------------------------------------


def random_plain(random: Random) -> tuple[dict[str, int], dict[str, list[tuple[str, str, int]]]]:
    """Places with their tokens, transitions with their arcs."""
    places = {f"p{number}": random.choice([0, 0, 1, 1, 2, 3]) for number in range(random.randint(2, 5))}
    transitions = {}
    for number in range(random.randint(1, 5)):
        arcs = [
            ("take", place, random.choice([1, 1, 1, 2]))
            for place in random.sample(sorted(places), random.randint(1, 2))
        ]
        arcs += [
            ("put", place, random.choice([1, 1, 1, 2])) for place in random.sample(sorted(places), random.randint(0, 2))
        ]
        if random.random() < 0.2:
            arcs.append(("inhibitor", random.choice(sorted(places)), random.choice([1, 2])))
        if random.random() < 0.1:
            arcs.append(("reset", random.choice(sorted(places)), 1))
        transitions[f"t{number}"] = arcs
    return places, transitions


def random_symmetric(random: Random) -> Spec:
    """A symmetric net with every kind of sort and term."""
    sorts: dict[str, tuple[Any, ...]] = {
        "C": ("cyclic", random.randint(2, 3)),
        "F": ("finite", random.randint(1, 3)),
        "R": ("range", low := random.randint(0, 3), low + random.randint(0, 2)),
        "CR": ("product", "C", "R"),
        "Dot": ("dot",),
    }
    variables = {"c": "C", "d": "C", "f": "F", "r": "R"}
    spec = Spec(sorts, variables, {}, {}, pages=random.randint(1, 3))

    def value(sort: str) -> Term:
        named = [name for name, of in variables.items() if of == sort]
        if sort == "CR":
            return ("tuple", value("C"), value("R"))
        if named and random.random() < 0.75:
            found: Term = ("var", random.choice(named))
        else:
            found = ("value", sort, random.choice(spec.values(sort)))
        if sort == "C" and random.random() < 0.25:
            found = (random.choice(["succ", "pred"]), found, "C")
        return found

    def tokens(sort: str, inside: bool = False) -> Term:
        chance = random.random()
        if chance < 0.08:
            return ("all", sort)
        if chance < 0.16 and sort in ("C", "F"):
            return ("minus", ("all", sort), value(sort))
        if chance < 0.22 and sort == "CR":
            return ("tuple", ("all", "C"), value("R"))
        if chance < 0.3:
            return ("times", random.choice([1, 2]), value(sort))
        if chance < 0.45 and not inside:
            return ("add", tokens(sort, inside=True), value(sort))
        return value(sort)

    def condition() -> Term:
        chance = random.random()
        if chance < 0.2:
            return ("and", condition(), condition())
        if chance < 0.35:
            return ("or", condition(), condition())
        if chance < 0.45:
            return ("not", condition())
        sort = random.choice(["C", "F", "R"])
        return (random.choice(list(TAGS)), value(sort), value(sort), sort)

    for number in range(random.randint(2, 4)):
        sort = random.choice(list(sorts))
        listed = random.sample(spec.values(sort), min(len(spec.values(sort)), random.randint(0, 2)))
        parts = [("value", sort, one) for one in listed]
        marking = None if not parts else parts[0] if len(parts) == 1 else ("add", *parts)
        spec.places[f"p{number}"] = sort, ("all", sort) if random.random() < 0.25 else marking
    for number in range(random.randint(1, 4)):
        arcs = [("take", place, tokens(spec.places[place][0])) for place in random.sample(sorted(spec.places), 1)]
        chosen = random.sample(sorted(spec.places), random.randint(0, 2))
        arcs += [(random.choice(["put", "put", "take"]), place, tokens(spec.places[place][0])) for place in chosen]
        if random.random() < 0.15:
            place = random.choice(sorted(spec.places))
            arcs.append(("inhibitor", place, value(spec.places[place][0])))
        spec.transitions[f"t{number}"] = (condition() if random.random() < 0.4 else None, arcs)
    return spec
