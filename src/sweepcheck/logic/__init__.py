"""Temporal logic: formulas as text and their meaning on runs, as automata, and on graphs. It knows no model.

The functions here build formulas in Python: `G(waiting >> F(served))`.
"""

from sweepcheck.logic.building import AF, AG, AX, EF, EG, EX, A, E, F, G, M, R, U, W, X, last

__all__ = ["AF", "AG", "AX", "EF", "EG", "EX", "A", "E", "F", "G", "M", "R", "U", "W", "X", "last"]
