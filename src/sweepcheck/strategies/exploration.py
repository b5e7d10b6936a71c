"""The ways to explore: what decides the order, what is forgotten, and whether each state is processed once."""

from __future__ import annotations

from sweepcheck.core.plan import Strategy

FULL = Strategy("full", order="found", forgets=False, once=True)
SWEEP = Strategy("sweep", order="progress", forgets=True, once=True)  # a step that goes back ends the run
GENERALISED = Strategy("generalised", order="progress", forgets=True, once=False)
COLUMN = Strategy("column", order="column", forgets=True, once=False)
CACHING = Strategy("caching", order="depth", forgets=True, once=False)

STRATEGIES = {strategy.name: strategy for strategy in (FULL, SWEEP, GENERALISED, COLUMN, CACHING)}

DEFAULT_CACHE_SIZE = 1_000_000  # states
