"""Names of the library as bindings, made when they are first asked for."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from sweepcheck.errors import ModelError
from sweepcheck.models.cpn.ml import dates, library, syntax, types
from sweepcheck.models.cpn.ml.distributions import DISTRIBUTIONS
from sweepcheck.models.cpn.ml.parsing import Parser
from sweepcheck.models.cpn.ml.scope import Binding, TypeBinding, mono, plain_type
from sweepcheck.models.cpn.ml.source import Text, Where
from sweepcheck.models.cpn.ml.spelling import spelt
from sweepcheck.models.cpn.ml.types import KINDS, PLAIN, UNIT, Applied, Data, Scheme, Type, Variable, function, listed

MONTH, WEEKDAY = Data("Date.month", constructors=dates.MONTHS), Data("Date.weekday", constructors=dates.WEEKDAYS)
OPTION, ORDER = Data("option", constructors=("NONE", "SOME")), Data("order", constructors=("LESS", "EQUAL", "GREATER"))
TYPES: dict[str, TypeBinding] = {
    **{name: TypeBinding(0, lambda given=given: given) for name, given in PLAIN.items()},
    "unit": TypeBinding(0, lambda: UNIT),
    "list": TypeBinding(1, listed),
    "ms": TypeBinding(1, listed),
    "timed": TypeBinding(1, types.timed),
    "tms": TypeBinding(1, lambda given: listed(types.timed(given))),
    "option": TypeBinding(1, lambda given: Applied(OPTION, (given,))),
    "order": plain_type(ORDER),
    "time": plain_type(types.INTINF),
    "Date.date": plain_type(Data("Date.date")),
    "Date.month": plain_type(MONTH),
    "Date.weekday": plain_type(WEEKDAY),
    **{name: plain_type(types.INTINF) for name in ("IntInf.int", "LargeInt.int", "ModelTime.time", "Time.time")},
    **{f"{name}.{inner}": TypeBinding(0, lambda inner=inner: PLAIN[inner]) for name, inner in
       (("Int", "int"), ("Real", "real"), ("String", "string"), ("Char", "char"), ("Bool", "bool"))},
    "ref": TypeBinding(1, lambda given: Applied(types.REFERENCE, (given,))),
}  # fmt: skip


@lru_cache(maxsize=4096)
def library_binding(name: str) -> Binding | None:
    """What a name of the library means; None when there is none."""
    found = _constructor(name)
    if found is not None:
        return found
    if name in library.TABLE:
        return _function(name, *library.TABLE[name])
    why = library.refusal(name)
    if why is None:
        return None
    return Binding(name, mono(UNIT), refused=ModelError("SC142", why[0], suggestion=why[1]))


def _function(name: str, given: str, value: Any) -> Binding:
    scheme, shape = signature(given)
    made = Binding(name, scheme, spelt(name), "function" if shape else "value", shape, value=value)
    if name in library.CLOCKED:
        made.clocked, made.is_global = True, False
    if name in DISTRIBUTIONS:
        made.draws = frozenset({name})
    return made


def _constructor(name: str) -> Binding | None:
    element = Variable(1)
    option = Applied(OPTION, (element,))
    found: dict[str, tuple[Scheme, Any, bool]] = {
        "true": (mono(PLAIN["bool"]), True, False),
        "false": (mono(PLAIN["bool"]), False, False),
        "nil": (Scheme((element,), listed(element)), (), False),
        "NONE": (Scheme((element,), option), "NONE", False),
        "SOME": (Scheme((element,), function(element, option)), "SOME", True),
        **{one: (mono(Applied(ORDER)), one, False) for one in ORDER.constructors},
        **{f"Date.{one}": (mono(Applied(of)), one, False) for of in (MONTH, WEEKDAY) for one in of.constructors},
    }
    if name in found:
        scheme, value, has_argument = found[name]
        return Binding(name, scheme, kind="constructor", has_argument=has_argument, value=value)
    plain = name.rpartition(".")[2]
    homes = ("List", "General", "Option", "Date")
    if plain in library.EXCEPTIONS and name in (plain, *(f"{home}.{plain}" for home in homes)):
        argument = library.EXCEPTIONS[plain]
        given: Type = PLAIN["exn"] if argument is None else function(PLAIN[argument], PLAIN["exn"])
        return Binding(name, mono(given), kind="exception", has_argument=argument is not None, value=plain)
    return None


@lru_cache(maxsize=4096)
def signature(given: str) -> tuple[Scheme, tuple[int, ...]]:
    """A type as text, generic in its variables, and how many arguments a function of that type takes."""
    variables: dict[str, Variable] = {}
    found = _meaning(Parser().type(Text(given, Where("", "the library"))), variables)
    shape: list[int] = []
    rest = found
    while isinstance(rest, Applied) and rest.data is types.FUNCTION:
        argument, rest = rest.arguments
        is_product = isinstance(argument, Applied) and types.is_tuple(argument.labels) and len(argument.labels) > 1
        shape.append(len(argument.arguments) if is_product and isinstance(argument, Applied) else 1)
    return Scheme(tuple(variables.values()), found), tuple(shape)


def _meaning(node: syntax.TypeNode, variables: dict[str, Variable]) -> Type:
    if isinstance(node, syntax.FunctionType):
        return function(_meaning(node.argument, variables), _meaning(node.result, variables))
    if isinstance(node, syntax.RecordType):
        return types.record((label, _meaning(part, variables)) for label, part in node.fields)
    if node.name.startswith("'"):
        made = Variable(1, kinds=KINDS.get(node.name), equality=node.name.startswith("''"))
        return variables.setdefault(node.name, made)
    return TYPES[node.name].make(*(_meaning(part, variables) for part in node.arguments))
