"""The library of CPN ML: names, their types, and what they compute; and what is refused, with the reason.

A function takes its arguments flat: `(int * 'a) -> 'b list -> 'c` has three.
"""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from sweepcheck.models.cpn.ml.running import (
    LARGEST,
    SMALLEST,
    Raised,
    compose,
    div,
    divide,
    mod,
    quot,
    scaled,
    times,
    whole,
    without,
)

Table = dict[str, tuple[str, Any]]

# -- numbers and texts --------------------------------------------------------------------------------------------------


def _number_text(value: int) -> str:
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


def _scanned(pattern: str, make: Callable[[str], Any]) -> Callable[[str], Any]:
    def scan(text: str) -> Any:
        found = re.match(rf"\s*({pattern})", text)
        return "NONE" if found is None else ("SOME", make(found[1].replace("~", "-")))

    return scan


def _rounding(how: Callable[[float], int]) -> Callable[[float], int]:
    def rounded(value: float) -> int:
        if math.isnan(value):
            raise Raised("Domain")
        if math.isinf(value):
            raise Raised("Overflow")
        return whole(how(value))

    return rounded


def _compared(one: Any, other: Any) -> str:
    return "EQUAL" if one == other else "LESS" if one < other else "GREATER"


def _chr(code: int) -> str:
    if not 0 <= code <= 255:
        raise Raised("Chr")
    return chr(code)


def _power(base: int, exponent: int) -> int:
    if exponent < 0:
        raise Raised("Domain")
    if exponent * max(base.bit_length(), 1) > 100_000:
        raise Raised("Overflow")
    return int(base**exponent)


def _root(value: float) -> float:
    return math.sqrt(value) if value >= 0 else math.nan


def _guarded(function: Callable[..., float]) -> Callable[..., float]:
    def computed(*arguments: float) -> float:
        try:
            found = function(*arguments)
        except (ValueError, OverflowError, ZeroDivisionError):
            return math.nan
        return found if isinstance(found, float) else math.nan

    return computed


def _substring(text: str, start: int, length: int) -> str:
    if start < 0 or length < 0 or start + length > len(text):
        raise Raised("Subscript")
    return text[start : start + length]


def _extract(text: str, start: int, length: Any) -> str:
    return _substring(text, start, len(text) - start if length == "NONE" else length[1])


def _tokens(splits: Callable[[str], bool], text: str) -> tuple[str, ...]:
    return tuple(one for one in _fields(splits, text) if one)


def _fields(splits: Callable[[str], bool], text: str) -> tuple[str, ...]:
    found = [""]
    for sign in text:
        if splits(sign):
            found.append("")
        else:
            found[-1] += sign
    return tuple(found)


def _at(items: Any, index: int) -> Any:
    if not 0 <= index < len(items):
        raise Raised("Subscript")
    return items[index]


# -- lists --------------------------------------------------------------------------------------------------------------


def _head(items: tuple[Any, ...]) -> Any:
    if not items:
        raise Raised("Empty")
    return items[0]


def _tail(items: tuple[Any, ...]) -> Any:
    if not items:
        raise Raised("Empty")
    return items[1:]


def _last(items: tuple[Any, ...]) -> Any:
    if not items:
        raise Raised("Empty")
    return items[-1]


def _take(items: tuple[Any, ...], count: int) -> tuple[Any, ...]:
    if not 0 <= count <= len(items):
        raise Raised("Subscript")
    return items[:count]


def _drop(items: tuple[Any, ...], count: int) -> tuple[Any, ...]:
    if not 0 <= count <= len(items):
        raise Raised("Subscript")
    return items[count:]


