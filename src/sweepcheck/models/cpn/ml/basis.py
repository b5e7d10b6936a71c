"""What the functions of the library compute: numbers, texts, lists and multisets, as plain Python values."""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from sweepcheck.models.cpn.ml.chance import Drawn
from sweepcheck.models.cpn.ml.running import Raised, check_size, whole

# -- numbers and texts ------------------------------------------------------------------------------------------------


def number_text(value: int) -> str:
    """A whole number as ML writes it."""
    return str(value).replace("-", "~")


def real_text(value: float) -> str:
    """A real number as SML/NJ prints it: twelve digits, and always a point or an exponent."""
    if math.isnan(value) or math.isinf(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "~inf"
    digits, _, exponent = f"{value:.12g}".partition("e")
    if exponent:
        power = int(exponent)
        return f"{digits}E{power}".replace("-", "~") if power > 0 else f"{digits}E~{-power:02}".replace("-", "~")
    return (digits if "." in digits else digits + ".0").replace("-", "~")


def scanned(pattern: str, make: Callable[[str], Any]) -> Callable[[str], Any]:
    """A function that reads a value at the start of a text, as an option."""

    def scan(text: str) -> Any:
        found = re.match(rf"\s*({pattern})", text)
        return "NONE" if found is None else ("SOME", make(found[1].replace("~", "-")))

    return scan


def rounding(how: Callable[[float], int]) -> Callable[[float | Drawn], int]:
    """A function that makes whole numbers of reals."""

    def rounded(value: float | Drawn) -> int:
        if isinstance(value, Drawn):
            return whole(value.rounded(how))
        if math.isnan(value):
            raise Raised("Domain")
        if math.isinf(value):
            raise Raised("Overflow")
        return whole(how(value))

    return rounded


def real_rounding(how: Callable[[float], int]) -> Callable[[float | Drawn], float]:
    """A function that makes reals without a fraction; what is no number stays what it is."""

    def rounded(value: float | Drawn) -> float:
        if isinstance(value, Drawn):
            return float(value.rounded(how))
        return float(how(value)) if math.isfinite(value) else value

    return rounded


def real_sign(value: float) -> int:
    """Whether a real is above or below zero."""
    if math.isnan(value):
        raise Raised("Domain")
    return (value > 0) - (value < 0)


def real_compared(one: float, other: float) -> str:
    """How two reals are ordered."""
    if math.isnan(one) or math.isnan(other):
        raise Raised("Unordered")
    return compared(one, other)


def compared(one: Any, other: Any) -> str:
    """How two values are ordered."""
    return "EQUAL" if one == other else "LESS" if one < other else "GREATER"


def character(code: int) -> str:
    """The character with a code."""
    if not 0 <= code <= 255:
        raise Raised("Chr")
    return chr(code)


def power(base: int, exponent: int) -> int:
    """A power of whole numbers."""
    if exponent < 0:
        raise Raised("Domain")
    if exponent * max(base.bit_length(), 1) > 100_000:
        raise Raised("Overflow")
    return int(base**exponent)


def root(value: float) -> float:
    """The square root."""
    return math.sqrt(value) if value >= 0 else math.nan


def guarded(function: Callable[..., float]) -> Callable[..., float]:
    """A function of reals that raises nothing: beyond all numbers it is infinite, elsewhere it is none."""

    def computed(*arguments: float) -> float:
        try:
            return function(*arguments)
        except OverflowError:
            return math.inf
        except ValueError:
            return math.nan

    return computed


def logarithm(function: Callable[[float], float]) -> Callable[[float], float]:
    """A logarithm, which is infinite at 0."""
    return lambda value: -math.inf if value == 0 else guarded(function)(value)


def real_power(base: float, exponent: float) -> float:
    """A power, with the sign of what it grows beyond all numbers with."""
    try:
        return math.pow(base, exponent)
    except (OverflowError, ValueError):
        if base < 0 and not exponent.is_integer():
            return math.nan
        return math.copysign(math.inf, base) if exponent % 2 == 1 else math.inf


def real_min(one: float, other: float) -> float:
    """The smaller one; a number rather than none."""
    return other if math.isnan(one) else min(one, other)


def real_max(one: float, other: float) -> float:
    """The larger one; a number rather than none."""
    return other if math.isnan(one) else max(one, other)


def substring(text: str, start: int, length: int) -> str:
    """A part of a text."""
    if start < 0 or length < 0 or start + length > len(text):
        raise Raised("Subscript")
    return text[start : start + length]


def extracted(text: str, start: int, length: Any) -> str:
    """The rest of a text, or a part of it."""
    return substring(text, start, len(text) - start if length == "NONE" else length[1])


def tokens(splits: Callable[[str], bool], text: str) -> tuple[str, ...]:
    """The parts of a text between separators, without empty ones."""
    return tuple(one for one in fields(splits, text) if one)


def fields(splits: Callable[[str], bool], text: str) -> tuple[str, ...]:
    """The parts of a text between separators."""
    found = [""]
    for sign in text:
        if splits(sign):
            found.append("")
        else:
            found[-1] += sign
    return tuple(found)


def at(items: Any, index: int) -> Any:
    """The item at a position, from 0."""
    if not 0 <= index < len(items):
        raise Raised("Subscript")
    return items[index]


# -- lists ------------------------------------------------------------------------------------------------------------


def head(items: tuple[Any, ...]) -> Any:
    """The first item."""
    if not items:
        raise Raised("Empty")
    return items[0]


def tail(items: tuple[Any, ...]) -> Any:
    """All but the first item."""
    if not items:
        raise Raised("Empty")
    return items[1:]


def last(items: tuple[Any, ...]) -> Any:
    """The last item."""
    if not items:
        raise Raised("Empty")
    return items[-1]


def take(items: tuple[Any, ...], count: int) -> tuple[Any, ...]:
    """The first items."""
    if not 0 <= count <= len(items):
        raise Raised("Subscript")
    return items[:count]


def drop(items: tuple[Any, ...], count: int) -> tuple[Any, ...]:
    """All but the first items."""
    if not 0 <= count <= len(items):
        raise Raised("Subscript")
    return items[count:]


def mapped(change: Callable[[Any], Any], items: tuple[Any, ...]) -> tuple[Any, ...]:
    """A function of each item."""
    return tuple([change(item) for item in items])


def kept(holds: Callable[[Any], bool], items: tuple[Any, ...]) -> tuple[Any, ...]:
    """The items for which a condition holds."""
    return tuple([item for item in items if holds(item)])


def parted(holds: Callable[[Any], bool], items: tuple[Any, ...]) -> tuple[Any, Any]:
    """The items for which a condition holds, and the others."""
    kept: tuple[list[Any], list[Any]] = ([], [])
    for item in items:
        kept[not holds(item)].append(item)
    return tuple(kept[0]), tuple(kept[1])


def some(holds: Callable[[Any], bool], items: tuple[Any, ...]) -> bool:
    """Whether a condition holds for an item."""
    return any(holds(item) for item in items)


def every(holds: Callable[[Any], bool], items: tuple[Any, ...]) -> bool:
    """Whether a condition holds for all items."""
    return all(holds(item) for item in items)


def found(holds: Callable[[Any], bool], items: tuple[Any, ...]) -> Any:
    """The first item for which a condition holds, as an option."""
    for item in items:
        if holds(item):
            return ("SOME", item)
    return "NONE"


def foldl(join: Callable[[Any], Any], start: Any, items: tuple[Any, ...]) -> Any:
    """The items joined from the left."""
    for item in items:
        start = join((item, start))
    return start


def foldr(join: Callable[[Any], Any], start: Any, items: tuple[Any, ...]) -> Any:
    """The items joined from the right."""
    return foldl(join, start, items[::-1])


def chosen(change: Callable[[Any], Any], items: tuple[Any, ...]) -> tuple[Any, ...]:
    """The values of a function of each item, where it has one."""
    return tuple([one[1] for one in (change(item) for item in items) if one != "NONE"])


def tabulated(count: int, make: Callable[[int], Any]) -> tuple[Any, ...]:
    """The values of a function of 0, 1, ..."""
    if not 0 <= count <= 1_000_000:
        raise Raised("Size")
    return tuple([make(number) for number in range(count)])


def applied(change: Callable[[Any], Any], items: tuple[Any, ...]) -> tuple[()]:
    """A function of each item, for nothing."""
    for item in items:
        change(item)
    return ()


def joined(lists: tuple[tuple[Any, ...], ...]) -> tuple[Any, ...]:
    """All items of all lists."""
    check_size(sum(map(len, lists)))
    return tuple(item for one in lists for item in one)


def get_item(items: tuple[Any, ...]) -> Any:
    """The first item and the rest, as an option."""
    return ("SOME", (items[0], items[1:])) if items else "NONE"


def unzipped(pairs: tuple[tuple[Any, Any], ...]) -> tuple[Any, Any]:
    """The left and the right items."""
    return tuple(one for one, _ in pairs), tuple(other for _, other in pairs)


def remove(item: Any, items: tuple[Any, ...]) -> tuple[Any, ...]:
    """The items without the first one that is equal."""
    if item not in items:
        return items
    place = items.index(item)
    return items[:place] + items[place + 1 :]


def subtracted(items: tuple[Any, ...], removed: tuple[Any, ...]) -> tuple[Any, ...]:
    """The items without those of another list, one by one."""
    for item in removed:
        if item not in items:
            raise Raised("Subtract")
        items = remove(item, items)
    return items


def common(items: tuple[Any, ...], others: tuple[Any, ...]) -> tuple[Any, ...]:
    """The items that another list has too, each as often as both have it."""
    found = []
    for item in items:
        if item in others:
            found.append(item)
            others = remove(item, others)
    return tuple(found)


def position(item: Any, items: tuple[Any, ...]) -> int:
    """Where an item stands first, from 0."""
    if item not in items:
        raise Raised("Match")
    return items.index(item)


SIGNS = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}


