"""A net as the Python text that declares it, without modules: for nets that came from elsewhere."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sweepcheck.core.stamps import Stamped
from sweepcheck.core.values import Bag
from sweepcheck.errors import ModelError
from sweepcheck.models.net.colours import UNIT, Colour, Ordered
from sweepcheck.models.net.colours import colour as colour_of
from sweepcheck.models.net.hierarchy import FlatPlace, FlatTransition, flatten
from sweepcheck.models.net.inscription import Expression
from sweepcheck.models.net.names import expressions
from sweepcheck.models.net.net import Net
from sweepcheck.models.net.structure import Arc

LITERALS = (bool, int, float, str, type(None))
TYPES = (bool, int, float, str)
RESERVED = ("Net", "colours", "net", "at")
WIDTH = 100  # characters of a line, where it can be broken


def net_source(net: Net, origin: str) -> str:
    """The text of a Python file that declares the net; `origin` says where it came from."""
    if not flatten(net).transitions:
        raise without_transitions()
    return _Source(net).text(origin)


def without_transitions() -> ModelError:
    """The error for a net that would be refused once it is written down."""
    return cannot("the net has no transition", "a net in Python needs one; this one has its initial state alone")


def cannot(what: str, suggestion: str, where: str | None = None) -> ModelError:
    """The error for a net that cannot be converted."""
    return ModelError("SC138", what, where=where, suggestion=suggestion)


def identifier(text: str, taken: set[str]) -> str:
    """A name that Python can use, as close to a text as can be; from then on it is taken."""
    name = re.sub(r"\W+", "_", text, flags=re.ASCII).strip("_") or "x"
    if name[0].isdigit() or keyword.iskeyword(name) or keyword.issoftkeyword(name):
        name = f"x{name}"
    found, number = name, 2
    while found in taken:
        found, number = f"{name}_{number}", number + 1
    taken.add(found)
    return found


@dataclass(slots=True)
class _Source:
    """The text while it is written."""

    net: Net
    taken: set[str] = field(default_factory=lambda: set(RESERVED))
    colours: dict[int, str] = field(default_factory=dict)  # how a colour is written, where it has a name

    def text(self, origin: str) -> str:
        flat = flatten(self.net)
        constants = list(self._constants())
        places = {one: identifier(one.name, self.taken) for one in flat.places}
        lines = [self._place(one, name) for one, name in places.items()]
        lines += [line for one in flat.transitions for line in self._transition(one, places)]
        given = "".join(f", {name}={name}" for name in self.net.constants)
        needs = "Net, colours" if any("colours." in line for line in [*constants, *lines]) else "Net"
        needs = f"{needs}, at" if any("at(" in line for line in lines) else needs
        head = [
            f'"""{_words(self.net.name)}, converted from {_words(origin)}."""',
            "",
            f"from sweepcheck import {needs}",
        ]
        body = [f"net = Net({self.net.name!r}{given})", *lines]
        return "\n".join([*head, "", *constants, *body, ""])

    def _constants(self) -> Iterator[str]:
        for name, value in self.net.constants.items():
            self.taken.add(name)
            if isinstance(value, Ordered):
                yield f"{name} = colours.ordered({self._colour(value.colour)})"
                self.colours[id(value.colour)] = name
            elif is_literal(value):
                yield f"{name} = {value!r}"
            else:
                raise cannot(
                    f"the constant {name!r} of net {self.net.name!r} is no plain value: {value!r}",
                    "only nets whose constants are numbers, texts, tuples and colours.ordered(...) can be converted",
                )

    def _colour(self, of: Colour) -> str:
        if id(of) in self.colours:
            return self.colours[id(of)]
        if of.timed:
            return f"colours.timed({self._untimed(of)})"
        return self._untimed(of)

    def _untimed(self, of: Colour) -> str:
        if of.contains is UNIT.contains:
            return "None"
        for kind in TYPES:
            if of.name == colour_of(kind).name and of.kinds == colour_of(kind).kinds:
                return kind.__name__
        if of.kinds == frozenset({tuple}) and of.parts:
            return f"({', '.join(self._colour(part) for part in of.parts)})"
        values = of.values()
        if values is None or not all(map(is_literal, values)) or of.shape.sets():
            raise cannot(
                f"colour {of} cannot be written down", "use ranges, sets of plain values, and products of them"
            )
        if (span := whole_range(values)) is not None:
            return f"range({span[0]}, {span[1] + 1})"
        return f"colours.values({', '.join(map(repr, values))})"

    def _place(self, one: FlatPlace, name: str) -> str:
        words = [repr(_plain(one.name))]
        if one.colour is not UNIT:
            words.append(self._colour(one.colour))
        if one.initial:
            words.append(f"initial={_tokens(one)}")
        if one.capacity is not None:
            words.append(f"capacity={one.capacity}")
        return f"{name} = net.place({', '.join(words)})"

    def _transition(self, flat: FlatTransition, places: Mapping[FlatPlace, str]) -> Iterator[str]:
        one = flat.transition
        words = [repr(_plain(flat.name))]
        words += [f"{places[flat.places[arc.place]]}.{self._arc(arc)}" for arc in one.arcs]
        if one.guard:
            texts = [_text(part, "the guard", one.where) for part in one.guard]
            words.append(f"guard={texts[0]!r}" if len(texts) == 1 else f"guard={texts!r}")
        if one.let:
            words.append(f"let={ {name: _text(value, name, one.where) for name, value in one.let.items()}!r}")
        if one.free:
            inside = ", ".join(f"{name!r}: {self._colour(of)}" for name, of in one.free.items())
            words.append(f"free={{{inside}}}")
        if one.delay is not None:
            words.append(f"delay={_text(one.delay, 'the delay', one.where)!r}")
        if one.fair:
            words.append("fair=True")
        line = f"net.transition({', '.join(words)})"
        if len(line) <= WIDTH:
            yield line
            return
        yield "net.transition("
        yield from (f"    {word}," for word in words)
        yield ")"

    def _arc(self, arc: Arc) -> str:
        if arc.kind == "reset" or arc.terms is None:
            return f"{arc.kind}()"
        if any(one.functions for one in expressions(arc.terms)) or (arc.delay is not None and arc.delay.functions):
            raise cannot(f"{arc} has a function for an inscription", "write inscriptions as text", arc.place.where)
        words = [*([] if arc.text == "()" else [repr(arc.text)]), *([f"early={arc.early}"] if arc.early else [])]
        return f"{arc.kind}({', '.join(words)})"


def _text(given: Expression, what: str, where: str | None) -> str:
    if given.functions:
        raise cannot(f"{what} is a function", "write inscriptions as text", where)
    return given.text


def _plain(name: str) -> str:
    """The name of a part of a module, without full stops."""
    return name.replace(".", "_")


def _words(text: str) -> str:
    return text.replace("\\", "/").replace('"', "'")


def _tokens(place: FlatPlace) -> str:
    if place.colour is UNIT:
        return str(len(place.initial))
    return _bag(place.initial, _stamped if place.colour.timed else repr)


def _stamped(token: Any) -> str:
    assert isinstance(token, Stamped)
    return f"at({token.wait}, {token.value!r})" if token.wait else repr(token.value)


def _bag(held: Bag, word: Callable[[Hashable], str]) -> str:
    if all(count == 1 for _, count in held.items()):
        return f"[{', '.join(word(token) for token, _ in held.items())}]"
    return f"{{{', '.join(f'{word(token)}: {count}' for token, count in held.items())}}}"


def is_literal(value: object) -> bool:
    """Whether a value is written as Python writes it: a number, a text, or a tuple of these."""
    return type(value) in LITERALS or (type(value) is tuple and all(map(is_literal, value)))


def whole_range(values: tuple[Hashable, ...]) -> tuple[int, int] | None:
    """The first and last of whole numbers that follow one another."""
    if not values or any(type(one) is not int for one in values):
        return None
    first: int = values[0]  # type: ignore[assignment]
    return (first, first + len(values) - 1) if values == tuple(range(first, first + len(values))) else None
