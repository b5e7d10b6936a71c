"""What actions cost, by the function they are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sweepcheck.core.plan import ActionStatistics
from sweepcheck.report.report import Report


@dataclass(frozen=True, slots=True)
class Family:
    """The actions made of one function, taken together."""

    name: str
    members: int
    evaluations: int
    edges: int
    seconds: float
    tabulated: int
    observes: tuple[str, ...]
    compares: tuple[str, ...]

    def answered(self, explored: int) -> float:
        """The share of answers that came from tables: one for every state, or for every edge where these are more."""
        asked = max(explored * self.members, self.edges, self.evaluations)
        return 1 - self.evaluations / asked if asked else 0.0


def families(report: Report) -> list[Family]:
    """The actions of a report by function, most expensive first."""
    groups: dict[str, list[ActionStatistics]] = {}
    for action in report.actions:
        groups.setdefault(action.action.partition("(")[0], []).append(action)
    found = [_family(name, members, report.system.variables) for name, members in groups.items()]
    return sorted(found, key=lambda family: (-family.seconds, -family.evaluations, family.name))


def _family(name: str, members: Sequence[ActionStatistics], variables: Sequence[str]) -> Family:
    observed = {variable for member in members for variable in member.observes}
    compared = {variable for member in members for variable in member.compares}
    return Family(
        name,
        len(members),
        sum(member.evaluations for member in members),
        sum(member.edges for member in members),
        sum(member.seconds for member in members),
        sum(member.tabulated for member in members),
        tuple(variable for variable in variables if variable in observed),
        tuple(variable for variable in variables if variable in compared),
    )
