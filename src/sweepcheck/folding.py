"""Long lines of text folded at the width of a terminal: values are broken where they have parts, the outer ones first.

What came and what went goes before its sign, an element after its comma. What had to be broken has lines of its own, so
that the next element is found at the beginning of one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

ON = "..."  # before what goes on in the midst of a word
DEEPEST = 5  # brackets around what a line is broken at
BRIEF = 16  # letters
_OPENING, _CLOSING, _QUOTES = "([{<", ")]}>", "'\""


def fold(text: str, width: int | None, indent: str = "    ") -> str:
    """Running text with its long lines broken between words; what goes on is indented."""
    rows: list[str] = []
    for line in text.split("\n"):
        margin = line[: len(line) - len(line.lstrip())]
        rows += [line] if width is None else folded(margin, line.lstrip().split(" "), " ", width, margin + indent)
    return "\n".join(rows)


def folded(head: str, words: Sequence[str], separator: str, width: int | None, blank: str) -> list[str]:
    """Words in lines of at most `width` columns: the first after `head`, the others after `blank`."""
    if width is None or len(head) + len(separator.join(words)) <= width:
        return [head + separator.join(words)]
    lines, mark = _Lines([head], width), separator.rstrip()
    for position, word in enumerate(words):
        whole = word + mark if position < len(words) - 1 else word
        lines.put(whole, blank, fresh=lines.broken or len(whole) > width - len(blank))
    return lines.rows


@dataclass(slots=True)
class _Lines:
    """Lines of at most `width` columns that words are added to; the last one is `empty` while it has none, and the
    last word was `broken` if it has several.
    """

    rows: list[str]
    width: int
    empty: bool = True
    broken: bool = False

    def put(self, word: str, blank: str, fresh: bool = False, depth: int = 0, inside: int = 0) -> None:
        """Add a word, in parts where it is too long for a line; `fresh` wants a line of its own. The word begins
        `inside` so many brackets, and may be broken within `depth` of them or more.
        """
        self.broken = False
        long = len(word) > self.width - len(blank) and depth <= DEEPEST
        parts = list(_parts(word, depth, inside)) if long else [word]
        if len(parts) > 1:
            self.put(parts[0], blank, fresh, depth + 1, inside)
            for part in parts[1:]:
                brief = part.startswith("-> ") and len(part) <= BRIEF  # what it is now needs no line of its own
                self.put(part, f"{blank}  ", self.broken and not brief, depth + 1, depth)
            self.broken = True
        elif long:
            self.put(word, blank, fresh, depth + 1, inside)
        else:
            self._write(word, blank, fresh)

    def _write(self, word: str, blank: str, fresh: bool) -> None:
        glued = self.rows[-1] if self.empty else f"{self.rows[-1]} "
        # No line is begun that would have no more room than this one.
        if (fresh or len(glued) + len(word) > self.width) and (not self.empty or len(self.rows[-1]) > len(blank)):
            self.rows.append(blank)
            glued = blank
        cut = _cut(word, max(self.width - len(glued), 1))
        self.rows[-1] = glued + word[:cut]
        while cut < len(word):
            start, cut = cut, cut + _cut(word[cut:], max(self.width - len(blank) - len(ON), 1))
            self.rows.append(blank + ON + word[start:cut])
        self.empty = False


def _cut(word: str, room: int) -> int:
    """How much of a word, which may be a text with words of its own, goes into a line with room for so many letters."""
    if len(word) <= room:
        return len(word)
    space = word.rfind(" ", room * 2 // 3, room + 1)
    return space if space > 0 else room


def _parts(word: str, depth: int, inside: int) -> Iterator[str]:
    """A word broken within so many brackets: after commas, outside of all of them also before signs."""
    start, quote = 0, ""
    for position, one in enumerate(word):
        before = word[position - 1 : position]
        if quote:
            quote = "" if one == quote and before != "\\" else quote
        elif one in _QUOTES and not before.isalnum():  # in the midst of a name it is an apostrophe
            quote = one
        elif one in _OPENING:
            inside += 1
        elif one in _CLOSING and not (one == ">" and before == "-"):
            inside -= 1
        elif one == " " and inside == depth and (before == "," or (not depth and _is_sign(word, position + 1))):
            yield word[start:position]
            start = position + 1
    yield word[start:]


def _is_sign(word: str, position: int) -> bool:
    return word.startswith(("+ ", "- ", "-> "), position)
