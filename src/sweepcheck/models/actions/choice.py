"""require, choose and stay: what an action can say beside reading and writing.

An action is run once per alternative of each of its choices.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator
from functools import lru_cache
from itertools import chain, islice, pairwise
from types import BuiltinMethodType, CodeType, FrameType, FunctionType, MethodType
from typing import Any

from sweepcheck.core.declaration import holds_truths
from sweepcheck.core.instructions import instructions
from sweepcheck.core.running import Chooser, Disabled, current
from sweepcheck.core.values import Bag, alike, sort_key, unfit, unlike
from sweepcheck.errors import ModelError, caller, shown, told

MOST_ALTERNATIVES = 1_000_000
MANY = 64  # alternatives: fewer are looked at every time, unless they are a range
_KEPT = (tuple, frozenset, list)
_CONDITIONS = frozenset({bool, int, str})  # as most are: looked up sooner than what they might be instead
_ALWAYS_TRUE = (FunctionType, MethodType, BuiltinMethodType, Iterator)
MOST_OFFERS = 64  # kept: each may be large


def require(condition: object) -> None:
    """End this run of the action as *disabled* unless the condition is true."""
    if not condition:
        running("require")
        raise Disabled
    if type(condition) not in _CONDITIONS:
        check_condition(condition)


def check_condition(condition: object) -> None:
    """Refuse what is true in every state: a forgotten call, a forgotten all(), or a condition with a message."""
    with_message = type(condition) is tuple and tuple(map(type, condition)) == (bool, str)
    if with_message or isinstance(condition, _ALWAYS_TRUE) or holds_truths(condition):
        raise ModelError(
            "SC210",
            f"require() was given {shown(condition)}, which is always true",
            suggestion="give it one condition: is a call's () or an all(...) missing?",
        )


def stay() -> None:
    """Make this run an edge even if it changes nothing: an explicit self loop."""
    running("stay")._touch()


def choose(*alternatives: Any) -> Any:
    """One of the alternatives, each in a run of its own: `choose(iterable)` or `choose(a, b, ...)`.

    Without any alternative the action is disabled.
    """
    chooser = current.get() or running("choose")  # nothing between, since choices are made millions of times
    return chooser._choose(alternatives, distinct)


def running(function: str) -> Chooser:
    """The run in progress, which the function of this name needs."""
    chooser = current.get()
    if chooser is None:
        raise ModelError(
            "SC206",
            f"{function}() was called outside an action",
            where=caller(),
            suggestion="predicates and measures only read and return; initial values are listed: m.initial(x=[1, 2])",
        )
    return chooser


def distinct(offered: Iterable[Hashable]) -> tuple[Hashable, ...]:
    """The distinct alternatives in the order offered; sets, which have none, in the fixed order of values."""
    if isinstance(offered, Bag):
        return offered.distinct()
    if type(offered) is range and len(offered) <= MOST_ALTERNATIVES:
        return tuple(offered)
    if isinstance(offered, set | frozenset):
        offered = sorted(offered, key=sort_key)
    try:
        iterator = iter(offered)
    except TypeError:
        raise ModelError(
            "SC212",
            f"choose() was given {shown(offered)}, which is one value and no alternatives",
            suggestion="write choose(a, b, ...), or choose(iterable): choose(range(3)) is 0, 1 or 2",
        ) from None
    found = list(islice(iterator, MOST_ALTERNATIVES + 1))
    if len(found) > MOST_ALTERNATIVES:
        raise ModelError(
            "SC212",
            f"choose() was given more than {MOST_ALTERNATIVES:,} alternatives",
            suggestion="choose from finitely many values; does the iterable ever end?",
        )
    if is_uniform(found):
        return tuple(dict.fromkeys(found))
    firsts: dict[Hashable, Hashable] = {}
    try:
        for one in found:
            if (why := unfit(one)) is not None:
                raise _no_alternative(one, why)
            if not alike(first := firsts.setdefault(one, one), one):
                raise unlike("choose()", first, one)
    except (ModelError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - whatever an __eq__ of the user's may raise
        raise _no_alternative(found, f"cannot be compared ({told(error)})") from None
    return tuple(firsts)


def is_uniform(values: Collection[Any]) -> bool:
    """Whether all are of one of Python's types, or tuples of such, so that any two of them that are equal are alike."""
    types = set(map(type, values))
    if types == {tuple}:
        types = set(map(type, chain.from_iterable(values)))
    return len(types) <= 1 and types <= {int, bool, str}


def _no_alternative(offered: object, why: str) -> ModelError:
    return ModelError(
        "SC212",
        f"choose() was given {shown(offered)}, which {why}",
        suggestion="choose between values: tuples instead of lists, frozensets instead of sets",
    )


class Offers:
    """What each `choose` with many alternatives was last offered, and the distinct ones among these.

    An action is run once per alternative, and offers all of them every time. To look at all every time would make a
    hundred thousand of them take hours. (The native engine has its own.)
    """

    def __init__(self) -> None:
        self._last: dict[tuple[CodeType, int], tuple[Any, int, object, tuple[Hashable, ...]]] = {}

    def distinct(self, offered: Any, frame: FrameType, run: object) -> tuple[Hashable, ...]:
        """The distinct alternatives: the tuple of last time, which is recognised as such, if the same were offered."""
        kind = type(offered)
        if kind is not range and (kind not in _KEPT or len(offered) < MANY):
            return distinct(offered)
        call = frame.f_code, frame.f_lasti
        last, length, before, found = self._last.get(call, (None, 0, None, ()))
        # A list of the run's own may have changed since; one that another run offered too lies outside.
        same = last == offered if kind is range else last is offered and (kind is not list or before is not run)
        if same and len(offered) == length:
            return found
        found = distinct(offered)
        if len(self._last) >= MOST_OFFERS:
            self._last.clear()
        self._last[call] = offered, len(offered), run, found
        return found


OFFERS = Offers()


def bound_name(frame: FrameType) -> str | None:
    """The local variable that the call in progress in this frame will be assigned to, if it is a plain one."""
    return _bound_names(frame.f_code).get(frame.f_lasti)


@lru_cache(maxsize=4096)
def _bound_names(code: CodeType) -> dict[int, str]:
    """For every call whose result goes straight into a variable: the call's offsets in the code, and that name."""
    names: dict[int, str] = {}
    for call, store in pairwise(instructions(code)):
        if call.opname.startswith("CALL") and store.opname.startswith(("STORE_FAST", "STORE_DEREF")):
            # A call in progress may stand at any of its inline cache entries; fused stores name two variables.
            name = str(store.argval[0] if isinstance(store.argval, tuple) else store.argval)
            names.update(dict.fromkeys(range(call.offset, store.offset, 2), name))
    return names
