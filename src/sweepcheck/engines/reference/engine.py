"""From a Plan to an Outcome: choose the loop, run it, and end well however it ends."""

from __future__ import annotations

from contextlib import nullcontext

from sweepcheck.core.deadline import TimeUp, within
from sweepcheck.core.observer import Observer
from sweepcheck.core.plan import Outcome, Plan
from sweepcheck.core.verdict import Stop
from sweepcheck.engines.breaking_off import running
from sweepcheck.engines.parents import ParentFile
from sweepcheck.engines.reference.caching import explore_with_cache
from sweepcheck.engines.reference.column import column_sweep
from sweepcheck.engines.reference.cutoff import sweep_with_cutoff
from sweepcheck.engines.reference.exploration import Exploration, Stopped
from sweepcheck.engines.reference.full import explore_fully
from sweepcheck.engines.reference.generalised import generalised_sweep
from sweepcheck.engines.reference.sweep import sweep
from sweepcheck.errors import SweepcheckError


def run(plan: Plan, observer: Observer) -> Outcome:
    """Carry out a plan. Limits and Ctrl-C end in an outcome too: it says why and how far the run got."""
    with ParentFile(plan.trace_dir) if plan.trace else nullcontext() as parents:
        exploration = Exploration(plan, observer, parents)
        stop = None
        try:
            within(plan.limits.seconds, lambda: explore(exploration, plan))
            stop = plan.cut_short(exploration.beyond)
        except Stopped as stopped:
            stop = stopped.stop
        except (KeyboardInterrupt, TimeUp) as broken_off:
            stop = Stop.SECONDS if isinstance(broken_off, TimeUp) else Stop.INTERRUPTED
            exploration.stopped_in = running(broken_off, plan)
        except MemoryError:
            stop = Stop.MEMORY
        except SweepcheckError as error:
            stop = exploration.failed(error)
        return exploration.outcome(stop)


def explore(exploration: Exploration, plan: Plan) -> None:
    """The loop that the plan's strategy asks for."""
    strategy, measure, classes = plan.strategy, plan.measure, exploration.classes
    exploration.begin()
    if plan.cutoff is not None and classes is not None and measure is not None:
        sweep_with_cutoff(exploration, measure, plan.gc, plan.cutoff, classes)
    elif strategy.order == "depth":
        explore_with_cache(exploration, plan.cache_size)
    elif strategy.order == "column" and measure is not None:
        column_sweep(exploration, measure, plan.gc)
    elif strategy.order == "progress" and measure is not None:
        (sweep if strategy.once else generalised_sweep)(exploration, measure, plan.gc)
    else:
        explore_fully(exploration)
    exploration.explored_all()
