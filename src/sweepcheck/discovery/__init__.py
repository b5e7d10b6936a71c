"""Progress measures that are found, not given: candidates, a prediction for each, and a search for good ones.

A candidate is a sum of features of a state with whole weights. A sample of states with their predecessors predicts how
many states a sweep by it would store. Rays give the candidates that no step lowers, hill climbing improves any.
"""

from sweepcheck.discovery.search import Seen, measure_of, search

__all__ = ["Seen", "measure_of", "search"]
