"""Cells of notebooks: which one is being run, and what may be declared again by running one again."""

from __future__ import annotations

import sys
from collections.abc import Hashable
from functools import cached_property


def running_cell() -> int | None:
    """The number of the notebook cell that is being run; None elsewhere."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    number = getattr(shell, "execution_count", None)
    return number if isinstance(number, int) else None


class Redeclared:
    """Declarations that another run of a cell replaces. Twice in one run, or in a file, is a mistake as ever."""

    @cached_property
    def _cells(self) -> dict[Hashable, int | None]:
        return {}

    def _again(self, *what: Hashable) -> bool:
        """Whether this declaration replaces an earlier one of the same kind and name, made by an earlier cell."""
        now, before = running_cell(), self._cells.get(what)
        self._cells[what] = now
        return now is not None and before is not None and now != before
