"""A run shared by several processes: each stores the states that hash to it, and hands all others over.

`driver` runs the supersteps, `site` is the share of one process, `kept` what is written down to go on after a process
died, `local` and `ray_sites` are two ways to reach sites, `source` is how a model gets to where it is explored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sweepcheck.core.observer import Observer
from sweepcheck.core.plan import Outcome, Plan

if TYPE_CHECKING:
    from sweepcheck.cluster.driver import Sites


def run(decided: Plan, observer: Observer) -> Outcome:
    """Have the processes of a cluster carry out a plan."""
    from sweepcheck.cluster import driver, kept  # few ask for it

    assert decided.cluster is not None
    folder = decided.cluster.folder
    if folder is not None:
        kept.prepare(folder)
    return driver.run(decided, observer, sites_for(decided), folder)


def sites_for(decided: Plan) -> Sites:
    """Where a plan is carried out."""
    from sweepcheck.cluster.ray_sites import RaySites
    from sweepcheck.cluster.source import packed

    return RaySites(packed(decided))
