"""A net of CPN Tools as the Python text that declares it: its functions, its colours, its places and transitions."""

from __future__ import annotations

import ast
import re
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count

from sweepcheck.core.stamps import Stamped
from sweepcheck.core.values import Bag
from sweepcheck.models.cpn.inscriptions import UNTIMED, WAITING
from sweepcheck.models.cpn.ml import Colour
from sweepcheck.models.cpn.ml.colours import MOST
from sweepcheck.models.cpn.translation import RAN, Translated
from sweepcheck.models.net.inscription import Either, Expression, Multiset, Tokens
from sweepcheck.models.net.names import expressions
from sweepcheck.models.net.source import cannot, identifier, is_literal, whole_range, without_transitions
from sweepcheck.models.net.structure import Arc, Transition

RENAMED = {UNTIMED: "untimed_", WAITING: "waiting_", RAN: "ran_"}  # names that an inscription of a net cannot have
DEFINED = {
    "untimed_": "def untimed_(tokens):\n    return Bag([token for token, _ in tokens])",
    "waiting_": "def waiting_(tokens):\n    return Bag([at(wait, token) for token, wait in tokens])",
}
# What definitions call, and where it is found.
CALLED = {
    "named(": "from sweepcheck.models.cpn.ml.library import named",
    "product(": "from itertools import product",
}
PLAIN = {"int": "int", "intinf": "int", "string": "str", "bool": "bool", "real": "float", "char": "str"}
SIMPLE = (ast.Name, ast.Constant, ast.Tuple)
WIDTH = 100


def python_source(made: Translated, origin: str) -> str:
    """The text of a Python file with the same states; `origin` says where the net came from."""
    if len(set(made.priorities.values())) > 1:
        raise cannot("the transitions of the net have priorities", "a net in Python has none; write guards instead")
    if not made.net.transitions:
        raise without_transitions()
    return _Source(made).text(origin)


