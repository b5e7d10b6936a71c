"""Any object with `initial()` and `successors(state)` as a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from types import MappingProxyType
from typing import Any

from sweepcheck.core.measure import Measure
from sweepcheck.core.model import Edge, Label, State
from sweepcheck.core.property import Property
from sweepcheck.errors import ModelError, place
from sweepcheck.models.actions.action import own_traceback, raised_at


class PlainModel:
    """Wraps an object whose `successors(state)` yields `(label, state)`; `initial()` gives one state or a list.

    Predicates get the state itself. Named tuples and dataclasses are shown field by field.
    """

    def __init__(self, model: Any) -> None:
        self._model = model
        self.name: str = str(getattr(model, "name", None) or type(model).__name__)
        self.parameters: Mapping[str, object] = MappingProxyType({})
        self.measure: Measure | None = None
        self.properties: Sequence[Property] = ()

    @property
    def variables(self) -> tuple[str, ...]:
        """The fields of the first initial state."""
        return tuple(self.describe(self.initial_states()[0]))

    def initial_states(self) -> tuple[State, ...]:
        """What `initial()` returns; a list is several states, anything else is one."""
        returned = self._model.initial()
        states = tuple(dict.fromkeys(returned)) if isinstance(returned, list) else (returned,)
        for state in states:
            _check(state, "initial()")
        if not states:
            raise ModelError("SC116", "initial() returned no state")
        return states

    def edges(self, state: State) -> tuple[Edge, ...]:
        """The distinct pairs that `successors(state)` yields."""
        found: dict[Edge, None] = {}
        try:
            for pair in self._model.successors(state):
                if not isinstance(pair, tuple) or len(pair) != 2:
                    raise ModelError(
                        "SC211",
                        f"successors() yielded {pair!r}",
                        values=[("state", repr(state))],
                        suggestion="yield (label, state)",
                    )
                label, target = pair
                _check(target, "successors()")
                found[Edge(label if isinstance(label, Label) else Label(str(label)), target)] = None
        except ModelError:
            raise
        except Exception as error:
            raise ModelError(
                "SC201",
                f"successors() raised {type(error).__name__}: {error}",
                where=raised_at(error, self._model.successors),
                values=[("state", repr(state)), ("traceback", own_traceback(error))],
                suggestion="mend successors()",
            ) from error
        return tuple(found)

    def view(self, state: State) -> Any:
        """The state itself."""
        return state

    def describe(self, state: State) -> dict[str, object]:
        """The fields of a named tuple or dataclass; other states are one value called `state`."""
        named: Any = state
        if is_dataclass(named):
            return {field.name: getattr(named, field.name) for field in fields(named)}
        if hasattr(named, "_asdict"):
            return dict(named._asdict())
        return {"state": state}

    def locate(self, label: Label) -> str | None:  # noqa: ARG002 - one function makes all edges
        """Where `successors` is written."""
        return place(self._model.successors)


def _check(state: Any, source: str) -> None:
    try:
        hash(state)
    except TypeError as error:
        raise ModelError(
            "SC203",
            f"{source} gave {state!r}, which cannot be hashed ({error})",
            suggestion="states are hashable values: tuples, named tuples, frozen dataclasses",
        ) from None
