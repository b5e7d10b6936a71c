"""Progress measures by the order on their values: total (lexicographic), partial, product."""

from sweepcheck.measures.partial import partial_order
from sweepcheck.measures.product import product
from sweepcheck.measures.total import progress

__all__ = ["partial_order", "product", "progress"]
