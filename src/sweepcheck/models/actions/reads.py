"""What one run of an action read: the variables, and elements of arrays, that it looked at before it wrote them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sweepcheck.core.model import Edge, State
from sweepcheck.core.tabulated import Variable
from sweepcheck.core.values import Array
from sweepcheck.core.watching import WatchedArray
from sweepcheck.models.actions.action import Action
from sweepcheck.models.actions.draft import Choices, Draft


class _Watched(list[Any]):
    """The values of a draft, which note the names of those that are read."""

    __slots__ = ("names", "overwritten", "read", "written")
    names: Sequence[Sequence[str]]
    overwritten: Sequence[bool]
    read: set[str]
    written: set[str]

    def __getitem__(self, index: Any) -> Any:
        value, names = super().__getitem__(index), self.names[index]
        if isinstance(value, Array):
            return WatchedArray(value, lambda position: self._note(names[position]))
        self._note(names[0])
        return value

    def __setitem__(self, index: Any, value: Any) -> None:
        names, before = self.names[index], super().__getitem__(index)
        if isinstance(value, Array):
            pairs = zip(names, value, before, strict=True)
            self.written.update(name for name, one, other in pairs if one is not other)
        elif self.overwritten[index]:
            self.written.add(names[0])
        super().__setitem__(index, value)

    def _note(self, name: str) -> None:
        if name not in self.written:
            self.read.add(name)


class Reader:
    """The actions of a model, which are run again to see what they read."""

    def __init__(self, actions: Iterable[Action], draft: type[Draft], variables: Sequence[Variable]) -> None:
        self._actions, self._draft = actions, draft
        self._names = [one.names for one in variables]
        self._overwritten = [one.kind.is_overwritten for one in variables]

    def of(self, state: State, edge: Edge) -> frozenset[str] | None:
        """What the run that made this edge read in a state; None where no action has such a run."""
        values: Any = state
        read: set[str] = set()

        def watched(values: Sequence[Any], choices: Choices) -> Draft:
            made = self._draft(values, choices)
            made._values = noted = _Watched(values)
            noted.names, noted.overwritten, noted.read, noted.written = self._names, self._overwritten, read, set()
            read.clear()  # of the run before
            return made

        for action in self._actions:
            if edge.label.belongs_to(action.label):
                for made in action.runs(values, watched):
                    if made == edge:
                        return frozenset(read)
        return None
