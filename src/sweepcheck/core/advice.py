"""What to do about an exception in a function of the user's, where the exception tells what was meant."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection
from dataclasses import FrozenInstanceError
from difflib import get_close_matches

from sweepcheck.core.structures import SAID_OTHERWISE, Set
from sweepcheck.core.values import Array, Bag, Queue

# How values that cannot be changed are replaced.
_REPLACED: dict[type, str] = {
    frozenset: "a frozenset is replaced, not changed: s.x = s.x | {v} adds v, s.x = s.x - {v} removes it",
    tuple: "a tuple is replaced, not changed: s.x = (*s.x, v); Queue([...]) and Array([...]) are variables to change",
    str: "text is replaced, not changed: s.x = s.x + v",
    bytes: "bytes are replaced, not changed: s.x = s.x + v",
}
# Methods that change a list, a dictionary or a set.
CHANGES = {"add", "append", "appendleft", "clear", "discard", "extend", "extendleft", "insert", "pop", "popitem"}
CHANGES |= {"popleft", "remove", "reverse", "setdefault", "sort", "update"}
_COLOURS = ("lists", "record", "subset", "timed", "union")  # those that stand in the module `colours`
_STATE = ("Draft", "View", "Marking")  # what functions of the user's get, by the names that Python's messages use
_SEVERAL = r"(Bag|Queue|Array|Timed)(Editor)?|Single"  # what holds several values, or a place's one token
_ROW = "row = list(s.x[i]); row[j] = v; s.x[i] = Array(row)"


def advice(error: BaseException, variables: Collection[str] = ()) -> str | None:
    """What to do; None where the exception may mean anything. `variables` are those of the model."""
    if isinstance(error, NameError):
        return _about_name(_quoted(error), variables)
    if isinstance(error, ImportError):
        return _about_import(error)
    if isinstance(error, AttributeError):
        return _about_attribute(error, variables)
    if isinstance(error, TypeError):
        return _about_type(str(error), while_acting=bool(variables))
    return None


def _public_names() -> list[str]:
    names: list[str] = sys.modules[__name__.partition(".")[0]].__all__
    return names


def _missing_import(name: str) -> str | None:
    """How to get a name that is used without having been imported."""
    public = _public_names()
    if name in public:
        return f"import it: from sweepcheck import {name}"
    if name in _COLOURS:
        return f"import the colours, from sweepcheck import colours, and write colours.{name}"
    if name in sys.stdlib_module_names:
        return f"import it: import {name}"
    near = get_close_matches(name, public, n=1, cutoff=0.8)
    return f"did you mean {near[0]}? it comes with: from sweepcheck import {near[0]}" if near else None


def _quoted(error: BaseException) -> str:
    """The name that a message of Python's is about."""
    found = re.search(r"'([^']*)'", str(error))
    return "" if found is None else found[1]


def _about_name(name: str, variables: Collection[str]) -> str:
    if name in variables:
        return f"{name!r} is a variable of the model, and read and written through the state: s.{name}"
    return _missing_import(name) or f"define or import {name!r} before this line, or quote it where text is meant"


def _about_import(error: ImportError) -> str | None:
    if isinstance(error, ModuleNotFoundError):
        return "did you mean sweepcheck?" if get_close_matches(str(error.name), ["sweepcheck"]) else None
    name, public = _quoted(error), _public_names()
    if error.name != "sweepcheck":
        return None
    if name in _COLOURS:
        return _missing_import(name)
    near = get_close_matches(name, public, n=1)
    return f"did you mean {near[0]}?" if near else f"sweepcheck has: {', '.join(public)}"


def _about_attribute(error: AttributeError, variables: Collection[str]) -> str | None:
    if isinstance(error, FrozenInstanceError):
        return "values are replaced, not changed: s.x = dataclasses.replace(s.x, ...)"
    if isinstance(error.obj, Set) and error.name in SAID_OTHERWISE:
        return f"write {SAID_OTHERWISE[error.name].format(set='s.x')}"
    if isinstance(error.obj, Bag | Queue | Array):
        return "inside another value it is a value too, and replaced, not changed: s.x[i] = s.x[i] + Bag([token])"
    if error.name in variables and hasattr(error.obj, "initial_states"):  # the model, meant to be a state of it
        return f"variables are read and written through the state, the function's first parameter: s.{error.name}"
    if "set attribute" in str(error):  # Python's words for the fields of named tuples and the members of enumerations
        return "values are replaced, not changed: s.x = s.x._replace(field=v) for a named tuple, else s.x = ..."
    changed = (suggestion for kind, suggestion in _REPLACED.items() if isinstance(error.obj, kind))
    return next(changed, None) if error.name in CHANGES else None


def _about_type(message: str, while_acting: bool) -> str | None:
    named = re.search(
        r"'(\w+)' object (does not support item (assignment|deletion)|is not (subscriptable|iterable))", message
    )
    if named is not None and named[1] in _STATE:
        return 'variables are attributes of the state: s.x, not s["x"]; getattr(s, name) for a name that is computed'
    if named is not None and named[1] == "Bag":
        return (
            "a bag has no order to index it by: iterate over it, ask `x in s.b` or s.b.count(x); .token is its only one"
        )
    if message == "'tuple' object is not callable" and not while_acting:
        return "m.actions and m.properties are what has been declared; @m.action and m.invariant(...) declare"
    if "does not support item assignment" in message and "'Array'" in message:
        return f"an array within a value is replaced as a whole: {_ROW}; or use one array, s.x[i * width + j] = v"
    if "does not support item assignment" in message:
        return "values are replaced, not changed; declare the variable as Array([...]) to assign its elements"
    if re.search(rf"not supported between instances of .*'({_SEVERAL})'", message):
        return "compare how many there are, len(s.x) < 3, or the token of a place that holds one, m.P.token < 3"
    if re.search(r"unsupported operand type\(s\) for \+: .*'Set'", message):
        return "sets are joined by |: s.x | {1, 2}"
    if re.search(r"Editor'", message):
        return "as values of their own: Bag(s.x), Set(s.x), Record(s.x), and tuple(s.x) of a queue or an array"
    if re.search(rf"unsupported operand .*'({_SEVERAL})'", message):
        return (
            "compute with how many there are, len(s.x) + 1, or with the token of a place that holds one, m.P.token + 1"
        )
    return None
