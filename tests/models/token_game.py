"""The token game, played by the book: coloured nets from their definition, with nothing of how sweepcheck runs them.

A net is handed over as a sketch. Its binding elements are listed once: every assignment of values to the variables of a
transition, by brute force, that makes the guard true. An element is enabled in a marking at a time if

- the tokens it takes are there, on timed places with stamps that have come (Jensen and Kristensen, Coloured Petri
  Nets, chapter 11); they leave, and of equal tokens those with the largest such stamps;
- the tokens each of its test arcs names are there beside those;
- there are fewer tokens in the marking than each inhibitor arc names, of every kind it names;
- no place it puts tokens on holds more than its capacity afterwards.

The clock of a timed net stands at the time of the last occurrence. The next ones happen at the earliest time, from then
on, at which any element is enabled.
"""

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from types import CodeType
from typing import Any

from sweepcheck.testing.net_sketch import CONSTANTS, ArcSketch, Either, NetSketch, PlaceSketch, TransitionSketch

Token = tuple[Hashable, int]  # a value and its stamp; the stamp is 0 for ever on a place without time
Tokens = dict[str, Counter[Token]]  # of every place
Label = tuple[str, frozenset[tuple[str, Hashable]], frozenset[tuple[Hashable, int]]]  # binding, what wildcards matched


@dataclass(frozen=True)
class Marking:
    """The clock, and the tokens of every place."""

    clock: int
    tokens: frozenset[tuple[str, Token, int]]  # place, token, number

    def of(self, place: str) -> Counter[Token]:
        return Counter({token: number for where, token, number in self.tokens if where == place})


@dataclass
class Element:
    """A binding element: a transition with values for its variables, its inscriptions evaluated."""

    label: Label
    takes: dict[str, Counter[Hashable]] = field(default_factory=dict)
    tests: list[tuple[str, Counter[Hashable]]] = field(default_factory=list)
    inhibits: list[tuple[str, Counter[Hashable] | None]] = field(default_factory=list)
    resets: set[str] = field(default_factory=set)
    puts: Tokens = field(default_factory=dict)  # the stamp is the delay


@cache
def compiled(text: str) -> CodeType:
    return compile(text, "<inscription>", "eval")


def evaluate(text: str, binding: dict[str, Any]) -> Any:
    return eval(compiled(text), {**CONSTANTS, **binding})


def multiset(arc: ArcSketch, binding: dict[str, Any]) -> Counter[Token]:
    """The tokens on an arc, with their delays."""
    found: Counter[Token] = Counter()
    for term in arc.terms or ():
        chosen = (term,)
        if isinstance(term, Either):
            chosen = term.then if evaluate(term.condition, binding) else term.otherwise
        for one in chosen:
            delay = sum(evaluate(text, binding) for text in (one.delay, arc.delay) if text is not None)
            found[evaluate(one.token, binding), delay] += evaluate(one.count, binding)
    return +found


def values(tokens: Counter[Token]) -> Counter[Hashable]:
    """The tokens without their stamps."""
    found: Counter[Hashable] = Counter()
    for (value, _), number in tokens.items():
        found[value] += number
    return found


