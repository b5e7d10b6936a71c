"""What the engines ask of a model: initial states, labelled edges, and a view for predicates.

`System` is the narrow waist between front-ends (plain Python actions, nets, processes) and engines.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from sweepcheck.core.prepared import Prepared
from sweepcheck.text import value_text

if TYPE_CHECKING:
    from sweepcheck.core.measure import Measure
    from sweepcheck.core.property import Property

State = Hashable


class Label(NamedTuple):
    """The name of an edge: an action with its parameters and choices, in order; a choice may be nameless."""

    action: str
    arguments: tuple[tuple[str | None, Hashable], ...] = ()

    def __str__(self) -> str:
        if not self.arguments:
            return self.action
        words = (value_text(value) if name is None else f"{name}={value_text(value)}" for name, value in self.arguments)
        return f"{self.action}({', '.join(words)})"

    def belongs_to(self, action: Label) -> bool:
        """Whether this is an edge of an action, which is given by its name and family parameters alone."""
        return self.action == action.action and self.arguments[: len(action.arguments)] == action.arguments


class Edge(NamedTuple):
    """One labelled step out of a state."""

    label: Label
    target: State


class System(Prepared, Protocol):
    """A model as an engine sees it, with the capabilities that planner and reports ask for."""

    @property
    def name(self) -> str: ...
    @property
    def parameters(self) -> Mapping[str, object]: ...
    @property
    def variables(self) -> tuple[str, ...]: ...
    @property
    def measure(self) -> Measure | None: ...
    @property
    def properties(self) -> Sequence[Property]: ...
    def initial_states(self) -> Sequence[State]:
        """The distinct initial states, in a fixed order."""

    def edges(self, state: State) -> Sequence[Edge]:
        """The distinct edges (label and target) out of a state, in a fixed order."""

    def view(self, state: State) -> Any:
        """The state as predicates and measures read it."""

    def describe(self, state: State) -> dict[str, object]:
        """The state as variables and values, for people."""

    def locate(self, label: Label) -> str | None:
        """Where the edge's action is written, as `file.py:12`."""
