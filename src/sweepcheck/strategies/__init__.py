"""Strategies and collection policies, as data."""

from sweepcheck.strategies.collection import AUTO, LAYER, every
from sweepcheck.strategies.exploration import FULL, STRATEGIES, SWEEP

__all__ = ["AUTO", "FULL", "LAYER", "STRATEGIES", "SWEEP", "every"]
