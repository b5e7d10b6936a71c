"""Trees are made in peace: in Python 3.11 one that is begun inside another makes it fail."""

import ast
import gc
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from sweepcheck.core.parsing import parsed

LONG = "\n".join(f"x{i} = [y for y in (1, 2, {i})]" for i in range(300))


@contextmanager
def parsing_at_every_collection() -> Iterator[None]:
    def parse_deeper(depth: int = 10) -> None:
        if depth:
            parse_deeper(depth - 1)
        else:
            ast.parse("x = [1]")

    def callback(phase: str, info: dict[str, int]) -> None:
        parse_deeper()

    threshold = gc.get_threshold()
    gc.callbacks.append(callback)
    gc.set_threshold(1)
    try:
        yield
    finally:
        gc.set_threshold(*threshold)
        gc.callbacks.remove(callback)


def test_a_collection_of_garbage_does_not_come_in_between() -> None:
    with parsing_at_every_collection():
        tree = parsed(LONG)
    assert len(tree.body) == 300
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        assert isinstance(parsed("x + 1", "eval").body, ast.BinOp)
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_what_cannot_be_parsed_leaves_the_collector_on() -> None:
    with pytest.raises(SyntaxError):
        parsed("x +", "eval")
    assert gc.isenabled()