def escaped(text: str) -> str:
    """A text as it stands between quotes in a program."""
    return "".join(map(_escaped_sign, text))


def _escaped_sign(sign: str) -> str:
    number = ord(sign)
    if number in SIGNS:
        return "\\" + SIGNS[number]
    if number < 32:
        return f"\\^{chr(number + 64)}"
    return sign if number < 127 else f"\\{number:03}"


def in_order(before: Callable[[Any], bool], items: tuple[Any, ...]) -> tuple[Any, ...]:
    """The items sorted by what comes before what."""

    def order(one: Any, other: Any) -> int:
        return -1 if before((one, other)) else 1 if before((other, one)) else 0

    return tuple(sorted(items, key=functools.cmp_to_key(order)))


def sorted_by(after: Callable[[Any], bool], items: tuple[Any, ...]) -> tuple[Any, ...]:
    """The items sorted by what comes after what, as SML/NJ has it; those of which neither does stay in their order."""
    return in_order(lambda pair: after((pair[1], pair[0])), items)


def sorted_once(order: Callable[[Any], str], items: tuple[Any, ...]) -> tuple[Any, ...]:
    """The items sorted, of equal ones the first."""
    found: list[Any] = []
    for item in in_order(lambda pair: order(pair) == "LESS", items):
        if not found or order((found[-1], item)) != "EQUAL":
            found.append(item)
    return tuple(found)