class TokenGame:
    """A net and its rules. The rules that are easy to get wrong are methods of their own, so that a test can."""

    def __init__(self, sketch: NetSketch) -> None:
        self.places: dict[str, PlaceSketch] = {}
        self.elements: list[Element] = []
        self._add(sketch, sketch, "", {})
        self.timed = any(place.timed for place in self.places.values())

    # -- modules and fusion: places of a module that stand for others, by name ---------------------------------------

    def _add(self, whole: NetSketch, net: NetSketch, prefix: str, ports: dict[str, str]) -> None:
        full = {place.name: ports.get(place.name) or place.fusion or prefix + place.name for place in net.places}
        for place in net.places:
            if place.name not in ports:
                self.places[full[place.name]] = place
        for transition in net.transitions:
            self.elements += list(self._elements(transition, prefix, full))
        for use in net.uses:
            sockets = {port: full[socket] for port, socket in use.sockets.items()}
            self._add(whole, whole.module(use.module), f"{prefix}{use.name}.", sockets)

    def _elements(self, transition: TransitionSketch, prefix: str, full: dict[str, str]) -> Iterator[Element]:
        variables = transition.variables
        for row in product(*(kind.tokens for kind in variables.values())):
            binding: dict[str, Any] = dict(zip(variables, row, strict=True))
            shown = {name: value for name, value in binding.items() if name not in transition.let}
            named = frozenset(item for item in shown.items() if not item[0].startswith("w"))
            unnamed = Counter(value for name, value in shown.items() if name.startswith("w"))
            for name, text in transition.let.items():
                value = evaluate(text, binding)
                if binding.setdefault(name, value) != value:
                    break  # a variable that is computed and found on an arc: both must agree
            else:
                free = all(binding[name] in kind.tokens for name, kind in transition.free.items())
                if free and all(evaluate(text, binding) for text in transition.guard):
                    element = Element((prefix + transition.name, named, frozenset(unnamed.items())))
                    self._inscribe(element, transition, binding, full)
                    yield element

    def _inscribe(
        self, element: Element, transition: TransitionSketch, binding: dict[str, Any], full: dict[str, str]
    ) -> None:
        after = 0 if transition.delay is None else evaluate(transition.delay, binding)
        for arc in transition.arcs:
            place, tokens = full[arc.place], multiset(arc, binding)
            if arc.kind == "take":
                element.takes.setdefault(place, Counter()).update(values(tokens))
            elif arc.kind == "test":
                element.tests.append((place, values(tokens)))
            elif arc.kind == "inhibit":
                element.inhibits.append((place, None if arc.terms is None else values(tokens)))
            elif arc.kind == "reset":
                element.resets.add(place)
            else:
                delayed = Counter({(value, after + delay): number for (value, delay), number in tokens.items()})
                element.puts.setdefault(place, Counter()).update(delayed)

    # -- the rules ---------------------------------------------------------------------------------------------------

    def initial(self) -> Marking:
        return self._marking(0, {name: Counter(place.initial) for name, place in self.places.items()})

    def _marking(self, clock: int, tokens: Tokens) -> Marking:
        found = ((place, token, number) for place, some in tokens.items() for token, number in some.items() if number)
        return Marking(clock, frozenset(found))

    def edges(self, marking: Marking) -> list[tuple[Label, Marking]]:
        """What can happen next, at the earliest time at which anything can."""
        later = {stamp for _, (_, stamp), _ in marking.tokens if stamp > marking.clock}
        before: Tokens = {place: Counter() for place in self.places}
        for place, token, number in marking.tokens:
            before[place][token] = number
        for time in (marking.clock, *sorted(later)):
            occurrences = ((element, self.occur(element, before, time)) for element in self.elements)
            found = [(element.label, after) for element, after in occurrences if after is not None]
            if found:
                return found
        return []

    def occur(self, element: Element, before: Tokens, time: int) -> Marking | None:
        """The marking after an element has occurred at a time; None if it is not enabled."""
        rest = dict(before)
        for place, needed in element.takes.items():
            for value, number in needed.items():
                leaving = self.leaving(before[place], value, time)[:number]
                if len(leaving) < number:
                    return None
                rest[place] = rest[place] - Counter(leaving)
        if not self.passes_tests(element, before, rest, time) or self.is_inhibited(element, before, rest):
            return None
        for place in element.resets:
            rest[place] = Counter()
        for place, made in element.puts.items():
            timed, capacity = self.places[place].timed, self.places[place].capacity
            stamped = Counter({(value, time + delay if timed else 0): n for (value, delay), n in made.items()})
            rest[place] = rest[place] + stamped
            if capacity is not None and self.is_overfull(rest[place], capacity):
                return None
        return self._marking(time if self.timed else 0, rest)

    def leaving(self, tokens: Counter[Token], value: Hashable, time: int) -> list[Token]:
        """The tokens of a value that may leave now, in the order in which they do: the youngest first."""
        ready = [token for token in tokens.elements() if token[0] == value and token[1] <= time]
        return sorted(ready, key=lambda token: -token[1])

    def passes_tests(self, element: Element, _: Any, rest: Tokens, time: int) -> bool:
        """Each test arc finds its tokens among those that are not taken; several arcs may find the same ones."""
        return all(
            len(self.leaving(rest[place], value, time)) >= number
            for place, needed in element.tests
            for value, number in needed.items()
        )

    def is_inhibited(self, element: Element, before: Tokens, _: Any) -> bool:
        """Inhibitor arcs look at the marking as it is."""
        for place, most in element.inhibits:
            present = values(before[place])
            if any(present.values()) if most is None else any(present[value] >= n for value, n in most.items()):
                return True
        return False

    def is_overfull(self, tokens: Counter[Token], capacity: int) -> bool:
        return tokens.total() > capacity
