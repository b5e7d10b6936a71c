"""How much a file describes. Few characters can ask for more than any memory holds, so it is counted while it is made.

Two numbers are kept: the size, which is the locations and steps of all components, and the work, which is everything
that is run through on the way to them (values of indices, calls, steps renamed). Both end in an error, not in a wait.
"""

from __future__ import annotations

from sweepcheck.core.limits import FileLimits
from sweepcheck.errors import ModelError

SMALLER = "use smaller parameters and ranges"


class Size:
    """What has been described so far, against what is allowed."""

    __slots__ = ("_components", "_limits", "_size", "_work")

    def __init__(self, limits: FileLimits | None = None) -> None:
        self._limits = limits or FileLimits()
        self._size = self._work = self._components = 0

    def check_text(self, text: str, filename: str) -> None:
        """Refuse a text that is too long to be taken apart: its tree takes a hundred times as much."""
        if len(text) > self._limits.size:
            raise self._too_much(f"{filename} has more than {self._limits.size:,} characters", filename, "--max-size")

    def add(self, count: int, where: str, advice: str = SMALLER) -> None:
        """So many more locations and steps."""
        self._size += count
        if self._size > self._limits.size:
            what = f"the components have more than {self._limits.size:,} locations and steps together"
            raise self._too_much(what, where, "--max-size", advice)

    def work(self, count: int, where: str) -> None:
        """So many more values that are run through."""
        self._work += count
        if self._work > self._limits.size:
            what = f"more than {self._limits.size:,} values have to be run through"
            raise self._too_much(what, where, "--max-size")

    def component(self, where: str) -> None:
        """One more component."""
        self._components += 1
        if self._components > self._limits.components:
            what = f"there are more than {self._limits.components:,} components"
            raise self._too_much(what, where, "--max-components")

    @staticmethod
    def _too_much(what: str, where: str, option: str, advice: str = SMALLER) -> ModelError:
        return ModelError("SC607", what, where=where, suggestion=f"{advice}, or allow more: {option} N")
