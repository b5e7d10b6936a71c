"""Processes written as generator functions: each piece of code between two yields is a step, and becomes an action.

From a function to its actions, one file each:

    written     its source as a syntax tree; what cannot be a process is refused
    graph       the tree as a graph of `nodes`; `inlining` puts in what it yields from
    usage       which names a statement reads and writes
    places      where the process can stop, and which local variables matter there
    pieces      the way from a place to the next ones, and what has to be read from the state on it
    writing     this way as the tree of a function on drafts
    steps       the functions, as actions of the model
"""

from sweepcheck.models.generators.values import Unset

__all__ = ["Unset"]
