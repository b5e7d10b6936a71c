"""Histories of concurrent operations: is there an order of them, one by one, that explains every answer?"""

from sweepcheck.histories.history import ANY, History, Operation
from sweepcheck.histories.linearizability import Linearizability, linearizable
from sweepcheck.histories.reading import read_history
from sweepcheck.histories.sequential import (
    MODELS,
    Sequential,
    append_list,
    bank,
    cas_register,
    key_value,
    lock,
    queue,
    register,
    set_of_values,
)

__all__ = [
    "ANY",
    "MODELS",
    "History",
    "Linearizability",
    "Operation",
    "Sequential",
    "append_list",
    "bank",
    "cas_register",
    "key_value",
    "linearizable",
    "lock",
    "queue",
    "read_history",
    "register",
    "set_of_values",
]
