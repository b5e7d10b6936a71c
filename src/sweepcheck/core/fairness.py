"""Which runs count: those that do not ignore one action, or several together, for ever; and where runs may end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sweepcheck.core.model import Edge, Label, State, System
from sweepcheck.core.tabulated import is_tabulated
from sweepcheck.errors import RequestError, closest

STRONG = "strong"
TOGETHER = "+"
OF = " of "
EVERYTHING = "*"  # all variables


@dataclass(frozen=True, slots=True)
class Fairness:
    """Actions that runs are fair to, together: they are enabled where one of them is, and taken where one of them is.

    A run that is fair in the weak sense does not ignore them for ever while they stay enabled; in the `strong` sense,
    neither if they are enabled again and again. `name` is what people call them. A step that changes none of the
    variables `of` is no step of theirs; where there are none, every step is.
    """

    name: str
    actions: tuple[Label, ...]
    strong: bool = False
    of: tuple[str, ...] = ()

    def covers(self, label: Label) -> bool:
        """Whether an edge is one of its actions."""
        return any(label.belongs_to(action) for action in self.actions)

    def takes(self, system: System, state: State, edge: Edge) -> bool:
        """Whether a step takes one of its actions."""
        return self.covers(edge.label) and (
            not self.of or _values(system, state, self.of) != _values(system, edge.target, self.of)
        )

    def __str__(self) -> str:
        return (f"{STRONG} " if self.strong else "") + self.name


def _values(system: System, state: State, variables: Sequence[str]) -> list[object]:
    """The values of some variables, or parts of these, as engines know them."""
    known = dict(zip(system.variables, state, strict=False)) if is_tabulated(system) else system.describe(state)  # type: ignore[call-overload]
    return [known[name] for name in variables]


@dataclass(frozen=True, slots=True)
class Runs:
    """Which runs count: those that are `fair` to all of that. Where the model stutters, a run may end in any state."""

    fair: tuple[Fairness, ...] = ()
    stuttering: bool = False


ALL_RUNS = Runs()


@dataclass(frozen=True, slots=True)
class FairNames:
    """Fairness as it is declared or asked for, by names: to each of them, or to all together.

    `of` are the variables of which a step has to change one to count as one of their steps.
    """

    names: tuple[str, ...]
    strong: bool = False
    together: bool = False
    of: tuple[str, ...] = ()

    @staticmethod
    def parsed(text: str, known: Iterable[str]) -> FairNames:
        """What a text asks for: `NAME`, `strong NAME`, `NAME + NAME`, `NAME of VARIABLE, VARIABLE`.

        A name that is known is never taken apart.
        """
        taken = set(known)
        if text in taken:
            return FairNames((text,))
        asked, said, variables = text.rpartition(OF)
        if said:
            return replace(FairNames.parsed(asked, taken), of=tuple(one.strip() for one in variables.split(",")))
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
    of = _variables(system, asked.of)
    for name in asked.names:
        for unit, label in named(system, name):
            whole = f" {TOGETHER} ".join(asked.names) if asked.together else unit if asked.strong else str(label)
            units.setdefault(whole, {})[label] = None
    for unit, labels in units.items():
        name = f"{unit}{OF}{', '.join(asked.of)}" if of else unit
        yield Fairness(name, tuple(labels), asked.strong, of)


def _variables(system: System, names: Sequence[str]) -> tuple[str, ...]:
    """The variables that engines know, of those that are named: parts of structures are variables of their own."""
    known = tuple(system.variables) or tuple(system.describe(system.initial_states()[0]))
    found: dict[str, None] = {}
    for name in names:
        meant = [one for one in known if name in (EVERYTHING, one, re.split(r"[.\[]", one, maxsplit=1)[0])]
        if not meant:
            available = dict.fromkeys(re.split(r"[.\[]", one, maxsplit=1)[0] for one in known)
            raise RequestError(
                "SC407",
                f"the model has no variable {name!r}, which fairness is to look at",
                suggestion=closest(name, available),
            )
        found.update(dict.fromkeys(meant))
    return tuple(found)


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