def is_sorted(after: Callable[[Any], bool], items: tuple[Any, ...]) -> bool:
    """Whether no item comes after the next one."""
    return not any(after(pair) for pair in pairwise(items))


def contains_all(items: tuple[Any, ...], others: tuple[Any, ...]) -> bool:
    """Whether a multiset holds another one."""
    return not Counter(others) - Counter(items)


def only(items: tuple[Any, ...]) -> Any:
    """The token of a multiset that has one."""
    if len(items) != 1:
        raise Raised("no_singleton")
    return items[0]


def value_of(option: Any) -> Any:
    """What an option holds."""
    if option == "NONE":
        raise Raised("Option")
    return option[1]


def same(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Whether two multisets are equal."""
    return Counter(one) == Counter(other)


def at_most(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Whether a multiset is held by another one."""
    return contains_all(other, one)


def collated(order: Callable[[Any], str], one: tuple[Any, ...], other: tuple[Any, ...]) -> str:
    """How two lists are ordered."""
    for pair in zip(one, other, strict=False):
        if (answer := order(pair)) != "EQUAL":
            return answer
    return compared(len(one), len(other))


def concat(texts: tuple[str, ...]) -> str:
    """Texts put together."""
    check_size(sum(map(len, texts)))
    return "".join(texts)
