"""What the code of a function is made of. Every run asks for it, so what is found is kept."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType

KEPT = 4096  # codes: more than the functions of the models that are around at a time


def codes(code: CodeType) -> Iterator[CodeType]:
    """The code of a function, and of those made inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


@lru_cache(maxsize=KEPT)
def instructions(code: CodeType) -> tuple[dis.Instruction, ...]:
    """The instructions of a function, without those of functions made inside it."""
    return tuple(dis.get_instructions(code))


def asks_for_built_in(before: dis.Instruction, step: dis.Instruction) -> bool:
    """Whether Python itself asks: from 3.14 on, whether `all`, `any` and `tuple` of a generator are still those."""
    return step.opname == "IS_OP" and before.opname == "LOAD_COMMON_CONSTANT"


@lru_cache(maxsize=KEPT)
def global_names(code: CodeType) -> frozenset[str]:
    """The names that a function, and those inside it, look for in their module."""
    every = (step for one in codes(code) for step in instructions(one))
    return frozenset(step.argval for step in every if step.opname == "LOAD_GLOBAL")
