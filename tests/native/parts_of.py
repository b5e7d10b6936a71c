"""Tokens, and functions from texts that can be looked up, for tests of parts."""

import linecache
from itertools import count
from typing import Any, NamedTuple


class Token(NamedTuple):
    kind: str
    nr: int


class Odd:
    """Equal by what it holds; asked whether it is larger than others, it fails for some."""

    def __init__(self, nr: int) -> None:
        self.nr = nr

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Odd) and other.nr == self.nr

    def __hash__(self) -> int:
        return hash(self.nr)

    def __repr__(self) -> str:
        return f"Odd({self.nr})"


TOKENS = [Token("a", 0), Token("a", 1), Token("b", 0), Token("b", 2), Token("c", 1), Token("a", 9)]
LIMIT = 1
GROUPS = [(0, 1), (1, 2)]
NAMES = {"a": 0, "b": 1, "c": 2}


def is_small(x: Token, most: int = LIMIT) -> bool:
    return x.nr <= most


def has(s: Any, nr: int) -> bool:
    return any(x.nr == nr for x in s.set)


numbers = count()


def name_of(text: str) -> str:
    return text.strip().removeprefix("def ").partition("(")[0]


def written(text: str, name: str) -> Any:
    """A function from a text that can be looked up, as one in a file can."""
    filename = f"<parts {next(numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    known = {
        "Token": Token,
        "LIMIT": LIMIT,
        "GROUPS": GROUPS,
        "NAMES": NAMES,
        "is_small": is_small,
        "__name__": "parts",
    }
    helper = "def has(s, nr):\n    return any(x.nr == nr for x in s.set)\n"
    linecache.cache[filename] = (len(text), None, (helper + text).splitlines(True), filename)
    exec(compile(helper + text, filename, "exec", dont_inherit=True), known)
    return known[name]


def figures(report: Any) -> Any:
    n = report.statistics
    return n.states, n.edges, n.explored, [(one.status, one.witness) for one in report.verdicts]
