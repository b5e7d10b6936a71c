"""Whether a function may notice that it is given a number in question instead of an int, without looking at its value.

`type(x) is int` and `x is y` are answered by Python itself: nobody is told that they were asked.
"""

from __future__ import annotations

from itertools import pairwise

from sweepcheck.core.instructions import asks_for_built_in, codes, instructions
from sweepcheck.core.purity import reached_from

TELLING = (type, id)
CATCHING = ("PUSH_EXC_INFO", "SETUP_FINALLY", "SETUP_WITH")


def may_notice(function: object) -> bool:
    """Whether a function, or one that it calls, asks for the exact class of something, or whether it is another object.

    What a constant is compared with, as in `x is None`, is no number anyway.
    """
    for reached, used in reached_from(function):
        if any(value is one for _, value, _ in used for one in TELLING):
            return True
        for code in codes(reached.function.__code__):
            for before, step in pairwise(instructions(code)):
                if step.opname == "IS_OP" and before.opname != "LOAD_CONST" and not asks_for_built_in(before, step):
                    return True
    return False


def may_catch(function: object) -> bool:
    """Whether a function, or one that it calls, may go on after an exception, or asks whether something *is* a text.

    A text in question is no str: what asks for one in C raises an error that a text would not.
    """
    for reached, _ in reached_from(function):
        for code in codes(reached.function.__code__):
            steps = instructions(code)
            if any(step.opname in CATCHING for step in steps):
                return True
            if any(step.opname == "IS_OP" and isinstance(before.argval, str) for before, step in pairwise(steps)):
                return True
    return False