@dataclass(slots=True)
class _Source:
    """The text while it is written."""

    made: Translated
    taken: set[str] = field(default_factory=lambda: {"Net", "at", "Bag", "colours", "net"})
    colours: dict[int, str] = field(default_factory=dict)  # names of colours, by their identity
    places: dict[str, str] = field(default_factory=dict)

    def text(self, origin: str) -> str:
        net, ml = self.made.net, self.made.ml
        self.taken |= set(ml.namespace) | set(ml.spelling)
        used = sorted(self._used())
        defined = [self._definition(name) for name in self._needed(used)]
        colours = list(self._colours())
        self.places = {name: identifier(name.rpartition(" ")[0].partition("'")[2], self.taken) for name in net.places}
        body = [self._place(name) for name in net.places]
        body += [line for one in net.transitions.values() for line in self._transition(one)]
        given = "".join(f", {name}={name}" for name in used)
        functions = [one for one in defined if not one.startswith("from ")]
        imports = {one for one in defined if one.startswith("from ")}
        imports |= {line for call, line in CALLED.items() if any(call in one for one in functions)}
        written = [ml.source.strip()] if ml.source.strip() else []
        opening = f"net = Net({net.name!r}{given})"
        blocks = [*functions, *written, "\n".join([*colours, "", opening, *body]).strip()]
        needs = [
            name for name in ("Bag", "Net", "at", "colours") if any(re.search(rf"\b{name}\b", one) for one in blocks)
        ]
        head = [f'"""{net.name}, converted from {origin}."""', "", f"from sweepcheck import {', '.join(needs)}"]
        return "\n\n\n".join(["\n".join([*head, *sorted(imports)]), *blocks]) + "\n"

    # -- what inscriptions call --------------------------------------------------------------------------------------

    def _used(self) -> set[str]:
        """The names that inscriptions use beside variables, as the file has them."""
        found: set[str] = set()
        for one in self.made.net.transitions.values():
            given = [*one.guard, *one.let.values(), *([] if one.delay is None else [one.delay])]
            given += [each for arc in one.arcs for each in expressions(arc.terms or ())]
            found |= {name for each in given for name in each.names if name in one.constants}
        return {RENAMED.get(name, name) for name in found}

    def _needed(self, used: Iterable[str]) -> Iterator[str]:
        """The names that the text does not define otherwise: those used, and those that its functions use."""
        tree = ast.parse(self.made.ml.source)
        own = {one.name for one in tree.body if isinstance(one, ast.FunctionDef)}
        own |= {one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
        called = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
        known = {*self.made.ml.definitions, *DEFINED}
        for name in sorted({*used, *called} - own):
            if name in known:
                yield name
            elif name in used and name != "Bag":
                raise cannot(f"{name!r} cannot be written down in Python", "convert a net without it")

    def _definition(self, name: str) -> str:
        return DEFINED.get(name) or self.made.ml.definitions[name].strip()

    # -- colours and places ------------------------------------------------------------------------------------------

    def _colours(self) -> Iterator[str]:
        for of in dict.fromkeys(self.made.colours.values()):
            text = _colour(of)
            name = identifier(of.name, self.taken) if text not in ("None", "object", *PLAIN.values()) else text
            self.colours[id(of)] = f"colours.timed({name})" if of.timed else name
            if name != text:
                yield f"{name} = {text}"

    def _place(self, name: str) -> str:
        place, colour = self.made.net.places[name], self.colours[id(self.made.colours[name])]
        words = [repr(name), *([colour] if colour != "None" else [])]
        if place.initial:
            words.append(f"initial={_bag(place.initial)}")
        return f"{self.places[name]} = net.place({', '.join(words)})"

    # -- transitions -------------------------------------------------------------------------------------------------

    def _name(self, of: str) -> str:
        """The name of a transition; in Python no place has the same one, which CPN Tools allows."""
        net = self.made.net
        head, _, number = of.rpartition(" ")
        name, more = of, count(2)
        while name in net.places or (name != of and name in net.transitions):
            name = f"{head}_{next(more)} {number}"
        return name

    def _transition(self, one: Transition) -> Iterator[str]:
        words = [repr(self._name(one.name)), *(self._arc(arc) for arc in one.arcs)]
        if one.guard:
            words.append(f"guard={[_code(each) for each in one.guard]!r}")
        if one.let:
            words.append(f"let={ {RENAMED.get(name, name): _code(each) for name, each in one.let.items()}!r}")
        if one.free:
            inside = ", ".join(f"{name!r}: {self._free(name)}" for name in one.free)
            words.append(f"free={{{inside}}}")
        if one.delay is not None:
            words.append(f"delay={_code(one.delay)!r}")
        line = f"net.transition({', '.join(words)})"
        yield from [line] if len(line) <= WIDTH else ["net.transition(", *(f"    {word}," for word in words), ")"]

    def _free(self, name: str) -> str:
        """The colour of a variable that no arc binds: all values where they can be listed."""
        of = self.made.ml.variables[self.made.ml.spelling[name]].colour
        return _colour(of) if of.size is None or of.size > MOST else _values(of.all())

    def _arc(self, arc: Arc) -> str:
        place = "net.clock" if arc.place is self.made.net.clock else self.places[arc.place.name]
        if arc.terms is None:
            return f"{place}.{arc.kind}()"
        text = _multiset(arc.terms)
        words = [*([] if text == "()" else [repr(text)]), *([f"early={arc.early}"] if arc.early else [])]
        return f"{place}.{arc.kind}({', '.join(words)})"


def _code(one: Expression) -> str:
    text = ast.unparse(one.node)
    for name, other in RENAMED.items():
        text = re.sub(rf"\b{name}\b", other, text)
    return text


def _multiset(terms: Multiset) -> str:
    return " ++ ".join(map(_term, terms)) or "{}"


def _term(term: object) -> str:
    if isinstance(term, Either):
        return f"({_multiset(term.then)} if {_code(term.condition)} else {_multiset(term.otherwise)})"
    if not isinstance(term, Tokens):
        return _code(term.value)  # type: ignore[attr-defined]
    text = _code(term.token)
    if term.coefficient is not None or not isinstance(term.token.node, SIMPLE):
        text = f"{{{text}: {'1' if term.coefficient is None else _code(term.coefficient)}}}"
    return text if term.delay is None else f"{text} @+ ({_code(term.delay)})"


def _colour(of: Colour) -> str:
    """A colour set as a colour of a net; one that cannot be written down is any token."""
    values = of.values()
    if values == ((),):
        return "None"
    if values is not None and all(map(is_literal, values)) and values != (False, True):
        return _values(values)
    labels = [label for label, _ in of.parts]
    if len(labels) > 1 and labels == [str(number) for number in range(1, len(labels) + 1)]:
        return f"({', '.join(_colour(part) for _, part in of.parts)})"
    return PLAIN.get(getattr(getattr(of.type, "data", None), "name", ""), "object")


def _values(values: tuple[Hashable, ...]) -> str:
    if (span := whole_range(values)) is not None:
        return f"range({span[0]}, {span[1] + 1})"
    return f"colours.values({', '.join(map(repr, values))})"


def _bag(held: Bag) -> str:
    def word(token: Hashable) -> str:
        if isinstance(token, Stamped):
            return f"at({token.wait}, {token.value!r})" if token.wait else repr(token.value)
        return repr(token)

    if all(count == 1 for _, count in held.items()):
        return f"[{', '.join(word(token) for token, _ in held.items())}]"
    return f"{{{', '.join(f'{word(token)}: {count}' for token, count in held.items())}}}"
