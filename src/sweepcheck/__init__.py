"""sweepcheck: exact state space exploration that forgets what lies behind a progress measure."""

from sweepcheck.api import check, draw, explore, random_walks, state_graph, state_space_report
from sweepcheck.core.limits import FileLimits, Limits
from sweepcheck.core.measure import Measure
from sweepcheck.core.model import Label
from sweepcheck.core.property import Property
from sweepcheck.core.structures import Map, Record, Set
from sweepcheck.core.trace import Step, Trace
from sweepcheck.core.values import Array, Bag, Queue
from sweepcheck.core.verdict import Guarantee, Status, Stop, Verdict
from sweepcheck.errors import SweepcheckError
from sweepcheck.measures import partial_order, product, progress
from sweepcheck.models.actions import Model, choose, observe, require, stay
from sweepcheck.models.loading import load
from sweepcheck.models.net import Net, at, colours
from sweepcheck.models.processes import LTS, Network, parallel, read_aut, write_aut
from sweepcheck.properties import (
    always_eventually,
    always_possible,
    ctl,
    deadlock,
    eventually,
    invariant,
    leads_to,
    ltl,
    never,
    reachable,
    step,
)
from sweepcheck.report.drawing import Drawing
from sweepcheck.report.report import Report
from sweepcheck.report.state_graph import StateGraph
from sweepcheck.report.state_space import StateSpaceReport
from sweepcheck.report.walks import WalkReport
from sweepcheck.simulation import End, Simulation

__version__ = "0.1.0"

__all__ = [  # noqa: RUF022 - in plain order
    "Array",
    "Bag",
    "Drawing",
    "End",
    "FileLimits",
    "Guarantee",
    "LTS",
    "Label",
    "Limits",
    "Map",
    "Measure",
    "Model",
    "Net",
    "Network",
    "Property",
    "Queue",
    "Record",
    "Report",
    "Set",
    "Simulation",
    "StateGraph",
    "StateSpaceReport",
    "Status",
    "Step",
    "Stop",
    "SweepcheckError",
    "Trace",
    "Verdict",
    "WalkReport",
    "always_eventually",
    "always_possible",
    "at",
    "check",
    "choose",
    "colours",
    "ctl",
    "deadlock",
    "draw",
    "eventually",
    "explore",
    "invariant",
    "leads_to",
    "load",
    "ltl",
    "never",
    "observe",
    "parallel",
    "partial_order",
    "product",
    "progress",
    "random_walks",
    "reachable",
    "read_aut",
    "require",
    "state_graph",
    "state_space_report",
    "stay",
    "step",
    "write_aut",
]
