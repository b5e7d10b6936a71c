"""Ctrl-C at a chosen moment: at the n-th call of a Python function that the native engine leads to."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from sweepcheck.engines.native.exploration import Exploration

_CORE = f"{Exploration.ended.__qualname__}.<locals>.<lambda>"  # the function that calls the core


class Calls:
    """The calls of Python functions while a core is at work; at one of them `KeyboardInterrupt` is raised."""

    def __init__(self, interrupted_at: int | None) -> None:
        self.made = 0
        self._at = interrupted_at
        self._core: FrameType | None = None  # the frame that the core was called from

    def see(self, frame: FrameType, event: str, _: Any) -> None:
        """A profile function."""
        if event == "call" and self._core is not None:
            self.made += 1
            if self.made == self._at:
                raise KeyboardInterrupt
        elif event == "call" and frame.f_code.co_qualname == _CORE:
            self._core = frame
        elif event == "return" and frame is self._core:
            self._core = None


@contextmanager
def interrupted_at(call: int | None) -> Iterator[Calls]:
    """Interrupt a run at a call of a function, if there are so many; None: count them."""
    calls, before = Calls(call), sys.getprofile()
    sys.setprofile(calls.see)
    try:
        yield calls
    finally:
        sys.setprofile(before)
