"""A run of an action in progress: how `choose` and the like find it, how it says that it is disabled, and what a
function may ask of the draft or view it was given, whichever engine made that.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from contextvars import Context, ContextVar, copy_context
from typing import Any, Protocol

from sweepcheck.errors import ModelError, closest, shown


class Disabled(BaseException):  # not an error: the way a run says "not enabled here"
    """Ends a run of an action that is not enabled; passes through any `except Exception` of the action's."""


class Chooser(Protocol):
    """A run in progress, as `require`, `choose` and `stay` see it. Its public names are the model's variables."""

    def _choose(self, alternatives: tuple[Any, ...], distinct: Callable[[Any], tuple[Hashable, ...]]) -> Any:
        """One of the alternatives, or of those in the only one; the run is repeated for each of the others.

        `distinct` gives the different ones in their order, and refuses what cannot be chosen.
        """

    def _touch(self) -> None:
        """Make this run an edge even if it changes nothing."""

    def _is_touched(self) -> bool:
        """Whether this run is an edge so far."""


# Found through a context variable, so that `choose` needs no argument for it and two threads do not meet.
current: ContextVar[Chooser | None] = ContextVar("current", default=None)


def context_with(chooser: Chooser) -> Context:
    """The present context for another thread, which runs the same functions: there they find this chooser."""
    context = copy_context()
    context.run(current.set, chooser)
    return context


def look() -> None:
    """Nothing. Python raises what signals, and other threads, want raised here when some function begins."""


def state_text(state: object, names: Sequence[str]) -> str:
    """A draft or view on one line; every engine writes it by this, since a function may read the text."""
    return " ".join(f"{name}={shown(getattr(state, name))}" for name in names if not name.startswith("\0"))


def closed_draft() -> ModelError:
    """The error for a draft that somebody kept."""
    return ModelError(
        "SC205", "a draft was used after its action had ended", suggestion="keep values, not the draft: x = s.x"
    )


def unknown_variable(name: str, names: Sequence[str]) -> ModelError:
    """The error for a variable that is not declared."""
    if name in ("__copy__", "__deepcopy__", "__setstate__"):
        return ModelError(
            "SC202",
            "a draft cannot be copied",
            suggestion="change the draft itself, s.x = ...; copy values: tuple(s.a), Bag(s.b), Record(s.r)",
        )
    return ModelError("SC202", f"the model has no variable {name!r}", suggestion=closest(name, names))
