"""One action of a model, and all its runs from a state."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sweepcheck.core.advice import advice
from sweepcheck.core.model import Label
from sweepcheck.core.running import Disabled, current, unknown_variable
from sweepcheck.errors import ModelError, SweepcheckError, own_traceback, place, raised_at, shown, told
from sweepcheck.models.actions.callables import written
from sweepcheck.models.actions.draft import Choices, Draft

MEND = "mend the action; require(...) before what can fail makes it disabled there"
_ENDINGS: dict[type[BaseException], str] = {
    AssertionError: "require(...) disables the action where a condition fails; an invariant finds states where it does",
    SystemExit: "do not call exit(); require(...) ends a run of the action, an invariant finds bad states",
}


@dataclass(frozen=True, slots=True)
class Action:
    """A named function on drafts. `arguments` are the family parameters it stands for: `eat(i=2)`.

    `fair`: no run ignores it for ever while it stays enabled; "strong": neither if it is enabled again and again.
    `face` makes of a draft the state that the function knows. `source` is what was given as the action, where the
    function only calls it.
    """

    name: str
    function: Callable[..., object]
    arguments: tuple[tuple[str, Hashable], ...] = ()
    fair: bool | str = False
    face: Callable[[Any], Any] | None = None
    source: Callable[..., object] | None = None

    @property
    def label(self) -> Label:
        """What the labels of its edges begin with."""
        return Label(self.name, self.arguments)

    def __str__(self) -> str:
        return str(self.label)

    @property
    def unit(self) -> Label:
        """What it is a part of, where several actions are one."""
        return self.label

    @property
    def names(self) -> tuple[str, ...]:
        """The names that stand for it: its own, and that of its family."""
        return self.name, str(self)

    @property
    def written(self) -> Callable[..., object]:
        """What the modeller gave as the action."""
        return self.function if self.source is None else self.source

    @property
    def place(self) -> str | None:
        """Where it is written."""
        return place(self.function) or place(written(self.written))

    def runs(
        self, values: tuple[Any, ...], draft_type: Callable[..., Draft]
    ) -> Iterator[tuple[Label, tuple[Any, ...]]]:
        """Every enabled run of the action from a state: its label and the values it leaves behind."""
        choices = Choices()
        while True:
            draft = draft_type(values, choices)
            edge = None
            token = current.set(draft)
            try:
                label = self.fire(draft)
                if label is not None:
                    edge = label, tuple(draft._values)
            except Disabled:
                pass
            except MemoryError:  # the end of a run, and not the action's fault
                raise
            except (Exception, SystemExit) as error:
                raise self.blame(error, draft._names) from error
            finally:
                current.reset(token)
                draft._close()
            if edge is not None:  # handed over when the run has ended, so that nothing else runs inside it
                yield edge
            if not choices.advance():
                return

    def fire(self, draft: Draft) -> Label | None:
        """Run the function once; the edge's label, or None when the run is disabled."""
        returned = self.function(draft if self.face is None else self.face(draft), **dict(self.arguments))
        if returned is not None:
            raise self.returned(returned)
        return Label(self.name, (*self.arguments, *draft._choices.labels)) if draft._touched else None

    def returned(self, value: object) -> ModelError:
        """The error for a function that returns a value."""
        return ModelError(
            "SC208",
            f"action {str(self)!r} returned {shown(value)}",
            where=self.place,
            suggestion="an action changes its draft (s.x = ...) and returns nothing; "
            "require(condition) says when it is possible",
        )

    def blame(self, error: BaseException, variables: Sequence[str]) -> SweepcheckError:
        """The error to show for an exception inside the action: its own words, with place and state."""
        where = f"{raised_at(error, self.function)}, action {self}"
        if isinstance(error, AttributeError) and str(error).startswith("'Draft' object has no attribute"):
            error = unknown_variable(str(error).split("'")[3], variables)
        if isinstance(error, SweepcheckError):
            return error.add(where=where)
        return ModelError(
            "SC201",
            f"action {str(self)!r} raised {told(error)}",
            where=where,
            values=[("traceback", own_traceback(error))],
            suggestion=advice(error, variables) or _ENDINGS.get(type(error), MEND),
        )
