"""What functions of a model have from outside: tables, constants and helpers that all threads look at.

Python counts how often each object is referred to. Where several threads run the same functions, each waits for the
others' counts of what they share. So the core has these objects counted no more.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from types import FunctionType, MethodType

from sweepcheck.engines.native.arithmetic import outside

MOST = 1 << 14  # objects: whoever has larger tables looks at the same of them less often


def outsides(functions: Iterable[object]) -> list[object]:
    """The functions, what they have from outside, and what that is made of."""
    found: dict[int, object] = {}
    left = list(functions)
    while left and len(found) < MOST:
        one = left.pop()
        if id(one) not in found:
            found[id(one)] = one
            left.extend(_inside(one))
    return list(found.values())


def _inside(one: object) -> Iterable[object]:
    if isinstance(one, FunctionType):
        return outside(one)
    if isinstance(one, MethodType):
        return (one.__func__, one.__self__)
    if isinstance(one, partial):
        return (one.func, *one.args, *one.keywords.values())
    if type(one) is dict:
        return (*one.keys(), *one.values())
    return list(one) if isinstance(one, tuple | frozenset | list | set) else ()
