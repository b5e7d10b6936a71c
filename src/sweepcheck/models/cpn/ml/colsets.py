"""Declarations of colour sets: their types, their constructors, and the functions that each one has."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from typing import Any, Protocol

from sweepcheck.errors import ModelError, closest
from sweepcheck.models.cpn.ml import colours, syntax
from sweepcheck.models.cpn.ml.chance import one_of
from sweepcheck.models.cpn.ml.colours import Colour
from sweepcheck.models.cpn.ml.declaring import constructor
from sweepcheck.models.cpn.ml.inference import Inference
from sweepcheck.models.cpn.ml.running import Raised
from sweepcheck.models.cpn.ml.scope import Binding, TypeBinding, mono
from sweepcheck.models.cpn.ml.syntax import Expr
from sweepcheck.models.cpn.ml.types import PLAIN, UNIT, Applied, Data, Type, function, has_equality, listed
from sweepcheck.models.cpn.ml.types import product as tuple_of

Limits = tuple[Expr, Expr | None] | None
ENDLESS = "the colour set has no end of values, or too many"


class Document(Protocol):
    """What the declaration of a colour set asks of its document."""

    colours: dict[str, Colour]

    def value(self, inference: Inference, node: Expr, wanted: Type) -> Any: ...

    def global_name(self, name: str) -> str: ...


def declare_colset(document: Document, inference: Inference, node: syntax.Colset) -> None:
    """Declare a colour set: from then on it is a type, and a structure of functions."""
    made = _Maker(document, inference, node).made()
    colour = colours.renamed(made, node.name, timed=node.timed, declares_all="all" in node.declared)
    document.colours[node.name] = colour
    inference.scope.types[node.name] = TypeBinding(0, lambda: colour.type)
    for name, given, value in _functions(colour):
        binding = Binding(f"{node.name}.{name}", mono(given), colour=colour)
        binding.python = document.global_name(binding.name)
        if isinstance(value, ModelError):
            binding.refused = value
        else:
            binding.kind, binding.value, binding.shape = "function", value, _shape(name, colour)
            binding.draws = frozenset({binding.name} if name == "ran" else ())
        inference.scope.values[binding.name] = binding


def _is_listed(colour: Colour) -> bool:
    return colour.size is not None and colour.size <= colours.MOST


def _shape(word: str, colour: Colour) -> tuple[int, ...]:
    """The arguments that a function of a colour set takes: values as a whole, unless it is one of several."""
    if word.startswith("set_"):
        return 1, 1
    return ({"all": 0, "size": 0, "ran": 0, "lt": 2, "mult": len(colour.parts)}.get(word, 1),)


class _Maker:
    """Makes the colour set of one declaration."""

    def __init__(self, document: Document, inference: Inference, node: syntax.Colset) -> None:
        self.document = document
        self.inference = inference
        self.node = node

    def made(self) -> Colour:
        """The colour set of the declaration."""
        make: Callable[..., Colour] = getattr(self, f"_{self.node.kind.replace(' ', '_')}")
        return make(*self.node.parts)

    def _bool(self, *names: str) -> Colour:
        for word, value in zip(names, (False, True), strict=False):
            binding = Binding(word, mono(PLAIN["bool"]), kind="constructor", value=value)
            self.inference.scope.values[word] = binding
        return colours.truths(self.node.name, *names)

    def _int(self, limits: Limits) -> Colour:
        low, high = self._range(limits, PLAIN["int"])
        return colours.integers(self.node.name, low, high, "int")

    def _intinf(self, limits: Limits) -> Colour:
        low, high = self._range(limits, PLAIN["intinf"])
        return colours.integers(self.node.name, low, high, "intinf")

    _time = _intinf

    def _real(self, limits: Limits) -> Colour:
        low, high = self._range(limits, PLAIN["real"])
        return colours.reals(self.node.name, low, high)

    def _char(self, limits: Limits) -> Colour:
        del limits
        return colours.characters(self.node.name)

    def _product(self, *names: str) -> Colour:
        return colours.products(self.node.name, tuple(map(self._colour, names)))

    def _record(self, *fields: tuple[str, str]) -> Colour:
        self._distinct(label for label, _ in fields)
        return colours.records(self.node.name, tuple((label, self._colour(of)) for label, of in fields))

    def _list(self, of: str, limits: Limits) -> Colour:
        lengths = None if limits is None else self._range(limits, PLAIN["int"])
        return colours.lists(self.node.name, self._colour(of), lengths)

    def _subset_by(self, of: str, predicate: Expr) -> Colour:
        whole = self._colour(of)
        allows = self.document.value(self.inference, predicate, function(whole.type, PLAIN["bool"]))
        return colours.subset(self.node.name, whole, allows)

    def _subset_with(self, of: str, values: Expr) -> Colour:
        whole = self._colour(of)
        return colours.some(self.node.name, whole, self.document.value(self.inference, values, listed(whole.type)))

    def _alias(self, of: str) -> Colour:
        return self._colour(of)

    def _colour(self, name: str) -> Colour:
        found = self.document.colours.get(name)
        if found is None:
            refused = self.inference.scope.value(name)
            if refused is not None and refused.refused is not None:
                raise self.inference.lookup_refused(refused, name, self.node.at)
            raise self.inference.error(
                f"there is no colour set {name!r}", self.node.at, closest(name, self.document.colours)
            )
        return found

    def _range(self, limits: Limits, given: Type) -> Any:
        if limits is None:
            return None, None
        first, last = limits
        if last is None:
            raise self.inference.error("the range has no end", first.at, "write 1..10")
        low, high = (self.document.value(self.inference, limit, given) for limit in (first, last))
        if low > high:
            raise self.inference.error(f"the range {low}..{high} is empty", first.at)
        return low, high

    def _string(self, *limits: Limits) -> Colour:
        letters = lengths = None
        if limits:
            letters = self._range(limits[0], PLAIN["string"])
            if letters != (None, None) and any(len(letter) != 1 for letter in letters):
                raise self.inference.error("the limits of a colour set of texts are single letters", self.node.at)
        if len(limits) > 1:
            lengths = self._range(limits[1], PLAIN["int"])
        return colours.strings(self.node.name, letters, lengths)

    def _unit(self, token: str | None) -> Colour:
        if token is None:
            return colours.unit(self.node.name)
        self.inference.scope.values[token] = Binding(token, mono(UNIT), kind="constructor", value=())
        return colours.unit(self.node.name, token)

    def _distinct(self, names: Iterable[str]) -> None:
        seen = set()
        for name in names:
            if name in seen:
                raise self.inference.error(f"{name!r} occurs twice in colour set {self.node.name!r}", self.node.at)
            seen.add(name)

    def _enum(self, *words: str) -> Colour:
        self._distinct(words)
        data = Data(self.node.name, constructors=words)
        for word in words:
            constructor(self.inference.scope, data, word, None, Applied(data))
        return colours.enumerated(self.node.name, Applied(data), words)

    def _index(self, word: str, limits: Limits) -> Colour:
        low, high = self._range(limits, PLAIN["int"])
        data = Data(self.node.name, constructors=(word,))
        constructor(self.inference.scope, data, word, PLAIN["int"], Applied(data))
        return colours.indexed(self.node.name, Applied(data), word, low, high)

    def _union(self, *alternatives: tuple[str, str | None]) -> Colour:
        self._distinct(word for word, _ in alternatives)
        inner = tuple((word, None if of is None else self._colour(of)) for word, of in alternatives)
        data = Data(self.node.name, constructors=tuple(word for word, _ in alternatives))
        data.equality = all(colour is None or has_equality(colour.type) for _, colour in inner)
        for word, colour in inner:
            constructor(self.inference.scope, data, word, None if colour is None else colour.type, Applied(data))
        return colours.unions(self.node.name, Applied(data), inner)


# -- the functions of a colour set -----------------------------------------------------------------------------------


def _functions(colour: Colour) -> list[tuple[str, Type, Any]]:
    """Name, type and meaning of each function; an error for what is not supported."""
    own, string, integer = colour.type, PLAIN["string"], PLAIN["int"]
    pair = tuple_of(own, own)
    outside = ModelError("SC142", "it reads or writes a file", suggestion="remove it: an inscription only computes")
    found: list[tuple[str, Type, Any]] = [
        ("mkstr", function(own, string), colour.text),
        ("mkstr_ms", function(listed(own), string), lambda tokens: multiset_text(colour, tokens)),
        ("lt", function(pair, PLAIN["bool"]), lambda one, other: colour.key(one) < colour.key(other)),
        ("legal", function(own, PLAIN["bool"]), colour.contains),
        *((name, UNIT, outside) for name in ("input_col", "output_col", "input_ms", "output_ms", "input", "output")),
    ]
    if _is_listed(colour):
        values = _Values(colour)
        found += [
            ("all", function(UNIT, listed(own)), values.all),
            ("size", function(UNIT, integer), lambda: colour.size),
            ("ran", function(UNIT, own), lambda: one_of(f"{colour.name}.ran", values.all(), colour.text)),
            ("ord", function(own, integer), values.position),
            ("col", function(integer, own), values.at),
        ]
    else:
        endless = ModelError("SC142", ENDLESS, suggestion="give it a range")
        found += [(name, UNIT, endless) for name in ("all", "size", "ran", "ord", "col")]
    return found + _of_parts(colour)


def _of_parts(colour: Colour) -> list[tuple[str, Type, Any]]:
    own = colour.type
    assert isinstance(own, Applied)
    if own.data.name != "record":
        return [(f"of_{word}", function(own, PLAIN["bool"]), _is_built(word)) for word in own.data.constructors]
    found: list[tuple[str, Type, Any]] = []
    for label, part in colour.parts:
        place = own.labels.index(label)
        change = function(own, function(part.type, own))
        found.append((f"set_{label}", change, _setter(place)))
    lists = tuple_of(*(listed(part.type) for _, part in colour.parts))
    if all(label.isdigit() for label in own.labels):
        found.append(("mult", function(lists, listed(own)), lambda *parts: tuple(product(*parts))))
    return found


def defined(binding: Binding) -> str | None:
    """The Python that defines a function of the library or of a colour set; None when it cannot be written down."""
    name, colour = binding.python, binding.colour
    if colour is None:
        return f"{name} = named({binding.name!r})"
    word = binding.name.rpartition(".")[2]
    if word in ("all", "size", "ord", "col"):
        values = colour.all()
        shown = {"all": f"(): {values!r}", "size": f"(): {len(values)}"}
        shown |= {"ord": f"(value): {values!r}.index(value)", "col": f"(number): {values!r}[number]"}
        head, _, body = shown[word].partition(": ")
        return f"def {name}{head}:\n    return {body}"
    if word.startswith("set_"):
        place = colour.type.labels.index(word[4:])
        return f"def {name}(whole, value):\n    return (*whole[:{place}], value, *whole[{place + 1} :])"
    if word.startswith("of_"):
        return f"def {name}(value):\n    return (value if isinstance(value, str) else value[0]) == {word[3:]!r}"
    if word == "mult":
        return f"def {name}(*parts):\n    return tuple(product(*parts))"
    return None


def _is_built(word: str) -> Callable[[Any], bool]:
    return lambda value: (value if isinstance(value, str) else value[0]) == word


def _setter(place: int) -> Callable[[Any, Any], Any]:
    return lambda whole, value: (*whole[:place], value, *whole[place + 1 :])


def multiset_text(colour: Colour, tokens: Iterable[Any]) -> str:
    """A multiset as CPN Tools prints it: a line for each colour."""
    counts: dict[Any, int] = {}
    for token in sorted(tokens, key=colour.key):
        counts[token] = counts.get(token, 0) + 1
    return "++\n".join(f"{count}`{colour.text(token)}" for token, count in counts.items()) or "empty"


class _Values:
    """The values of a colour set in order, listed when they are first needed."""

    def __init__(self, colour: Colour) -> None:
        self._colour = colour
        self._order: dict[Any, int] | None = None
        self._values: tuple[Any, ...] = ()

    def all(self) -> tuple[Any, ...]:
        if self._order is None:
            self._values = self._colour.all()
            self._order = {value: number for number, value in enumerate(self._values)}
        return self._values

    def position(self, value: Any) -> int:
        self.all()
        if self._order is None or value not in self._order:
            raise Raised("Match")
        return self._order[value]

    def at(self, number: int) -> Any:
        values = self.all()
        if not 0 <= number < len(values):
            raise Raised("Subscript")
        return values[number]
