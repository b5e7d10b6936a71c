"""Strategies and collection policies, as data."""

from sweepcheck.strategies.collection import AUTO, LAYER, every
from sweepcheck.strategies.exploration import (
    CACHING,
    COLUMN,
    DEFAULT_CACHE_SIZE,
    FULL,
    GENERALISED,
    STRATEGIES,
    SWEEP,
)

__all__ = [
    "AUTO",
    "CACHING",
    "COLUMN",
    "DEFAULT_CACHE_SIZE",
    "FULL",
    "GENERALISED",
    "LAYER",
    "STRATEGIES",
    "SWEEP",
    "every",
]
