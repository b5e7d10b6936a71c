"""require, choose and stay: what an action can say beside reading and writing.

An action is run once per alternative of each of its choices. The run in progress is found through a context
variable, so that `choose` needs no argument for it and two threads do not meet.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Hashable, Iterable
from contextvars import ContextVar
from functools import lru_cache
from itertools import islice, pairwise
from types import CodeType, FrameType
from typing import Any, Protocol

from sweepcheck.core.values import Bag, sort_key
from sweepcheck.errors import ModelError

MOST_ALTERNATIVES = 1_000_000


class Disabled(Exception):  # noqa: N818 - not an error: the way a run says "not enabled here"
    """Ends a run of an action that is not enabled."""


class Chooser(Protocol):
    """A run in progress, as the functions below see it."""

    def pick(self, alternatives: tuple[Hashable, ...], name: str | None) -> Any:
        """One of the alternatives; the run is repeated for each of the others."""

    def touch(self) -> None:
        """Make this run an edge even if it changes nothing."""


current: ContextVar[Chooser | None] = ContextVar("current", default=None)


def require(condition: object) -> None:
    """End this run of the action as *disabled* unless the condition is true."""
    if not condition:
        raise Disabled


def stay() -> None:
    """Make this run an edge even if it changes nothing: an explicit self loop."""
    chooser = current.get()
    if chooser is None:
        raise ModelError("SC206", "stay() was called outside an action")
    chooser.touch()


def choose(*alternatives: Any) -> Any:
    """One of the alternatives, each in a run of its own: `choose(iterable)` or `choose(a, b, ...)`.

    Without any alternative the action is disabled.
    """
    chooser = current.get()
    if chooser is None:
        raise ModelError(
            "SC206",
            "choose() was called outside an action",
            suggestion="choose, take and peek belong into actions; predicates and measures only read",
        )
    offered = alternatives[0] if len(alternatives) == 1 else alternatives
    return chooser.pick(distinct(offered), bound_name(sys._getframe(1)))


def distinct(offered: Iterable[Hashable]) -> tuple[Hashable, ...]:
    """The distinct alternatives in the order offered; sets, which have none, in the fixed order of values."""
    if isinstance(offered, Bag):
        return offered.distinct()
    if isinstance(offered, set | frozenset):
        return tuple(sorted(offered, key=sort_key))
    try:
        found = tuple(dict.fromkeys(islice(offered, MOST_ALTERNATIVES + 1)))
    except TypeError as error:
        raise ModelError(
            "SC206",
            f"choose() cannot choose from {offered!r}: {error}",
            suggestion="give it an iterable of hashable values, or two or more alternatives",
        ) from None
    if len(found) > MOST_ALTERNATIVES:
        raise ModelError("SC206", f"choose() was given more than {MOST_ALTERNATIVES:,} alternatives")
    return found


def bound_name(frame: FrameType) -> str | None:
    """The local variable that the call in progress in this frame will be assigned to, if it is a plain one."""
    return _bound_names(frame.f_code).get(frame.f_lasti)


@lru_cache(maxsize=4096)
def _bound_names(code: CodeType) -> dict[int, str]:
    """For every call whose result goes straight into a variable: the call's offsets in the code, and that name."""
    names: dict[int, str] = {}
    instructions = list(dis.get_instructions(code))
    for call, store in pairwise(instructions):
        if call.opname.startswith("CALL") and store.opname.startswith(("STORE_FAST", "STORE_DEREF")):
            # A call in progress may stand at any of its inline cache entries; fused stores name two variables.
            name = str(store.argval[0] if isinstance(store.argval, tuple) else store.argval)
            names.update(dict.fromkeys(range(call.offset, store.offset, 2), name))
    return names
