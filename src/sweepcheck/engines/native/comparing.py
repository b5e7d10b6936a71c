"""Comparing members of classes on a walk, before a run: in the core, where canonical states stand for classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sweepcheck._core import ComparisonSettings, Failure
from sweepcheck.core.deadline import TimeUp
from sweepcheck.core.limits import Limits
from sweepcheck.core.observer import Silence
from sweepcheck.core.plan import Plan
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.tabulated import is_tabulated
from sweepcheck.core.verdict import Stop
from sweepcheck.engines.members import DISAGREEMENTS, MOST_EDGES, SEED, WALK, Compared
from sweepcheck.engines.native.exploration import Exploration, explore
from sweepcheck.engines.native.failures import explain
from sweepcheck.errors import SweepcheckError
from sweepcheck.properties.product import without_memory
from sweepcheck.properties.propositions import functions


def compare(plan: Plan) -> Compared:
    """Compare states with the canonical ones of their classes on a walk, as `compare_members` does."""
    walked = replace(
        plan,
        system=without_memory(plan.system),
        properties=tuple(_questions(plan.properties)),
        graph=False,
        survey=False,
        trace=False,
        trace_dir=None,
        checkpoint=None,
        spill=None,
        verify_actions=False,
        workers=1,
        fair=(),
        limits=Limits(),
    )
    return explore(walked, Silence(), lambda exploration: _compared(plan, exploration))


def _questions(properties: Sequence[Property]) -> Iterator[Property]:
    """What is asked of single states and steps; of a formula, what its propositions ask."""
    for asked in properties:
        if asked.remembers or asked.kind.has_formula:
            for number, predicate in enumerate(functions(asked)):
                yield Property(Kind.INVARIANT, f"{asked.name} {number}", predicate)
        else:
            yield asked


def _compared(plan: Plan, exploration: Exploration) -> Compared:
    asked = ComparisonSettings()
    asked.states, asked.edges, asked.seed = WALK, MOST_EDGES, SEED
    ended = exploration.ended(lambda settings: exploration.core.compare(settings, asked))
    if ended is Stop.INTERRUPTED:
        raise KeyboardInterrupt
    if ended is Stop.SECONDS:
        raise TimeUp
    if isinstance(ended, Failure):
        if isinstance(ended.error, KeyboardInterrupt | TimeUp):
            raise ended.error
        system = without_memory(plan.system)
        assert is_tabulated(system)
        try:
            explain(replace(plan, system=system), system, ended)
        except SweepcheckError as error:
            if error.code in DISAGREEMENTS:
                raise
            # Any other fault the run will meet in its own time, perhaps after a violation that comes before it.
    return Compared(exploration.core.counters.compared, {}, None)
