"""Playing nets by hand, and on both engines."""

from __future__ import annotations

from typing import Any

from sweepcheck import Limits, Net, explore
from sweepcheck.models.adoption import adopt

LIMIT = Limits(states=500)


class Play:
    """A net and its marking: what can occur, and what is there."""

    def __init__(self, net: Net) -> None:
        self.model: Any = adopt(net)
        (self.state,) = self.model.initial_states()

    @property
    def labels(self) -> list[str]:
        """The enabled binding elements."""
        return [str(edge.label) for edge in self.model.edges(self.state)]

    @property
    def marking(self) -> dict[str, str]:
        """The places that hold tokens."""
        shown = {name: repr(value) for name, value in self.model.describe(self.state).items()}
        return {name: text for name, text in shown.items() if text != "empty"}

    @property
    def view(self) -> Any:
        """The marking as predicates see it."""
        return self.model.view(self.state)

    def occur(self, *labels: str) -> Play:
        """Let binding elements occur, one after the other."""
        for label in labels:
            found = {str(edge.label): edge.target for edge in self.model.edges(self.state)}
            assert label in found, f"{label} is not among {list(found)}"
            self.state = found[label]
        return self


def counts(net: Net) -> tuple[int, int, int]:
    """States, edges and dead states, the same on both engines."""
    found = []
    for engine in ("reference", "native"):
        report = explore(net, engine=engine, limits=LIMIT)
        assert report.complete
        found.append((report.statistics.states, report.statistics.edges, report.statistics.dead_states))
    assert found[0] == found[1]
    return found[0]
