"""Where a piece of CPN ML stands, and errors that point into it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sweepcheck.errors import ModelError

DEEPEST = 20_000  # frames while a text is typed and written
LONGEST_LINE = 160  # characters of a line that an error shows
_ADVICE = {
    "SC140": "mend the text: CPN ML is Standard ML with the declarations of CPN Tools",
    "SC141": "mend the expression, or the declaration that gives it its type",
    "SC142": "write it another way: docs, how-to/cpn-tools-files",
    "SC143": "see that it is only called with values it is meant for",
}


@dataclass(frozen=True, slots=True)
class Where:
    """The place of a text in a net: the page, the element on it, and the line of the file."""

    page: str
    element: str
    line: int = 0

    def __str__(self) -> str:
        parts = [f"page {self.page!r}" if self.page else "", self.element, f"line {self.line}" if self.line else ""]
        return ", ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Text:
    """A text and where it stands. Positions in it are offsets."""

    text: str
    where: Where

    def error(self, code: str, what: str, at: int, suggestion: str | None = None) -> ModelError:
        """An error at an offset, with the line it is in and a caret below it."""
        line, column, shown = self.spot(at)
        start = max(0, column - LONGEST_LINE // 2)
        cut = shown[start : start + LONGEST_LINE]
        caret = " " * (column - 1 - start) + "^"
        return ModelError(
            code,
            what,
            where=str(self.where),
            values=[(f"{line}:{column}", f"{cut}\n{caret}")],
            suggestion=suggestion or _ADVICE[code],
        )

    def spot(self, at: int) -> tuple[int, int, str]:
        """Line and column, from 1, and the line itself."""
        at = min(max(at, 0), len(self.text))
        start = self.text.rfind("\n", 0, at) + 1
        end = self.text.find("\n", at)
        shown = self.text[start : len(self.text) if end < 0 else end].replace("\t", " ").rstrip("\r")
        return self.text.count("\n", 0, at) + 1, at - start + 1, shown

    @contextmanager
    def deeply(self, at: int) -> Iterator[None]:
        """Room for deep trees; what is deeper still is an error."""
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, DEEPEST))
        try:
            yield
        except (RecursionError, MemoryError, SyntaxError):
            raise self.error(
                "SC140", "the text is nested too deeply", at, "give parts of it names of their own"
            ) from None
        finally:
            sys.setrecursionlimit(limit)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Errors of what runs know where it stands."""
        try:
            yield
        except ModelError as error:
            raise error.add(where=str(self.where)) from None
        except RecursionError:
            raise self.error("SC143", "the recursion has no end, or is too deep", 0, "mend its last case") from None
        except (OverflowError, MemoryError) as error:
            raise self.error("SC143", f"a value is too large: {error}", 0) from None
