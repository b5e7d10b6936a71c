"""Fairness: what no run ignores for ever. One action, or several together; weak or strong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sweepcheck.core.model import Label, System
from sweepcheck.errors import RequestError, closest

STRONG = "strong"
TOGETHER = "+"


@dataclass(frozen=True, slots=True)
class Fairness:
    """Actions that runs are fair to, together: they are enabled where one of them is, and taken where one of them is.

    A run that is fair in the weak sense does not ignore them for ever while they stay enabled; in the `strong` sense,
    neither if they are enabled again and again. `name` is what people call them.
    """

    name: str
    actions: tuple[Label, ...]
    strong: bool = False

    def covers(self, label: Label) -> bool:
        """Whether an edge is one of its actions."""
        return any(label.belongs_to(action) for action in self.actions)

    def __str__(self) -> str:
        return f"{STRONG} {self.name}" if self.strong else self.name


@dataclass(frozen=True, slots=True)
class FairNames:
    """Fairness as it is declared or asked for, by names: to each of them, or to all together."""

    names: tuple[str, ...]
    strong: bool = False
    together: bool = False

    @staticmethod
    def parsed(text: str, known: Iterable[str]) -> FairNames:
        """What a text asks for: `NAME`, `strong NAME`, `NAME + NAME`; a name that is known is never taken apart."""
        taken = set(known)
        if text in taken:
            return FairNames((text,))
        first, _, rest = text.strip().partition(" ")
        strong = first == STRONG and bool(rest.strip())
        text = rest.strip() if strong else text
        names = (text,) if text in taken else tuple(one.strip() for one in text.split(TOGETHER))
        return FairNames(names, strong, len(names) > 1)


def resolved(system: System, asked: FairNames) -> Iterator[Fairness]:
    """What runs are fair to. A family's name stands for all its members, each on its own unless they are together.

    The steps of a process are one in the strong sense: it is taken where one of them is.
    """
    units: dict[str, dict[Label, None]] = {}
    for name in asked.names:
        for unit, label in named(system, name):
            whole = f" {TOGETHER} ".join(asked.names) if asked.together else unit if asked.strong else str(label)
            units.setdefault(whole, {})[label] = None
    for unit, labels in units.items():
        yield Fairness(unit, tuple(labels), asked.strong)


def named(system: System, name: str) -> list[tuple[str, Label]]:
    """The actions that a name stands for, each with what it is a part of."""
    declared = system.declared_actions()
    if not declared:
        return [(name, Label(name))]
    found = [(str(system.unit_of(one)), one.label) for one in declared if name in system.names_of(one)]
    if not found:
        available = dict.fromkeys(text for action in declared for text in system.names_of(action))
        raise RequestError("SC407", f"the model has no action {name!r}", suggestion=closest(name, available))
    return found
