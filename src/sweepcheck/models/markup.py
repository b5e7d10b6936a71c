"""XML files as a stream of elements with their lines, whoever wrote them.

What a document type declares (entities) is refused: it may stand for gigabytes or for other files, and no file of
these kinds needs it. A document type that only names where it lies elsewhere is allowed where asked for, and not read.
Elements are handed over when they end and are not kept, so that a file may be larger than memory.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from sweepcheck.core.files import read_chunks
from sweepcheck.core.limits import FileLimits
from sweepcheck.errors import ModelError, SweepcheckError
from sweepcheck.models.reading import unread

CHUNK = 4096  # bytes, of a file of which only the beginning is asked for
DEEPEST = 400  # elements within each other: formulas of the contest have up to a hundred


@dataclass(slots=True)
class Element:
    """An element: its name without a prefix, its attributes, what is inside it, and the line where it begins."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def __iter__(self) -> Iterator[Element]:
        return iter(self.children)

    def child(self, tag: str) -> Element | None:
        """The first element of this name inside."""
        return next((one for one in self.children if one.tag == tag), None)


@dataclass(slots=True)
class Source:
    """A file that elements come from, for errors."""

    path: Path
    error: type[SweepcheckError] = ModelError
    unreadable: str = "SC132"  # the code for what is no XML

    def wrong(self, code: str, what: str, line: int, suggestion: str) -> SweepcheckError:
        """An error at a line of the file."""
        return self.error(code, what, where=f"{self.path.name}:{line}", suggestion=suggestion)


Handler = Callable[[Element, list[Element]], None]


class Stream:
    """Parses a file: `begin` sees every element that is not inside a unit, `end` every unit with all that is inside.

    Both are told the elements around it. Elements called as in `ignored` are passed over with all they hold. `typed`:
    the file may name a document type, as long as it declares nothing.
    """

    def __init__(
        self, source: Source, units: Collection[str], ignored: Collection[str], *, typed: bool = False
    ) -> None:
        self._source, self._units, self._ignored = source, frozenset(units), frozenset(ignored)
        self._typed = typed
        self._open: list[Element] = []
        self._inside = 0  # how many of the open ones are a unit or inside one
        self._skipped = 0
        self._begin: Handler = _nothing
        self._end: Handler = _nothing
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.SkippedEntityHandler = self._entity
        self._parser.StartElementHandler = self._started
        self._parser.EndElementHandler = self._ended
        self._parser.CharacterDataHandler = self._characters

    def read(self, limits: FileLimits, begin: Handler, end: Handler) -> None:
        """Parse all of it."""
        self._begin, self._end = begin, end
        try:
            self._parse(limits)
        except expat.ExpatError as error:
            raise self._wrong(expat.ErrorString(error.code), error.lineno) from None
        except LookupError as error:  # an encoding that Python does not know
            raise self._wrong(str(error), self._parser.CurrentLineNumber) from None
        except (OSError, ValueError) as error:
            raise unread(self._source.path, error) from None

    def _parse(self, limits: FileLimits) -> None:
        for chunk in read_chunks(self._source.path, limits):
            self._parser.Parse(chunk, False)
        self._parser.Parse(b"", True)

    def _wrong(self, why: str, line: int, suggestion: str = "save it again with the tool that made it") -> Exception:
        source = self._source
        return source.wrong(
            source.unreadable, f"{source.path.name} is not XML that can be read: {why}", line, suggestion
        )

    def _doctype(self, _name: str, _system: str | None, _public: str | None, declares: int) -> None:
        if self._typed and not declares:
            return
        raise self._wrong(
            "it declares a document type",
            self._parser.CurrentLineNumber,
            "delete the <!DOCTYPE ...> and write out the entities it declares",
        )

    def _entity(self, name: str, _parameter: bool) -> NoReturn:
        raise self._wrong(f"the entity {name!r} is not declared", self._parser.CurrentLineNumber, "write its text")

    def _started(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        if self._skipped or tag in self._ignored:
            self._skipped += 1
            if self._skipped > DEEPEST:
                raise self._too_deep()
            return
        element = Element(tag, attributes, self._parser.CurrentLineNumber)
        if self._inside:
            self._open[-1].children.append(element)
            self._inside += 1
        elif tag in self._units:
            self._inside = 1
        else:
            self._begin(element, self._open)
        self._open.append(element)
        if len(self._open) > DEEPEST:
            raise self._too_deep()

    def _too_deep(self) -> Exception:
        why = f"more than {DEEPEST} elements are within each other"
        return self._wrong(why, self._parser.CurrentLineNumber, "write it with fewer levels")

    def _ended(self, _: str) -> None:
        if self._skipped:
            self._skipped -= 1
            return
        element = self._open.pop()
        if self._inside:
            self._inside -= 1
            if not self._inside:
                self._end(element, self._open)

    def _characters(self, data: str) -> None:
        if not self._skipped and self._inside:
            self._open[-1].text += data


def first_element(path: Path) -> str | None:
    """What the first element of a file is called, without a prefix; None where there is none, or no XML."""
    found: list[str] = []
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda tag, _: found.append(tag.rpartition(":")[2])
    try:
        with path.open("rb") as file:
            while not found and (chunk := file.read(CHUNK)):
                parser.Parse(chunk)
    except (expat.ExpatError, LookupError):
        pass  # of what came before
    except (OSError, ValueError) as error:
        raise unread(path, error) from None
    return found[0] if found else None


def _nothing(element: Element, around: list[Element]) -> None:
    del element, around
