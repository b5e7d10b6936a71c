"""The ways to explore: what decides the order, and whether states are forgotten."""

from __future__ import annotations

from sweepcheck.core.plan import Strategy

FULL = Strategy("full", by_progress=False, forgets=False)
SWEEP = Strategy("sweep", by_progress=True, forgets=True)

STRATEGIES = {strategy.name: strategy for strategy in (FULL, SWEEP)}
