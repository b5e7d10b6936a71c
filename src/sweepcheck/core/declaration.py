"""What every property, every measure and every flag is held against when it is given."""

from __future__ import annotations

import inspect
from itertools import pairwise
from typing import Any

from sweepcheck.core.captured import note
from sweepcheck.core.instructions import instructions
from sweepcheck.errors import ModelError, RequestError, caller, place, shown

_COLLECTIONS = (list, tuple, set, frozenset)
MOST_AMOUNT = 2**63 - 1  # of anything that is counted: states, seconds, bytes


def check_name(name: object, what: str) -> None:
    """Refuse a name that is not text."""
    if not isinstance(name, str):
        raise ModelError(
            "SC117",
            f"the name of {what} is {shown(name)}, which is not text",
            where=caller(),
            suggestion='give it a name, and first: m.invariant("name", lambda s: ...); deadlock(final=lambda s: ...)',
        )


def texts(given: object, what: str, code: str) -> tuple[str, ...]:
    """Names that were given, one or several of them; refused where they are not text."""
    names: list[str] = []
    for name in [given] if isinstance(given, str) else listed(given, what, code):
        if not isinstance(name, str):
            raise ModelError(
                code, f"{what}: {shown(name)} is not text", where=caller(), suggestion='give names: "open", "close"'
            )
        names.append(name)
    return tuple(names)


def listed(given: object, what: str, code: str) -> list[object]:
    """What was given as a list; refused where it is none."""
    try:
        return list(given)  # type: ignore[call-overload, no-any-return]
    except TypeError:
        kind = ModelError if not code.startswith("SC4") else RequestError
        raise kind(
            code,
            f"{what}: {shown(given)} is not a list",
            where=caller(),
            suggestion="give a list",
        ) from None


def amount(asked: object, what: str, kind: str = "whole number", least: int = 1) -> int:
    """A number of something, as far as anything can be counted."""
    if type(asked) is int and least <= asked <= MOST_AMOUNT:
        return asked
    too_many = isinstance(asked, int | float) and asked > MOST_AMOUNT
    suggestion = f"give at most {MOST_AMOUNT}, or leave it out" if too_many else f"give a {kind}, {least} or more"
    raise RequestError("SC403", f"{what.format(shown(asked))} is not possible", suggestion=suggestion)


def check_flag(flag: object, name: str, code: str = "SC403") -> None:
    """Refuse what is neither True nor False: a text such as "no" would count as true, or be overlooked.

    `code` is that of the declaration the flag belongs to, by default that of an option.
    """
    if not isinstance(flag, bool):
        kind = RequestError if code == "SC403" else ModelError
        raise kind(
            code,
            f"{name} was given {shown(flag)}, which is neither True nor False",
            where=caller(),
            suggestion=f"write {name}=True, or leave it out",
        )


def check_step_function(function: object, what: str) -> None:
    """Refuse what is not a function of the two states of a step, and perhaps its action."""
    _check_callable(function, what)
    if takes_action(function) is None:
        raise ModelError(
            "SC117",
            f"{what} is not a function of two states",
            where=place(function) or caller(),  # type: ignore[arg-type]
            suggestion="give a function of both ends of a step: lambda old, new: new.x >= old.x,\n"
            'and of its action, if need be: lambda old, new, action: action == "send" or new.x == old.x',
        )


def takes_action(function: Any) -> bool | None:
    """Whether a function of two states also wants the action; None if it is no such function."""
    code = getattr(function, "__code__", None)
    if code is not None and code.co_argcount == 2 and not inspect.ismethod(function):  # most are, and are asked often
        return False
    try:
        signature = inspect.signature(function)
    except ValueError:  # a built-in function that does not tell its signature
        return False
    for given, found in (((None, None), False), ((None, None, None), True)):
        try:
            signature.bind(*given)
        except TypeError:
            continue
        return found
    return None


def _check_callable(function: object, what: str) -> None:
    if not callable(function):
        raise ModelError(
            "SC117",
            f"{what} is {shown(function)}, which is not a function",
            where=caller(),
            suggestion="give a function of the state: lambda s: s.x > 0",
        )
    note(function)


def check_fairness(given: object, code: str, where: str | None = None) -> None:
    """Refuse what is no fairness of an action: True and False, or "strong"."""
    if not isinstance(given, bool) and given != "strong":
        raise ModelError(
            code,
            f'fair was given {shown(given)}, which is neither True nor False nor "strong"',
            where=where or caller(),
            suggestion='write fair=True or fair="strong", or leave it out; a family\'s parameter needs another name',
        )


def check_predicate(function: object, what: str) -> None:
    """Refuse what is not a function of one state, or returns what is always true."""
    check_function(function, what)
    check_truth(function, what)


def check_truth(function: object, what: str) -> None:
    """Refuse a predicate that returns a tuple, which is true whatever is in it."""
    code = getattr(function, "__code__", None)
    for made, then in pairwise(() if code is None else instructions(code)):
        if made.opname == "BUILD_TUPLE" and made.arg and then.opname == "RETURN_VALUE":
            raise ModelError(
                "SC210",
                f"{what} returns a tuple, which is always true",
                where=place(function) or caller(),  # type: ignore[arg-type]
                suggestion="return one condition, without a message; join several by `and`",
            )


def holds_truths(value: object) -> bool:
    """Whether a list, tuple or set has truth values in it and nothing else: it is true whatever they are."""
    return type(value) in _COLLECTIONS and bool(value) and all(type(one) is bool for one in value)  # type: ignore[attr-defined]


def check_function(function: object, what: str) -> None:
    """Refuse what is not a function of one state."""
    _check_callable(function, what)
    try:
        inspect.signature(function).bind(None)  # type: ignore[arg-type]
    except TypeError as error:
        raise ModelError(
            "SC117",
            f"{what} is not a function of one state: {error}",
            where=place(function) or caller(),  # type: ignore[arg-type]
            suggestion="give a function with one parameter: lambda s: s.x > 0",
        ) from None
    except ValueError:  # a built-in function that does not tell its signature
        return
