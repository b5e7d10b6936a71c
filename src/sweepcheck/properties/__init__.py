"""Properties: one file is one kind of question and its reference monitor."""

from sweepcheck.core.property import Kind, Property
from sweepcheck.properties.always_eventually import AlwaysEventuallyMonitor, always_eventually
from sweepcheck.properties.always_possible import AlwaysPossibleMonitor, always_possible
from sweepcheck.properties.deadlock import DeadlockMonitor, deadlock
from sweepcheck.properties.invariant import InvariantMonitor, invariant
from sweepcheck.properties.monitor import Monitor
from sweepcheck.properties.never import never
from sweepcheck.properties.reachable import ReachableMonitor, reachable

MONITORS: dict[Kind, type[Monitor]] = {
    Kind.INVARIANT: InvariantMonitor,
    Kind.REACHABLE: ReachableMonitor,
    Kind.DEADLOCK: DeadlockMonitor,
    Kind.ALWAYS_POSSIBLE: AlwaysPossibleMonitor,
    Kind.ALWAYS_EVENTUALLY: AlwaysEventuallyMonitor,
}

__all__ = [
    "MONITORS",
    "Monitor",
    "Property",
    "always_eventually",
    "always_possible",
    "deadlock",
    "invariant",
    "never",
    "reachable",
]
