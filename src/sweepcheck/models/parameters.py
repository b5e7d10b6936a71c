"""Parameters typed as text (`-p name=value`), read as what the model's function expects.

A shell knows text only, and what a text means depends on the parameter: `false` is a truth value where the default is
one, and a word where the default is a word. So a parameter is kept as it was `Written` until the function that takes
it is known; then its default and its annotation say how to read it, and a text that fits neither is refused.
"""

from __future__ import annotations

import ast
import collections.abc
import inspect
import math
import operator
import re
import types
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import Enum
from fractions import Fraction
from functools import reduce
from itertools import accumulate
from typing import Any, Literal, Union, get_args, get_origin

from sweepcheck.core.parsing import parsed
from sweepcheck.errors import ModelError, closest, place, shown

TRUTH = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
WORDS = {*TRUTH, "none", "null"} - {"0", "1"}  # words that mean something else than themselves
COLLECTIONS: dict[Any, Any] = {
    tuple: tuple,
    list: list,
    set: set,
    frozenset: frozenset,
    collections.abc.Sequence: tuple,
    collections.abc.Collection: tuple,
    collections.abc.Iterable: tuple,
}
ORDER = (types.NoneType, int, float, Fraction, Decimal, bool)  # in which the kinds of a union are tried; text is last
POWER = re.compile(r"([+-]?[0-9]+)[eE]\+?([0-9]{1,3})")  # 1e9, which people mean as a whole number too
SEVERAL = re.compile(r"-?\d+(\.\.-?\d+|(,\s*-?\d+)+)")  # values of a grid
EXPONENT = re.compile(r"[eE][+-]?[0-9_]{4,}")  # a fraction with such a power of ten would fill the memory
LONGEST_LITERAL = 10_000  # characters
LONGEST_COLLECTION = 200_000  # more than a shell passes on; a saved trace may say anything
ANYTHING = (Any, object, inspect.Parameter.empty)

Reader = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Written:
    """A parameter as it was typed; what it means depends on who takes it.

    One that was saved with a trace may be left out: what cannot be read back keeps its default.
    """

    text: str
    saved: bool = False

    def __str__(self) -> str:
        return self.text


class _Misfit(Exception):  # noqa: N818 - turned into an error by whoever knows the parameter's name
    """A text is not what is expected, which this says."""


def parse_parameters(texts: tuple[str, ...]) -> dict[str, object]:
    """`name=value` texts by name; `load` gives them their meaning."""
    parsed: dict[str, object] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip()
        if not equals or not name.isidentifier():
            raise ModelError("SC105", f"{text!r} is not a parameter", suggestion="write -p name=value")
        if name in parsed:
            raise ModelError(
                "SC105",
                f"parameter {name!r} is given twice",
                values=[("first", str(parsed[name])), ("then", value)],
                suggestion="leave out one of the two",
            )
        if value.strip().startswith(("[", "(", "{", "'", '"')):
            _well_formed(name, value)
        parsed[name] = Written(value)
    return parsed


def _well_formed(name: str, value: str) -> None:
    """Refuse a bracket or a quotation mark that is not closed: most often the shell has eaten the other half."""
    try:
        parsed(value.strip(), "eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ModelError(
            "SC105",
            f"the value of parameter {name!r} is not a Python value: {value}",
            suggestion=f"write it as in Python, quoted for the shell: -p '{name}=[1, 2]'",
        ) from None


def read_parameters(factory: Callable[..., object], given: Mapping[str, object]) -> dict[str, object]:
    """The parameters of a function, those that were typed as what it expects; those it does not have stay text."""
    for name in given:
        if not isinstance(name, str):
            raise ModelError("SC105", f"{shown(name)} is not the name of a parameter", suggestion="names are text")
    expected = _signature(factory).parameters
    rest = next((one for one in expected.values() if one.kind is one.VAR_KEYWORD), None)
    read: dict[str, object] = {}
    for name, value in given.items():
        parameter = expected.get(name, rest)
        if not isinstance(value, Written):
            read[name] = value
        elif parameter is None:
            read[name] = value.text
        elif not value.saved:
            read[name] = read_as(name, value, parameter.annotation, parameter.default, place(factory))
        elif (recovered := _recovered(value, parameter)) is not _NO_LITERAL:
            read[name] = recovered
    return read


def _recovered(value: Written, parameter: inspect.Parameter) -> object:
    """The value that a saved text stands for; it need not be of the kind that is expected of one who types."""
    try:
        return _reader(parameter.annotation, parameter.default)(value.text)
    except _Misfit:
        return _literal(value.text)


def read_as(name: str, value: Written, annotation: Any, default: Any, where: str | None) -> object:
    """A text as the value of a parameter with this annotation and default, either of which may be `Parameter.empty`."""
    try:
        return _reader(annotation, default)(value.text)
    except _Misfit as misfit:
        expected, suggestion = misfit.args
        raise ModelError(
            "SC105",
            f"parameter {name!r} was given {shown(value.text)}, which is not {expected}",
            where=where,
            values=[] if default is inspect.Parameter.empty else [("default", shown(default))],
            suggestion=suggestion.format(name=name),
        ) from None


