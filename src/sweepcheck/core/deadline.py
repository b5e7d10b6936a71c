"""Breaking off what does not return: a function of a model that loops is not asked whether the time is over.

When the time is up, another thread has `TimeUp` raised in this one, wherever it is at work in Python, and again until
it has got out: a bare `except` may swallow it once. What waits for the operating system is not reached.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import TypeVar

GRACE = 0.1  # seconds: whoever looks at the clock by itself comes first
AGAIN = 0.02  # seconds between two attempts

Result = TypeVar("Result")


class TimeUp(BaseException):  # not an error: passes through any `except Exception` of a model's
    """Raised in whatever runs when the time is over."""


def within(seconds: float | None, work: Callable[[], Result]) -> Result:
    """What the work returns; `TimeUp` when it takes longer than this."""
    if not isinstance(seconds, int | float) or not seconds > 0:  # no limit, or one that will be refused
        return work()
    deadline = _Deadline(seconds)
    try:
        try:
            return work()
        finally:
            deadline.close()
    except TimeUp:
        deadline.close()  # it may have come while the deadline was being closed
        raise


class _Deadline:
    """Watches one thread."""

    def __init__(self, seconds: float) -> None:
        self._watched = threading.get_ident()
        self._closed = threading.Event()
        self._turn = threading.Lock()
        self._raised = False
        longest = threading.TIMEOUT_MAX - GRACE
        threading.Thread(target=self._watch, args=(min(seconds, longest) + GRACE,), daemon=True).start()

    def _watch(self, seconds: float) -> None:
        while not self._closed.wait(seconds):
            with self._turn:
                if not self._closed.is_set():
                    self._raised = True
                    _raise_in(self._watched, TimeUp)
            seconds = AGAIN

    def close(self) -> None:
        """Nothing is raised from now on; to be said by the watched thread."""
        self._closed.set()
        with self._turn:
            if self._raised:
                _have_it_now()


def _have_it_now() -> None:
    """What this thread was to raise, and has not raised yet, is raised and gone. It could be taken back, but CPython up
    to 3.12 would look for it ever after: in every loop, and without an end where a profiler or debugger is at work.
    """
    try:
        _raise_in(threading.get_ident(), TimeUp)
        while True:
            pass
    except TimeUp:
        return


def _raise_in(thread: int, exception: type[BaseException]) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(exception))
