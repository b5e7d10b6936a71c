"""Where a piece of CPN ML stands, and errors that point into it."""

from __future__ import annotations

from dataclasses import dataclass

from sweepcheck.errors import ModelError

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