def _signature(factory: Callable[..., object]) -> inspect.Signature:
    """A signature with its annotations evaluated where they can be."""
    try:
        return inspect.signature(factory, eval_str=True)
    except Exception:  # noqa: BLE001 - an annotation of the user's may name anything
        return inspect.signature(factory)


def _reader(annotation: Any, default: Any) -> Reader:
    """How a parameter is read: as its default's kind or as its annotation says, whichever fits first.

    Where there is an annotation, a default that is text says nothing more: every text would fit it.
    """
    said: list[Any] = [annotation] if _is_readable(annotation) else []
    if default is None and said:
        said.append(None)
    elif default is not None and default is not inspect.Parameter.empty and not (said and isinstance(default, str)):
        said.insert(0, _kind_of(default))
    return _union(said) if said else _untyped


def _is_readable(kind: Any) -> bool:
    """Whether an annotation tells how to read a text."""
    if any(kind is one for one in ANYTHING):
        return False
    return kind is None or isinstance(kind, type) or get_origin(kind) is not None


def _kind_of(default: Any) -> Any:
    """The kind of a default, with that of its elements: what a collection of the same sort may hold."""
    kind = type(default)
    if kind in (tuple, list, set, frozenset):
        element = reduce(operator.or_, dict.fromkeys(map(_kind_of, default))) if default else Any
        return types.GenericAlias(kind, (element, ...) if kind is tuple else (element,))
    return kind


def _union(kinds: list[Any]) -> Reader:
    """The first kind that a text fits; text, which everything fits, is tried last."""
    flat: dict[Any, None] = {}
    for kind in kinds:
        inner = get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)
        flat.update(dict.fromkeys(types.NoneType if one is None else one for one in inner))
    ranks = {kind: rank for rank, kind in enumerate(ORDER)} | {str: len(ORDER) + 1}
    ordered = sorted(flat, key=lambda kind: ranks.get(kind, len(ORDER)))
    if len(ordered) == 1:
        return _single(ordered[0])

    def read(text: str) -> object:
        misfits = []
        for kind in ordered:
            try:
                return _single(kind)(text)
            except _Misfit as misfit:
                misfits.append(misfit)
        wanted = " or ".join(dict.fromkeys(misfit.args[0] for misfit in misfits))
        raise _Misfit(wanted, misfits[0].args[1] if misfits[0].args[0] != "None" else misfits[-1].args[1])

    return read


def _single(kind: Any) -> Reader:
    """How a text is read as one kind of value."""
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return _union([kind])
    if kind in ANYTHING:
        return _untyped
    if origin is Literal:
        return lambda text: _among(text, {str(one): one for one in get_args(kind)})
    if (origin or kind) in COLLECTIONS:
        return lambda text: _collection(text, COLLECTIONS[origin or kind], get_args(kind))
    if kind in _READERS:
        return _READERS[kind]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return lambda text: _member(text, kind)
    return lambda text: _other(text, origin if isinstance(origin, type) else kind)


def _none(text: str) -> None:
    if text.strip().lower() != "none":
        raise _Misfit("None", "write -p {name}=None")


def _truth(text: str) -> bool:
    if text.strip().lower() not in TRUTH:
        raise _Misfit("a truth value", "write -p {name}=true or -p {name}=false (yes, no, on and off will do)")
    return TRUTH[text.strip().lower()]


def _whole(text: str) -> int:
    value = _literal(text)
    if power := POWER.fullmatch(text.strip()):
        value = int(power[1]) * 10 ** int(power[2])
    if type(value) is not int:
        if SEVERAL.fullmatch(text.strip()):
            raise _Misfit("a whole number", "give one; `sweepcheck grid` runs a model with several: 2..8, or 1,2,4")
        raise _Misfit("a whole number", "write -p {name}=3; a parameter annotated as float takes other numbers too")
    return value


def _number(text: str) -> float:
    try:
        value = float(text) if text.isascii() else math.nan
    except ValueError:
        value = math.nan
    if math.isnan(value) or (math.isinf(value) and "inf" not in text.lower()):
        raise _Misfit("a number", "write -p {name}=0.5")
    return value


def _fraction(text: str) -> Fraction:
    try:
        if EXPONENT.search(text):
            raise OverflowError
        return Fraction(*_arguments(text, "Fraction"))
    except (ValueError, TypeError, ZeroDivisionError, OverflowError):
        raise _Misfit("a fraction", "write -p {name}=1/3") from None


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(*_arguments(text, "Decimal"))
    except (InvalidOperation, ValueError, TypeError):
        raise _Misfit("a decimal number", "write -p {name}=0.1") from None


def _text(text: str) -> str:
    """Text stays as it was typed; in quotation marks, it is what they enclose."""
    if text.strip()[:1] in ("'", '"'):
        value = _literal(text)
        if isinstance(value, str):
            return value
    return text


