"""Properties: one file is one kind of question and its reference monitor.

The functions here are the one way to make a property. Methods of models, files, flags of the command line and saved
traces all go through them.
"""

from collections.abc import Callable
from typing import Any

from sweepcheck.core.property import Kind, Property
from sweepcheck.properties.always_eventually import AlwaysEventuallyMonitor, always_eventually
from sweepcheck.properties.always_possible import AlwaysPossibleMonitor, always_possible
from sweepcheck.properties.ctl import CtlMonitor, ctl
from sweepcheck.properties.deadlock import DeadlockMonitor, deadlock
from sweepcheck.properties.invariant import InvariantMonitor, invariant
from sweepcheck.properties.leads_to import LeadsToMonitor, leads_to
from sweepcheck.properties.ltl import eventually, ltl, ltl_monitor
from sweepcheck.properties.monitor import Monitor
from sweepcheck.properties.never import never
from sweepcheck.properties.reachable import ReachableMonitor, reachable
from sweepcheck.properties.step import StepMonitor, step

MONITORS: dict[Kind, Callable[..., Monitor]] = {
    Kind.INVARIANT: InvariantMonitor,
    Kind.REACHABLE: ReachableMonitor,
    Kind.DEADLOCK: DeadlockMonitor,
    Kind.STEP: StepMonitor,
    Kind.ALWAYS_POSSIBLE: AlwaysPossibleMonitor,
    Kind.ALWAYS_EVENTUALLY: AlwaysEventuallyMonitor,
    Kind.LEADS_TO: LeadsToMonitor,
    Kind.LTL: ltl_monitor,
    Kind.CTL: CtlMonitor,
}

_BY_KIND: dict[Kind, Callable[[str, Callable[[Any], object]], Property]] = {
    Kind.INVARIANT: invariant,
    Kind.REACHABLE: reachable,
    Kind.DEADLOCK: lambda name, final: deadlock(name, final=final),
    Kind.ALWAYS_POSSIBLE: always_possible,
    Kind.ALWAYS_EVENTUALLY: always_eventually,
}


def of_kind(kind: Kind, name: str, predicate: Callable[[Any], object]) -> Property:
    """The property of a kind that was read from a file."""
    return _BY_KIND[kind](name, predicate)


__all__ = [
    "MONITORS",
    "Monitor",
    "Property",
    "always_eventually",
    "always_possible",
    "ctl",
    "deadlock",
    "eventually",
    "invariant",
    "leads_to",
    "ltl",
    "never",
    "of_kind",
    "reachable",
    "step",
]
