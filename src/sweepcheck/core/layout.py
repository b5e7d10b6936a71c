"""How the tool that a model comes from lays out its state space report, so that the two can be compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sweepcheck.core.values import Bag


@dataclass(frozen=True, slots=True)
class ReportLayout:
    """The report of CPN Tools. `places` are the variables of the model by the names that the report has for them.

    `multiset` writes what a variable holds, one kind of token after the other. `heading` names the file.
    """

    heading: str
    places: Mapping[str, str]
    multiset: Callable[[str, Bag], Sequence[str]]


@dataclass(frozen=True, slots=True)
class DrawnModule:
    """A box that stands for another page, by its number, between the places that both have."""

    name: str
    page: int
    places: tuple[str, ...]
    at: tuple[float, float]


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """Where a page of a file has the nodes of a net, by their names; y goes down."""

    name: str
    nodes: Mapping[str, tuple[float, float]]
    modules: tuple[DrawnModule, ...] = ()
