"""What one run of an action read: the variables, and elements of arrays, that it looked at before it wrote them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sweepcheck.core.model import Edge, State
from sweepcheck.core.tabulated import Variable
from sweepcheck.core.values import Array
from sweepcheck.core.watching import WatchedArray
from sweepcheck.models.actions.action import Action
from sweepcheck.models.actions.draft import Choices, Draft


class _Watched(list[Any]):
    """The values of a draft, which note the names of those that are read."""

    __slots__ = ("read", "variables", "written")
    variables: Sequence[Variable]
    read: set[str]
    written: set[str]

    def __getitem__(self, index: Any) -> Any:
        value, names = super().__getitem__(index), self.variables[index].names
        if isinstance(value, Array):
            return WatchedArray(value, lambda position: self._note(names[position]))
        self._note(names[0])
        return value

    def __setitem__(self, index: Any, value: Any) -> None:
        names, before = self.variables[index].names, super().__getitem__(index)
        if isinstance(value, Array):
            pairs = zip(names, value, before, strict=True)
            self.written.update(name for name, one, other in pairs if one is not other)
        elif self.variables[index].kind.is_overwritten:
            self.written.add(names[0])
        super().__setitem__(index, value)

    def _note(self, name: str) -> None:
        if name not in self.written:
            self.read.add(name)


@dataclass(frozen=True, slots=True)
class Reader:
    """The actions of a model, which are run again to see what they read."""

    actions: Iterable[Action]
    draft: type[Draft]
    variables: Sequence[Variable]

    def of(self, state: State, edge: Edge) -> frozenset[str] | None:
        """What the run that made this edge read in a state; None where no action has such a run."""
        values: Any = state
        read: set[str] = set()

        def watched(values: Sequence[Any], choices: Choices) -> Draft:
            made = self.draft(values, choices)
            made._values = noted = _Watched(values)
            noted.variables, noted.read, noted.written = self.variables, read, set()
            read.clear()  # of the run before
            return made

        for action in self.actions:
            if edge.label.belongs_to(action.label):
                for made in action.runs(values, watched):
                    if made == edge:
                        return frozenset(read)
        return None