_READERS: dict[Any, Reader] = {
    types.NoneType: _none,
    bool: _truth,
    int: _whole,
    float: _number,
    Fraction: _fraction,
    Decimal: _decimal,
    str: _text,
}


def _untyped(text: str) -> object:
    """Nothing is known about the parameter: a Python value, else text.

    A word that stands for a truth value is refused. As text it would be true, whatever it says.
    """
    if text.strip().lower() in WORDS and text.strip() not in ("True", "False", "None"):
        raise _Misfit(
            "clear: it may be a value or a word",
            "write True, False or None, or the word in quotation marks; or give the parameter a default or annotation",
        )
    value = _literal(text)
    return text if value is _NO_LITERAL else value


def _among(text: str, members: Mapping[str, object]) -> object:
    if text.strip() not in members:
        raise _Misfit(f"one of {', '.join(members)}", _escaped(closest(text.strip(), members)))
    return members[text.strip()]


def _member(text: str, kind: type[Enum]) -> object:
    """A member of an enumeration by its name, alone or as Python writes it, or by its value."""
    names: dict[str, object] = {str(one.value): one for one in kind}
    for name, one in kind.__members__.items():
        names |= {name: one, f"{kind.__name__}.{name}": one, repr(one): one}
    if text.strip() in names:
        return names[text.strip()]
    return _among(text, dict(kind.__members__))


def _collection(text: str, kind: type, inside: tuple[Any, ...]) -> object:
    """A collection, with its elements as what they should be."""
    example = "(1, 2)" if kind is tuple else "[1, 2]" if kind is list else "{{1, 2}}"
    misfit = _Misfit(f"a {kind.__name__}", f"write it as in Python, quoted for the shell: -p '{{name}}={example}'")
    text = text.strip()
    if len(text) > LONGEST_COLLECTION:
        raise misfit
    try:
        node = parsed(text, "eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise misfit from None
    empty = isinstance(node, ast.Call | ast.Dict) and ast.unparse(node) in ("set()", "frozenset()", "{}")
    if empty and kind in (set, frozenset):
        return kind()
    if not isinstance(node, ast.Tuple | ast.List | ast.Set) or (isinstance(node, ast.Set) and kind in (tuple, list)):
        raise misfit
    texts = _segments(text, node.elts)
    kinds = _element_kinds(kind, inside, len(texts))
    if kinds is None:
        raise _Misfit(f"a tuple of {len(inside)} elements", f"write -p '{{name}}={example}'")
    try:
        return kind(_single(one)(part) for one, part in zip(kinds, texts, strict=True))
    except TypeError:  # an element of a set that cannot be one
        raise misfit from None


def _segments(text: str, nodes: list[ast.expr]) -> list[str]:
    """The text of each node. The function of `ast` for it goes through the whole text every time."""
    written = text.encode()
    starts = list(accumulate(map(len, written.splitlines(keepends=True)), initial=0))

    def position(line: int | None, column: int | None) -> int:
        return starts[(line or 1) - 1] + (column or 0)

    ranges = ((position(one.lineno, one.col_offset), position(one.end_lineno, one.end_col_offset)) for one in nodes)
    return [written[start:end].decode() for start, end in ranges]


def _element_kinds(kind: type, inside: tuple[Any, ...], count: int) -> list[Any] | None:
    """What each of so many elements should be; None where there cannot be so many."""
    if not inside:
        return [Any] * count
    if kind is tuple and len(inside) > 1 and inside[-1] is not Ellipsis:
        return list(inside) if len(inside) == count else None
    return [inside[0]] * count


def _other(text: str, kind: Any) -> object:
    """Any other kind: a Python value that is one of it."""
    value = _literal(text)
    fits = value is not _NO_LITERAL and (not isinstance(kind, type) or isinstance(value, kind))
    if not fits:
        name = getattr(kind, "__name__", str(kind))
        raise _Misfit(
            f"of type {_escaped(name)}", "such a value cannot be typed; write a function that takes numbers or words"
        )
    return value


_NO_LITERAL = object()


def _literal(text: str) -> object:
    """The value of a Python literal, or a mark that the text is none; it may come from a file."""
    if len(text) > LONGEST_LITERAL:
        return _NO_LITERAL
    try:
        with warnings.catch_warnings(action="ignore"):  # Python's remarks would print pieces of the file
            return ast.literal_eval(text.strip()) if text.isascii() or text.strip()[:1] in "'\"[({" else _NO_LITERAL
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return _NO_LITERAL


def _arguments(text: str, name: str) -> list[Any]:
    """What a number is made of: its text, or the arguments of `Name(...)`, as Python prints it."""
    written = text.strip()
    if written.startswith(f"{name}(") and written.endswith(")"):
        found = _literal(f"[{written[len(name) + 1 : -1]}]")
        return found if isinstance(found, list) else [None]
    return [written if written.isascii() else None]


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