def _map(change: Callable[[Any], Any], items: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple([change(item) for item in items])


def _filter(holds: Callable[[Any], bool], items: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple([item for item in items if holds(item)])


def _partition(holds: Callable[[Any], bool], items: tuple[Any, ...]) -> tuple[Any, Any]:
    kept: tuple[list[Any], list[Any]] = ([], [])
    for item in items:
        kept[not holds(item)].append(item)
    return tuple(kept[0]), tuple(kept[1])


def _exists(holds: Callable[[Any], bool], items: tuple[Any, ...]) -> bool:
    return any(holds(item) for item in items)


def _all(holds: Callable[[Any], bool], items: tuple[Any, ...]) -> bool:
    return all(holds(item) for item in items)


def _find(holds: Callable[[Any], bool], items: tuple[Any, ...]) -> Any:
    for item in items:
        if holds(item):
            return ("SOME", item)
    return "NONE"


def _foldl(join: Callable[[Any], Any], start: Any, items: tuple[Any, ...]) -> Any:
    for item in items:
        start = join((item, start))
    return start


def _foldr(join: Callable[[Any], Any], start: Any, items: tuple[Any, ...]) -> Any:
    return _foldl(join, start, items[::-1])


def _chosen(change: Callable[[Any], Any], items: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple([one[1] for one in (change(item) for item in items) if one != "NONE"])


def _tabulated(count: int, make: Callable[[int], Any]) -> tuple[Any, ...]:
    if not 0 <= count <= 1_000_000:
        raise Raised("Size")
    return tuple([make(number) for number in range(count)])


def _applied(change: Callable[[Any], Any], items: tuple[Any, ...]) -> tuple[()]:
    for item in items:
        change(item)
    return ()


def _joined(lists: tuple[tuple[Any, ...], ...]) -> tuple[Any, ...]:
    return tuple(item for one in lists for item in one)


def _get_item(items: tuple[Any, ...]) -> Any:
    return ("SOME", (items[0], items[1:])) if items else "NONE"


def _unzipped(pairs: tuple[tuple[Any, Any], ...]) -> tuple[Any, Any]:
    return tuple(one for one, _ in pairs), tuple(other for _, other in pairs)


def _remove(item: Any, items: tuple[Any, ...]) -> tuple[Any, ...]:
    if item not in items:
        return items
    place = items.index(item)
    return items[:place] + items[place + 1 :]


def _subtracted(items: tuple[Any, ...], removed: tuple[Any, ...]) -> tuple[Any, ...]:
    for item in removed:
        items = _remove(item, items)
    return items


def _sorted(before: Callable[[Any], bool], items: tuple[Any, ...]) -> tuple[Any, ...]:
    def order(one: Any, other: Any) -> int:
        return -1 if before((one, other)) else 1 if before((other, one)) else 0

    return tuple(sorted(items, key=functools.cmp_to_key(order)))


def _contains_all(items: tuple[Any, ...], others: tuple[Any, ...]) -> bool:
    return not Counter(others) - Counter(items)


def _only(items: tuple[Any, ...]) -> Any:
    if len(items) != 1:
        raise Raised("Match")
    return items[0]


def _value_of(option: Any) -> Any:
    if option == "NONE":
        raise Raised("Option")
    return option[1]


def _same(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return Counter(one) == Counter(other)


def _at_most(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return _contains_all(other, one)


def _collated(order: Callable[[Any], str], one: tuple[Any, ...], other: tuple[Any, ...]) -> str:
    for pair in zip(one, other, strict=False):
        if (found := order(pair)) != "EQUAL":
            return found
    return _compared(len(one), len(other))


def _concat(texts: tuple[str, ...]) -> str:
    return "".join(texts)


OPERATORS: Table = {  # how the writer writes them stands there; as values they are these functions
    "=": ("''a * ''a -> bool", lambda one, other: one == other),
    "<>": ("''a * ''a -> bool", lambda one, other: one != other),
    "<": ("'ordered * 'ordered -> bool", lambda one, other: one < other),
    ">": ("'ordered * 'ordered -> bool", lambda one, other: one > other),
    "<=": ("'ordered * 'ordered -> bool", lambda one, other: one <= other),
    ">=": ("'ordered * 'ordered -> bool", lambda one, other: one >= other),
    "+": ("'num * 'num -> 'num", lambda one, other: one + other),
    "-": ("'num * 'num -> 'num", lambda one, other: one - other),
    "*": ("'num * 'num -> 'num", lambda one, other: one * other),
    "/": ("real * real -> real", divide),
    "div": ("'whole * 'whole -> 'whole", div),
    "mod": ("'whole * 'whole -> 'whole", mod),
    "~": ("'num -> 'num", lambda one: -one),
    "^": ("string * string -> string", lambda one, other: one + other),
    "^^": ("'a list * 'a list -> 'a list", lambda one, other: one + other),
    "::": ("'a * 'a list -> 'a list", lambda head, tail: (head, *tail)),
    "`": ("int * 'a -> 'a list", times),
    "++": ("'a list * 'a list -> 'a list", lambda one, other: one + other),
    "+++": ("'a list * 'a list -> 'a list", lambda one, other: one + other),
    "--": ("''a list * ''a list -> ''a list", without),
    "---": ("''a list * ''a list -> ''a list", without),
    "**": ("int * 'a list -> 'a list", scaled),
    "@": ("'a * 'whole -> 'a timed", True),
    "@+": ("'a list * 'whole -> 'a timed list", True),
    "@++": ("'a list * 'whole -> 'a timed list", True),
    "@@": ("'a list * 'whole -> 'a timed list", True),
    "==": ("''a list * ''a list -> bool", _same),
    "<><>": ("''a list * ''a list -> bool", lambda one, other: not _same(one, other)),
    "<<==": ("''a list * ''a list -> bool", _at_most),
    ">>==": ("''a list * ''a list -> bool", lambda one, other: _at_most(other, one)),
    "<<=": ("''a list * ''a list -> bool", _at_most),
    ">>=": ("''a list * ''a list -> bool", lambda one, other: _at_most(other, one)),
    "<<": ("''a list * ''a list -> bool", lambda one, other: _at_most(one, other) and not _same(one, other)),
    ">>": ("''a list * ''a list -> bool", lambda one, other: _at_most(other, one) and not _same(one, other)),
    "o": ("('b -> 'c) * ('a -> 'b) -> 'a -> 'c", compose),
    "before": ("'a * 'b -> 'a", lambda one, _: one),
}

_ONE_TYPE: dict[str, Table] = {
    "Int": {
        "toString": ("int -> string", _number_text),
        "fromString": ("string -> int option", _scanned(r"[~+-]?\d+", lambda text: whole(int(text)))),
        "maxInt": ("int option", ("SOME", LARGEST)),
        "minInt": ("int option", ("SOME", SMALLEST)),
        "toLarge": ("int -> intinf", int),
        "fromLarge": ("intinf -> int", whole),
        "toInt": ("int -> int", int),
        "fromInt": ("int -> int", int),
        "abs": ("int -> int", lambda value: whole(abs(value))),
        "min": ("int * int -> int", min),
        "max": ("int * int -> int", max),
        "sign": ("int -> int", lambda value: (value > 0) - (value < 0)),
        "compare": ("int * int -> order", _compared),
        "quot": ("int * int -> int", lambda one, other: whole(quot(one, other))),
        "rem": ("int * int -> int", lambda one, other: one - other * quot(one, other)),
        "div": ("int * int -> int", lambda one, other: whole(div(one, other))),
        "mod": ("int * int -> int", mod),
        "+": ("int * int -> int", lambda one, other: whole(one + other)),
        "-": ("int * int -> int", lambda one, other: whole(one - other)),
        "*": ("int * int -> int", lambda one, other: whole(one * other)),
        "<": ("int * int -> bool", lambda one, other: one < other),
        ">": ("int * int -> bool", lambda one, other: one > other),
        "<=": ("int * int -> bool", lambda one, other: one <= other),
        ">=": ("int * int -> bool", lambda one, other: one >= other),
    },
    "IntInf": {
        "toString": ("intinf -> string", _number_text),
        "fromString": ("string -> intinf option", _scanned(r"[~+-]?\d{1,4000}", int)),
        "toInt": ("intinf -> int", whole),
        "fromInt": ("int -> intinf", int),
        "toLarge": ("intinf -> intinf", int),
        "fromLarge": ("intinf -> intinf", int),
        "abs": ("intinf -> intinf", abs),
        "min": ("intinf * intinf -> intinf", min),
        "max": ("intinf * intinf -> intinf", max),
        "sign": ("intinf -> int", lambda value: (value > 0) - (value < 0)),
        "compare": ("intinf * intinf -> order", _compared),
        "pow": ("intinf * int -> intinf", _power),
        "div": ("intinf * intinf -> intinf", div),
        "mod": ("intinf * intinf -> intinf", mod),
        "quot": ("intinf * intinf -> intinf", quot),
        "rem": ("intinf * intinf -> intinf", lambda one, other: one - other * quot(one, other)),
        "+": ("intinf * intinf -> intinf", lambda one, other: one + other),
        "-": ("intinf * intinf -> intinf", lambda one, other: one - other),
        "*": ("intinf * intinf -> intinf", lambda one, other: one * other),
        "<": ("intinf * intinf -> bool", lambda one, other: one < other),
        ">": ("intinf * intinf -> bool", lambda one, other: one > other),
        "<=": ("intinf * intinf -> bool", lambda one, other: one <= other),
        ">=": ("intinf * intinf -> bool", lambda one, other: one >= other),
    },
    "Real": {
        "toString": ("real -> string", real_text),
        "fromString": (
            "string -> real option",
            _scanned(r"[~+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][~+-]?\d+)?", float),
        ),
        "fromInt": ("int -> real", float),
        "fromLargeInt": ("intinf -> real", float),
        "toInt": ("'mode -> real -> int", lambda _, value: _rounding(round)(value)),
        "round": ("real -> int", _rounding(round)),
        "floor": ("real -> int", _rounding(math.floor)),
        "ceil": ("real -> int", _rounding(math.ceil)),
        "trunc": ("real -> int", _rounding(math.trunc)),
        "realRound": ("real -> real", lambda value: float(_rounding(round)(value))),
        "realFloor": ("real -> real", lambda value: float(math.floor(value))),
        "realCeil": ("real -> real", lambda value: float(math.ceil(value))),
        "abs": ("real -> real", abs),
        "min": ("real * real -> real", min),
        "max": ("real * real -> real", max),
        "sign": ("real -> int", lambda value: (value > 0) - (value < 0)),
        "compare": ("real * real -> order", _compared),
        "==": ("real * real -> bool", lambda one, other: one == other),
        "!=": ("real * real -> bool", lambda one, other: one != other),
    },
    "Math": {
        "sqrt": ("real -> real", _root),
        "pow": ("real * real -> real", _guarded(lambda base, exponent: base**exponent)),
        "exp": ("real -> real", _guarded(math.exp)),
        "ln": ("real -> real", _guarded(math.log)),
        "log10": ("real -> real", _guarded(math.log10)),
        "sin": ("real -> real", _guarded(math.sin)),
        "cos": ("real -> real", _guarded(math.cos)),
        "tan": ("real -> real", _guarded(math.tan)),
        "pi": ("real", math.pi),
        "e": ("real", math.e),
    },
    "Bool": {
        "toString": ("bool -> string", lambda value: "true" if value else "false"),
        "fromString": ("string -> bool option", _scanned("true|false", lambda text: text == "true")),
        "not": ("bool -> bool", lambda value: not value),
    },
    "Char": {
        "ord": ("char -> int", ord),
        "chr": ("int -> char", _chr),
        "toString": ("char -> string", str),
        "toUpper": ("char -> char", str.upper),
        "toLower": ("char -> char", str.lower),
        "isDigit": ("char -> bool", lambda sign: sign in "0123456789"),
        "isAlpha": ("char -> bool", lambda sign: sign.isascii() and sign.isalpha()),
        "isAlphaNum": ("char -> bool", lambda sign: sign.isascii() and sign.isalnum()),
        "isUpper": ("char -> bool", lambda sign: sign.isascii() and sign.isupper()),
        "isLower": ("char -> bool", lambda sign: sign.isascii() and sign.islower()),
        "isSpace": ("char -> bool", lambda sign: sign in " \t\n\r\v\f"),
        "isPunct": ("char -> bool", lambda sign: 32 < ord(sign) < 127 and not sign.isalnum()),
        "compare": ("char * char -> order", _compared),
    },
    "String": {
        "size": ("string -> int", len),
        "sub": ("string * int -> char", _at),
        "substring": ("string * int * int -> string", _substring),
        "extract": ("string * int * int option -> string", _extract),
        "concat": ("string list -> string", _concat),
        "concatWith": ("string -> string list -> string", lambda between, texts: between.join(texts)),
        "explode": ("string -> char list", tuple),
        "implode": ("char list -> string", _concat),
        "str": ("char -> string", str),
        "toString": ("string -> string", str),
        "map": ("(char -> char) -> string -> string", lambda change, text: "".join([change(one) for one in text])),
        "translate": ("(char -> string) -> string -> string", lambda change, text: "".join([change(o) for o in text])),
        "tokens": ("(char -> bool) -> string -> string list", _tokens),
        "fields": ("(char -> bool) -> string -> string list", _fields),
        "isPrefix": ("string -> string -> bool", lambda part, text: text.startswith(part)),
        "isSuffix": ("string -> string -> bool", lambda part, text: text.endswith(part)),
        "isSubstring": ("string -> string -> bool", lambda part, text: part in text),
        "compare": ("string * string -> order", _compared),
        "^": ("string * string -> string", lambda one, other: one + other),
    },
    "List": {
        "null": ("'a list -> bool", lambda items: not items),
        "length": ("'a list -> int", len),
        "hd": ("'a list -> 'a", _head),
        "tl": ("'a list -> 'a list", _tail),
        "last": ("'a list -> 'a", _last),
        "getItem": ("'a list -> ('a * 'a list) option", _get_item),
        "nth": ("'a list * int -> 'a", _at),
        "take": ("'a list * int -> 'a list", _take),
        "drop": ("'a list * int -> 'a list", _drop),
        "rev": ("'a list -> 'a list", lambda items: items[::-1]),
        "concat": ("'a list list -> 'a list", _joined),
        "@": ("'a list * 'a list -> 'a list", lambda one, other: one + other),
        "revAppend": ("'a list * 'a list -> 'a list", lambda one, other: one[::-1] + other),
        "app": ("('a -> 'b) -> 'a list -> unit", _applied),
        "map": ("('a -> 'b) -> 'a list -> 'b list", _map),
        "mapPartial": ("('a -> 'b option) -> 'a list -> 'b list", _chosen),
        "find": ("('a -> bool) -> 'a list -> 'a option", _find),
        "filter": ("('a -> bool) -> 'a list -> 'a list", _filter),
        "partition": ("('a -> bool) -> 'a list -> 'a list * 'a list", _partition),
        "foldr": ("('a * 'b -> 'b) -> 'b -> 'a list -> 'b", _foldr),
        "foldl": ("('a * 'b -> 'b) -> 'b -> 'a list -> 'b", _foldl),
        "exists": ("('a -> bool) -> 'a list -> bool", _exists),
        "all": ("('a -> bool) -> 'a list -> bool", _all),
        "tabulate": ("int * (int -> 'a) -> 'a list", _tabulated),
        "collate": ("('a * 'a -> order) -> 'a list * 'a list -> order", _collated),
    },
    "ListPair": {
        "zip": ("'a list * 'b list -> ('a * 'b) list", lambda one, other: tuple(zip(one, other, strict=False))),
        "unzip": ("('a * 'b) list -> 'a list * 'b list", _unzipped),
        "map": (
            "('a * 'b -> 'c) -> 'a list * 'b list -> 'c list",
            lambda change, one, other: tuple([change(pair) for pair in zip(one, other, strict=False)]),
        ),
        "all": (
            "('a * 'b -> bool) -> 'a list * 'b list -> bool",
            lambda holds, one, other: all(holds(pair) for pair in zip(one, other, strict=False)),
        ),
        "exists": (
            "('a * 'b -> bool) -> 'a list * 'b list -> bool",
            lambda holds, one, other: any(holds(pair) for pair in zip(one, other, strict=False)),
        ),
    },
    "Option": {
        "getOpt": ("'a option * 'a -> 'a", lambda option, other: other if option == "NONE" else option[1]),
        "isSome": ("'a option -> bool", lambda option: option != "NONE"),
        "valOf": ("'a option -> 'a", _value_of),
        "map": (
            "('a -> 'b) -> 'a option -> 'b option",
            lambda change, option: option if option == "NONE" else ("SOME", change(option[1])),
        ),
        "filter": ("('a -> bool) -> 'a -> 'a option", lambda holds, value: ("SOME", value) if holds(value) else "NONE"),
        "join": ("'a option option -> 'a option", lambda option: option if option == "NONE" else option[1]),
    },
    "ModelTime": {
        "toString": ("intinf -> string", _number_text),
        "fromInt": ("int -> intinf", int),
        "toInt": ("intinf -> int", whole),
    },
}

PLAIN: Table = {
    "true": ("bool", True),
    "false": ("bool", False),
    "not": ("bool -> bool", lambda value: not value),
    "empty": ("'a list", ()),
    "nil": ("'a list", ()),
    "real": ("int -> real", float),
    "abs": ("'num -> 'num", abs),
    "ref": ("'a -> 'a ref", lambda value: value),
    "!": ("'a ref -> 'a", lambda value: value),
    "ignore": ("'a -> unit", lambda _: ()),
    "time": ("unit -> intinf", None),
    "intTime": ("unit -> int", None),
    "cf": ("''a * ''a list -> int", lambda token, tokens: tokens.count(token)),
    "size": ("'a list -> int", len),
    "ms_to_col": ("'a list -> 'a", _only),
    "ms_to_list": ("'a list -> 'a list", tuple),
    "list_to_ms": ("'a list -> 'a list", tuple),
    "ext_col": ("('a -> 'b) -> 'a list -> 'b list", _map),
    "ext_ms": ("('a -> 'b list) -> 'a list -> 'b list", lambda change, items: _joined(_map(change, items))),
    "mem": ("''a list -> ''a -> bool", lambda items, item: item in items),
    "rm": ("''a -> ''a list -> ''a list", _remove),
    "rmall": ("''a -> ''a list -> ''a list", lambda item, items: tuple(one for one in items if one != item)),
    "ins": ("'a list -> 'a -> 'a list", lambda items, item: (*items, item)),
    "ins_new": ("''a list -> ''a -> ''a list", lambda items, item: items if item in items else (*items, item)),
    "union": (
        "''a list -> ''a list -> ''a list",
        lambda one, other: one + tuple(item for item in other if item not in one),
    ),
    "intersect": (
        "''a list -> ''a list -> ''a list",
        lambda one, other: tuple(item for item in one if item in other),
    ),
    "contains": ("''a list -> ''a list -> bool", lambda items, others: all(one in items for one in others)),
    "contains_all": ("''a list -> ''a list -> bool", _contains_all),
    "listsub": ("''a list -> ''a list -> ''a list", _subtracted),
    "remdupl": ("''a list -> ''a list", lambda items: tuple(dict.fromkeys(items))),
    "sort": ("('a * 'a -> bool) -> 'a list -> 'a list", _sorted),
    "nthtail": ("'a list * int -> 'a list", _drop),
    "valOf": _ONE_TYPE["Option"]["valOf"],
    "getOpt": _ONE_TYPE["Option"]["getOpt"],
    "isSome": _ONE_TYPE["Option"]["isSome"],
    **{name: _ONE_TYPE["Real"][name] for name in ("round", "floor", "ceil", "trunc")},
    **{name: _ONE_TYPE["Char"][name] for name in ("ord", "chr")},
    **{name: _ONE_TYPE["String"][name] for name in ("str", "concat", "explode", "implode", "substring")},
    **{
        name: _ONE_TYPE["List"][name]
        for name in "null length hd tl nth rev app map foldr foldl exists filter tabulate".split()
    },
}

TABLE: Table = {
    **PLAIN,
    **OPERATORS,
    **{f"{structure}.{name}": entry for structure, table in _ONE_TYPE.items() for name, entry in table.items()},
    **{f"LargeInt.{name}": entry for name, entry in _ONE_TYPE["IntInf"].items()},
}
CLOCKED = frozenset({"time", "intTime", "ModelTime.time"})
TABLE["ModelTime.time"] = TABLE["time"]

EXCEPTIONS: dict[str, str | None] = {
    **dict.fromkeys(
        ("Overflow", "Div", "Empty", "Subscript", "Match", "Bind", "Option", "Chr", "Size", "Domain", "Subtract"), None
    ),
    "Negative": None,
    "Fail": "string",
}

# A reference that nothing changes is a constant. What changes one is refused wherever a run needs it.
CHANGES = "it changes a reference, which no state holds"
_REFERENCES = ":= inc dec while".split()
_RANDOM = "discrete uniform exponential normal bernoulli poisson binomial erlang student chisq random ran".split()
_SURROUNDINGS = "print setTime readFile writeFile input_line use".split()
_STRUCTURES = {
    "a file, the screen or the machine": "TextIO BinIO OS IO Posix Unix Date Time Timer CommandLine Socket Output".split(),
    "a library of animation or communication": "MSC ConnManagementLayer BritneyAnim Mimic Chart ".split(),
    "the simulator": ["Replications", "CPN"],
}
RANDOM_ADVICE = (
    "--random all takes all outcomes of a finite colour set; or make the outcome a variable that nothing binds"
)


def refusal(name: str) -> tuple[str, str] | None:
    """Why a name of the library of CPN Tools is not supported, and what to do; None when it is not known at all."""
    head, _, last = name.partition(".")
    if name in _REFERENCES:
        return CHANGES, "keep the value in a place of its own"
    if name in _RANDOM or last == "ran":
        return "it gives a random value", RANDOM_ADVICE
    if name in _SURROUNDINGS or last.startswith(("input_", "output_")):
        return "it reads or writes something outside the net", "remove it: an inscription only computes"
    for what, structures in _STRUCTURES.items():
        if head in structures or head.startswith("CPN'"):
            return f"it belongs to {what}", "remove it: an inscription only computes"
    return None
