"""Runs of a starting function with open choices, and its states as loops over what was left open.

The loops are written as a program, and compiled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from heapq import merge
from itertools import chain, product
from math import prod
from operator import itemgetter
from typing import Any

from sweepcheck.core.running import Disabled, current
from sweepcheck.core.values import Array
from sweepcheck.core.view import view_class
from sweepcheck.models.actions.branches import OpenSet, OpenValues
from sweepcheck.models.actions.draft import Draft
from sweepcheck.models.actions.unknown import GiveUpError, OpenRun, Unknown, open_draft
from sweepcheck.models.actions.words import Lent, Words, checked

Row = tuple[Any, ...]
Run = Callable[[Any], object]
MOST_WAYS = 64  # through a function
MOST_ALIKE = 10_000  # combinations that may be few states
MOST_LOOPS = 16  # one in the other: Python allows for twenty blocks


@dataclass(frozen=True, slots=True)
class Leaf:
    """What one run has left: alternatives, conditions with the last choice that each is about, and a state as text."""

    choices: tuple[tuple[Hashable, ...], ...]
    conditions: tuple[tuple[str, int], ...]
    state: str
    told: int  # choices of which the state tells the alternative
    constants: tuple[Any, ...]


def leaf(run: OpenRun, values: list[Any]) -> Leaf:
    """The states that a run ends in."""
    state, _ = run.said(tuple(values))
    unknowns = [one for one in chain.from_iterable(map(_elements, values)) if type(one) is Unknown]
    items = Counter(number for number, _ in {one.item for one in unknowns if one.item is not None})
    told = {one.tells for one in unknowns} - {None}
    told |= {number for number, found in items.items() if found == len(run.choices[number][0])}  # type: ignore[arg-type]
    return Leaf(tuple(run.choices), tuple(run.conditions), state, len(told), tuple(run.constants))


def _elements(value: Any) -> Iterable[Any]:
    if type(value) is OpenSet:
        return value.there.values()
    return value if type(value) is Array else (value,)


def is_many(one: Leaf) -> bool:
    """Whether so many combinations may be the same few states that it is better to look at them step by step."""
    return one.told + 1 < len(one.choices) and prod(map(len, one.choices)) > MOST_ALIKE


class OpenRuns:
    """Runs of a function with open choices, one for each way through it."""

    def __init__(
        self, function: Callable[[Words], Run], draft: type[Draft], face: Callable[[Any], Any] | None, begin: Row
    ) -> None:
        self.merges = True  # both branches of an `if` are run, where they may be
        self._function = function
        self._draft = open_draft(draft)
        self._view = view_class(draft._names)
        self._face = face
        self._begin = begin

    def all_leaves(self) -> list[Leaf]:
        """What all ways come to: with both branches in one run, or else with a run for each."""
        try:
            return list(self.leaves())
        except GiveUpError:
            self.merges = False
            return list(self.leaves())

    def leaves(self) -> Iterator[Leaf]:
        """What each way comes to."""
        script: list[bool] = []
        for _ in range(MOST_WAYS):
            run = OpenRun(script, self._seen, self.merges)
            if (found := self._one(run)) is not None:
                yield found
            del script[run.position :]
            while script and not script[-1]:
                script.pop()
            if not script:
                return
            script[-1] = False
        raise GiveUpError

    def _seen(self, row: Row) -> Any:
        view = self._view(row)
        return view if self._face is None else self._face(view)

    def _one(self, run: OpenRun) -> Leaf | None:
        draft = self._draft(self._begin, run)  # type: ignore[arg-type]
        draft._values = OpenValues(self._begin, run)
        run.draft = draft if self._face is None else self._face(draft)
        run.values = lambda: draft._values
        token = current.set(draft)
        try:
            if self._function(Words(run))(run.draft) is not None:
                raise GiveUpError
            return leaf(run, draft._values)
        except Disabled:
            if run.guards:  # only in one branch
                raise GiveUpError from None
            if not run.computes:
                return None
            run.conditions.append(("False", len(run.choices) - 1))
            return leaf(run, [])
        finally:
            current.reset(token)
            draft._close()


def states(leaves: list[Leaf]) -> Iterator[Row]:
    """The states of all runs, in the order of the choices."""
    if len(leaves) == 1:
        return _listed(leaves[0], numbered=False)
    listed = [_listed(one, numbered=True) for one in leaves]
    return map(itemgetter(1), merge(*listed, key=itemgetter(0)))  # no two runs make the same choices


def _listed(one: Leaf, numbered: bool) -> Iterator[Any]:
    """The states; `numbered`: each with the numbers of the alternatives that it came from."""
    names: dict[str, Any] = {"product": product, "new": tuple.__new__, "Array": Array, "lent": Lent, "checked": checked}
    names |= {f"c{number}": value for number, value in enumerate(one.constants)}
    names |= {f"d{number}": tuple(enumerate(found)) if numbered else found for number, found in enumerate(one.choices)}
    lines = ["def rows():"]
    first = [text for text, last in one.conditions if last < 0]
    groups = list(_groups(one))
    if len(groups) > MOST_LOOPS:
        raise GiveUpError
    lines += [f" if not {text}: return" for text in first]
    for depth, (numbers, conditions) in enumerate(groups, 1):
        pairs = [f"(i{number}, a{number})" if numbered else f"a{number}" for number in numbers]
        lists = [f"d{number}" for number in numbers]
        over = lists[0] if len(lists) == 1 else f"product({', '.join(lists)})"
        lines.append(f"{' ' * depth}for {', '.join(pairs)} in {over}:")
        lines += [f"{' ' * (depth + 1)}if not {text}: continue" for text in conditions]
    chosen = "".join(f"i{number}, " for number in range(len(one.choices)))
    lines.append(f"{' ' * (len(groups) + 1)}yield {f'(({chosen}), {one.state})' if numbered else one.state}")
    exec(compile("\n".join(lines), "<starting states>", "exec"), names)
    rows: Iterator[Any] = names["rows"]()
    return rows


def _groups(one: Leaf) -> Iterator[tuple[list[int], list[str]]]:
    """The choices that are made together, since nothing is required before all of them are made."""
    numbers: list[int] = []
    for number in range(len(one.choices)):
        numbers.append(number)
        conditions = [text for text, last in one.conditions if last == number]
        if conditions or number == len(one.choices) - 1:
            yield numbers, conditions
            numbers = []
