"""The library of CPN ML: names, their types, and what they compute; and what is refused, with the reason.

A function takes its arguments flat: `(int * 'a) -> 'b list -> 'c` has three.
"""

from __future__ import annotations

from typing import Any

from sweepcheck.models.cpn.ml import basis
from sweepcheck.models.cpn.ml.distributions import DISTRIBUTIONS
from sweepcheck.models.cpn.ml.running import compose, div, divide, mod, scaled, times, without
from sweepcheck.models.cpn.ml.structures import STRUCTURES, Table

_LIST_NAMES = (
    "null", "length", "hd", "tl", "nth", "rev", "app", "map", "foldr", "foldl", "exists", "filter", "tabulate",
)  # fmt: skip

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
    "==": ("''a list * ''a list -> bool", basis.same),
    "<><>": ("''a list * ''a list -> bool", lambda one, other: not basis.same(one, other)),
    "!=": ("''a list * ''a list -> bool", lambda one, other: not basis.same(one, other)),
    "%": ("bool list * 'a -> 'a list", lambda conditions, token: (token,) if all(conditions) else ()),
    "//": ("bool list * 'a list -> 'a list", lambda conditions, tokens: tokens if all(conditions) else ()),
    "<<==": ("''a list * ''a list -> bool", basis.at_most),
    ">>==": ("''a list * ''a list -> bool", lambda one, other: basis.at_most(other, one)),
    "<<=": ("''a list * ''a list -> bool", basis.at_most),
    ">>=": ("''a list * ''a list -> bool", lambda one, other: basis.at_most(other, one)),
    "<<": ("''a list * ''a list -> bool", lambda one, other: basis.at_most(one, other) and not basis.same(one, other)),
    ">>": ("''a list * ''a list -> bool", lambda one, other: basis.at_most(other, one) and not basis.same(one, other)),
    "o": ("('b -> 'c) * ('a -> 'b) -> 'a -> 'c", compose),
    "before": ("'a * 'b -> 'a", lambda one, _: one),
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
    "ms_to_col": ("'a list -> 'a", basis.only),
    "ms_to_list": ("'a list -> 'a list", tuple),
    "list_to_ms": ("'a list -> 'a list", tuple),
    "ext_col": ("('a -> 'b) -> 'a list -> 'b list", basis.mapped),
    "ext_ms": (
        "('a -> 'b list) -> 'a list -> 'b list",
        lambda change, items: basis.joined(basis.mapped(change, items)),
    ),
    "mem": ("''a list -> ''a -> bool", lambda items, item: item in items),
    "rm": ("''a -> ''a list -> ''a list", basis.remove),
    "rmall": ("''a -> ''a list -> ''a list", lambda item, items: tuple(one for one in items if one != item)),
    "ins": ("'a list -> 'a -> 'a list", lambda items, item: (*items, item)),
    "ins_new": ("''a list -> ''a -> ''a list", lambda items, item: items if item in items else (*items, item)),
    "union": ("'a list -> 'a list -> 'a list", lambda one, other: one + other),
    "intersect": ("''a list -> ''a list -> ''a list", basis.common),
    "contains": ("''a list -> ''a list -> bool", lambda items, others: all(one in items for one in others)),
    "contains_all": ("''a list -> ''a list -> bool", basis.contains_all),
    "listsub": ("''a list -> ''a list -> ''a list", basis.subtracted),
    "remdupl": ("''a list -> ''a list", lambda items: tuple(dict.fromkeys(items[::-1]))[::-1]),
    "pos": ("''a -> ''a list -> int", basis.position),
    "fmap": ("('a -> 'b list) -> 'a list -> 'b list", lambda change, items: basis.joined(basis.mapped(change, items))),
    "sort_ms": ("('a * 'a -> bool) -> 'a list -> 'a list", basis.in_order),
    "sort": ("('a * 'a -> bool) -> 'a list -> 'a list", basis.in_order),
    "nthtail": ("'a list * int -> 'a list", basis.drop),
    "valOf": STRUCTURES["Option"]["valOf"],
    "getOpt": STRUCTURES["Option"]["getOpt"],
    "isSome": STRUCTURES["Option"]["isSome"],
    **{name: STRUCTURES["Real"][name] for name in ("round", "floor", "ceil", "trunc")},
    **{name: STRUCTURES["Char"][name] for name in ("ord", "chr")},
    **{name: STRUCTURES["String"][name] for name in ("str", "concat", "explode", "implode", "substring")},
    **{name: STRUCTURES["List"][name] for name in _LIST_NAMES},
}

TABLE: Table = {
    **PLAIN,
    **OPERATORS,
    **DISTRIBUTIONS,
    **{f"{structure}.{name}": entry for structure, table in STRUCTURES.items() for name, entry in table.items()},
    **{f"LargeInt.{name}": entry for name, entry in STRUCTURES["IntInf"].items()},
}
CLOCKED = frozenset({"time", "intTime", "ModelTime.time"})
TABLE["ModelTime.time"] = TABLE["time"]

EXCEPTIONS: dict[str, str | None] = {
    **dict.fromkeys(
        ("Overflow", "Div", "Empty", "Subscript", "Match", "Bind", "Option", "Chr", "Size", "Domain", "Subtract"), None
    ),
    "no_singleton": None,
    "Fail": "string",
    "Date": None,
}

# A reference that nothing changes is a constant. What changes one is refused wherever a run needs it.
CHANGES = "it changes a reference, which no state holds"
REFERENCES = [":=", "inc", "dec", "while"]
_SURROUNDINGS = ["print", "setTime", "readFile", "writeFile", "input_line", "use"]
_CONNECTIONS = ["acceptConnection", "openConnection", "closeConnection", "canReceive", "stringEncode", "stringDecode"]
_STRUCTURES = {
    "a file, the screen or the machine": (
        "TextIO", "BinIO", "OS", "IO", "Posix", "Unix", "Date", "Time", "Timer", "CommandLine", "Socket", "Output",
    ),
    "a library of animation or communication": [
        "MSC", "ConnManagementLayer", "BritneyAnim", "Mimic", "Chart", "Visualize", "Animation",
    ],
    "the simulator": ("Replications", "CPN"),
}  # fmt: skip


def named(name: str) -> Any:
    """A function or value of the library by its name in ML, for nets that were written down in Python."""
    return TABLE[name][1]


def refusal(name: str) -> tuple[str, str] | None:
    """Why a name of the library of CPN Tools is not supported, and what to do; None when it is not known at all."""
    head, _, last = name.partition(".")
    if name in REFERENCES:
        return CHANGES, "keep the value in a place of its own"
    if name in _SURROUNDINGS or last.startswith(("input_", "output_")):
        return "it reads or writes something outside the net", "remove it: an inscription only computes"
    if name in _CONNECTIONS:
        return "it belongs to a library of animation or communication", "remove it: an inscription only computes"
    for what, structures in _STRUCTURES.items():
        if head in structures or head.startswith("CPN'"):
            return f"it belongs to {what}", "remove it: an inscription only computes"
    return None
