"""A run shared by several processes: each stores the states that hash to it, and hands all others over.

`driver` runs the supersteps, `site` is the share of one process, `kept` what is written down to go on after a process
died, `local` and `ray_sites` are two ways to reach sites, `source` is how a model gets to where it is explored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sweepcheck.core.observer import Observer
from sweepcheck.core.plan import Outcome, Plan
from sweepcheck.core.tabulated import is_tabulated

if TYPE_CHECKING:
    from sweepcheck.cluster.driver import Sites


def run(decided: Plan, observer: Observer) -> Outcome:
    """Have the processes of a cluster carry out a plan."""
    from sweepcheck.cluster import driver  # few ask for it

    asked = decided.cluster
    assert asked is not None
    return driver.run(decided, observer, sites_for(decided), asked.folder, asked.every, lambda: _about(decided))


def _about(decided: Plan) -> dict[str, Any]:
    """What a run that is kept is about."""
    from sweepcheck.engines.identity import identity
    from sweepcheck.engines.native.saving import command_typed

    assert is_tabulated(decided.system)
    from importlib.metadata import version  # is slow to load

    return {"identity": identity(decided, decided.system, version("sweepcheck")), "command": command_typed()}


def sites_for(decided: Plan) -> Sites:
    """Where a plan is carried out."""
    from sweepcheck.cluster.owners import deciding
    from sweepcheck.cluster.ray_sites import RaySites
    from sweepcheck.cluster.source import packed

    return RaySites(packed(decided), lambda sites: deciding(decided, sites))
