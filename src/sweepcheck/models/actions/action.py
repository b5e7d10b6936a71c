"""One action of a model, and all its runs from a state."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sweepcheck.core.model import Label
from sweepcheck.errors import ModelError, SweepcheckError, place
from sweepcheck.models.actions.choice import Disabled, current
from sweepcheck.models.actions.draft import Choices, Draft, unknown_variable


@dataclass(frozen=True, slots=True)
class Action:
    """A named function on drafts. `arguments` are the family parameters it stands for: `eat(i=2)`."""

    name: str
    function: Callable[..., object]
    arguments: tuple[tuple[str, Hashable], ...] = ()

    def __str__(self) -> str:
        return str(Label(self.name, self.arguments))

    def runs(self, values: tuple[Any, ...], draft_type: type[Draft]) -> Iterator[tuple[Label, tuple[Any, ...]]]:
        """Every enabled run of the action from a state: its label and the values it leaves behind."""
        keywords = dict(self.arguments)
        choices = Choices()
        while True:
            draft = draft_type(values, choices)
            token = current.set(draft)
            try:
                returned = self.function(draft, **keywords)
            except Disabled:
                pass
            except Exception as error:
                raise _blame(self, error, draft) from error
            else:
                if returned is not None:
                    raise ModelError(
                        "SC208",
                        f"action {str(self)!r} returned {returned!r}",
                        where=place(self.function),
                        suggestion="an action changes its draft (s.x = ...) and returns nothing",
                    )
                if draft._touched:
                    label = Label(self.name, (*self.arguments, *choices.labels))
                    yield label, tuple(draft._values)
            finally:
                current.reset(token)
                draft.close()
            if not choices.advance():
                return


def _blame(action: Action, error: Exception, draft: Draft) -> SweepcheckError:
    """The error to show for an exception inside an action: its own words, with place and state."""
    where = f"{raised_at(error, action.function)}, action {action}"
    if isinstance(error, AttributeError) and str(error).startswith("'Draft' object has no attribute"):
        error = unknown_variable(str(error).split("'")[3], draft._names)
    if isinstance(error, ModelError):
        error.where = error.where or where
        return error
    return ModelError(
        "SC201",
        f"action {str(action)!r} raised {type(error).__name__}: {error}",
        where=where,
        values=[("traceback", own_traceback(error))],
        suggestion="mend the action; require(...) before what can fail makes it disabled there",
    )


def raised_at(error: BaseException, function: Callable[..., Any]) -> str | None:
    """The innermost line of the function's own file that the exception passed through."""
    code = getattr(function, "__code__", None)
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if code is not None and frame.filename == code.co_filename:
            return f"{Path(frame.filename).name}:{frame.lineno}"
    return place(function)


def own_traceback(error: BaseException) -> str:
    """The traceback of an exception inside a model, without the frames of this package."""
    package = str(Path(__file__).parents[2])
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith(package)]
    lines = [*traceback.format_list(frames), *traceback.format_exception_only(error)]
    return "".join(lines).rstrip()
