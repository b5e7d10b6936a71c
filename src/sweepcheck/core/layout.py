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
