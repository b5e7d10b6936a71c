"""Colour sets: which values they have, how these are listed, ordered and printed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product
from typing import Any

from sweepcheck.models.cpn.ml.basis import real_text
from sweepcheck.models.cpn.ml.chance import Drawn
from sweepcheck.models.cpn.ml.running import LARGEST, SMALLEST
from sweepcheck.models.cpn.ml.types import PLAIN, UNIT, Type, listed, ordered_labels, record

FEW = 100  # values that a variable which nothing binds runs through, unless the colour set declares `all`
LONGEST_LISTED = 20  # items of lists and texts that are all listed
MOST = 100_000  # values that are ever listed


@dataclass(frozen=True, slots=True, eq=False)
class Colour:
    """A colour set. `size` is the number of its values, None when there is no end of them."""

    name: str
    type: Type
    contains: Callable[[Any], bool]
    text: Callable[[Any], str]
    size: int | None = None
    listing: Callable[[], Iterable[Any]] = tuple
    key: Callable[[Any], Any] = field(default=lambda value: value)  # in the order of the colour set
    timed: bool = False
    declares_all: bool = False
    parts: tuple[tuple[str, Colour], ...] = ()  # fields of a record or product, alternatives of a union

    def values(self) -> tuple[Any, ...] | None:
        """The values that a variable which nothing binds runs through; None when they are too many."""
        if self.size is None or self.size > (MOST if self.declares_all else FEW):
            return None
        return tuple(self.listing())

    def all(self) -> tuple[Any, ...]:
        """All values, of a colour set that has an end of them."""
        return tuple(islice(self.listing(), MOST))

    def __repr__(self) -> str:
        return f"<colour set {self.name}>"


def _whole(value: Any) -> bool:
    return bool(value.__class__ == int)  # noqa: E721 - `is` would be noticed: see `models.net.colours`


def integers(name: str, lowest: int | None, highest: int | None, kind: str) -> Colour:
    """Whole numbers, of 31 bits unless they are `intinf`."""
    first = SMALLEST if lowest is None and kind == "int" else lowest
    last = LARGEST if highest is None and kind == "int" else highest

    def contains(value: Any) -> bool:
        return _whole(value) and (first is None or first <= value) and (last is None or value <= last)

    def text(value: Any) -> str:
        shown = str(value).replace("-", "~")
        return f"({shown})" if value < 0 and kind == "int" else shown

    given = PLAIN["int" if kind == "int" else "intinf"]
    if lowest is None or highest is None:
        return Colour(name, given, contains, text)
    return Colour(name, given, contains, text, max(0, highest - lowest + 1), lambda: range(lowest, highest + 1))


def reals(name: str, lowest: float | None, highest: float | None) -> Colour:
    """Real numbers."""

    def contains(value: Any) -> bool:
        if isinstance(value, Drawn):
            float(value)  # which says why it is no token
        return type(value) is float and (lowest is None or lowest <= value) and (highest is None or value <= highest)

    return Colour(name, PLAIN["real"], contains, real_text)


def quoted(value: str) -> str:
    """A text as CPN Tools prints it: nothing in it is escaped."""
    return f'"{value}"'


def strings(name: str, letters: tuple[str, str] | None, lengths: tuple[int, int] | None) -> Colour:
    """Texts; of some letters, of some lengths."""

    def contains(value: Any) -> bool:
        if not isinstance(value, str) or (lengths is not None and not lengths[0] <= len(value) <= lengths[1]):
            return False
        return letters is None or all(letters[0] <= sign <= letters[1] for sign in value)

    if letters is None or lengths is None:
        return Colour(name, PLAIN["string"], contains, quoted)
    signs = [chr(code) for code in range(ord(letters[0]), ord(letters[1]) + 1)]
    size = _rows(len(signs), lengths)
    return Colour(name, PLAIN["string"], contains, quoted, size, lambda: map("".join, _listed(signs, lengths)))


def characters(name: str) -> Colour:
    """Single characters."""
    contains = lambda value: isinstance(value, str) and len(value) == 1  # noqa: E731
    return Colour(name, PLAIN["char"], contains, str, 256, lambda: map(chr, range(256)))


def truths(name: str, false: str = "false", true: str = "true") -> Colour:
    """Truth values, perhaps under other names."""
    contains = lambda value: isinstance(value, bool)  # noqa: E731
    return Colour(name, PLAIN["bool"], contains, lambda value: true if value else false, 2, lambda: (False, True))


def unit(name: str, token: str = "()") -> Colour:
    """One value."""
    return Colour(name, UNIT, lambda value: value == (), lambda _: token, 1, lambda: ((),))


def enumerated(name: str, given: Type, names: tuple[str, ...]) -> Colour:
    """Values by their names."""
    order = {one: number for number, one in enumerate(names)}
    contains = lambda value: isinstance(value, str) and value in order  # noqa: E731
    return Colour(name, given, contains, str, len(names), lambda: names, lambda value: order.get(value, -1))


def indexed(name: str, given: Type, word: str, lowest: int, highest: int) -> Colour:
    """One word with numbers: `ph(1)`, `ph(2)`."""

    def contains(value: Any) -> bool:
        match value:
            case (tag, number):
                return tag == word and _whole(number) and lowest <= number <= highest
        return False

    def listing() -> Iterable[Any]:
        return ((word, number) for number in range(lowest, highest + 1))

    text = lambda value: f"{word}({str(value[1]).replace('-', '~')})"  # noqa: E731
    return Colour(name, given, contains, text, max(0, highest - lowest + 1), listing)


def _count(parts: Iterable[Colour]) -> int | None:
    found = 1
    for part in parts:
        if part.size is None:
            return None
        found *= part.size
    return found


def products(name: str, parts: tuple[Colour, ...]) -> Colour:
    """Tuples."""
    return _record(name, tuple((str(number), part) for number, part in enumerate(parts, 1)), is_tuple=True)


def records(name: str, fields: tuple[tuple[str, Colour], ...]) -> Colour:
    """Records: values are in the order of the labels, and printed in that of the declaration."""
    return _record(name, fields, is_tuple=False)


def _record(name: str, fields: tuple[tuple[str, Colour], ...], *, is_tuple: bool) -> Colour:
    labels = ordered_labels(label for label, _ in fields)
    parts = [dict(fields)[label] for label in labels]
    places = [(label, labels.index(label), part) for label, part in fields]

    def contains(value: Any) -> bool:
        if not isinstance(value, tuple) or len(value) != len(parts):
            return False
        return all(part.contains(one) for part, one in zip(parts, value, strict=True))

    def text(value: Any) -> str:
        if is_tuple:
            return "(" + ",".join(part.text(value[place]) for _, place, part in places) + ")"
        return "{" + ",".join(f"{label}={part.text(value[place])}" for label, place, part in places) + "}"

    def listing() -> Iterable[Any]:
        return product(*(tuple(part.listing()) for part in parts))

    def key(value: Any) -> Any:
        return tuple(part.key(value[place]) for _, place, part in places)

    given = record((label, part.type) for label, part in fields)
    return Colour(name, given, contains, text, _count(parts), listing, key, parts=fields)


def _rows(choices: int, lengths: tuple[int, int]) -> int | None:
    """How many rows of some lengths there are, with so many choices for each item."""
    low, high = max(lengths[0], 0), lengths[1]
    return sum(choices**length for length in range(low, high + 1)) if high <= LONGEST_LISTED else None


def _listed(items: Sequence[Any], lengths: tuple[int, int]) -> Iterable[tuple[Any, ...]]:
    return (row for length in range(max(lengths[0], 0), lengths[1] + 1) for row in product(items, repeat=length))


def lists(name: str, element: Colour, lengths: tuple[int, int] | None) -> Colour:
    """Lists, perhaps of some lengths."""

    def contains(value: Any) -> bool:
        if not isinstance(value, tuple) or (lengths is not None and not lengths[0] <= len(value) <= lengths[1]):
            return False
        return all(map(element.contains, value))

    def text(value: Any) -> str:
        return "[" + ",".join(map(element.text, value)) + "]"

    def listing() -> Iterable[Any]:
        assert lengths is not None
        return _listed(tuple(element.listing()), lengths)

    size = None if lengths is None or element.size is None else _rows(element.size, lengths)
    return Colour(
        name, listed(element.type), contains, text, size, listing, lambda value: tuple(map(element.key, value))
    )


def unions(name: str, given: Type, alternatives: tuple[tuple[str, Colour | None], ...]) -> Colour:
    """One of several colour sets, by a word."""
    inner = dict(alternatives)
    order = {word: number for number, word in enumerate(inner)}

    def contains(value: Any) -> bool:
        if isinstance(value, str):
            return value in inner and inner[value] is None
        match value:
            case (str() as word, argument):
                colour = inner.get(word)
                return colour is not None and colour.contains(argument)
        return False

    def text(value: Any) -> str:
        if isinstance(value, str):
            return value
        colour = inner[value[0]]
        return f"{value[0]}({'' if colour is None else colour.text(value[1])})"

    def listing() -> Iterable[Any]:
        for word, colour in alternatives:
            if colour is None:
                yield word
            else:
                yield from ((word, one) for one in colour.listing())

    def key(value: Any) -> Any:
        if isinstance(value, str):
            return (order[value],)
        colour = inner[value[0]]
        return order[value[0]], None if colour is None else colour.key(value[1])

    sizes = [1 if colour is None else colour.size for _, colour in alternatives]
    known = [size for size in sizes if size is not None]
    parts = tuple((word, colour) for word, colour in alternatives if colour is not None)
    size = sum(known) if len(known) == len(sizes) else None
    return Colour(name, given, contains, text, size, listing, key, parts=parts)


def renamed(colour: Colour, name: str, *, timed: bool, declares_all: bool) -> Colour:
    """The same values under another name."""
    return replace(colour, name=name, timed=timed, declares_all=declares_all)


def subset(name: str, whole: Colour, allows: Callable[[Any], bool]) -> Colour:
    """Those values of a colour set that a function allows."""

    def contains(value: Any) -> bool:
        return whole.contains(value) and allows(value)

    def listing() -> Iterable[Any]:
        return (value for value in whole.listing() if allows(value))

    size = None if whole.size is None or whole.size > MOST else sum(1 for _ in listing())
    return replace(whole, name=name, contains=contains, size=size, listing=listing)


def some(name: str, whole: Colour, values: tuple[Any, ...]) -> Colour:
    """These values of a colour set."""
    chosen = tuple(dict.fromkeys(value for value in values if whole.contains(value)))
    return replace(whole, name=name, contains=lambda value: value in chosen, size=len(chosen), listing=lambda: chosen)
