"""The way to a state: the core follows the edges of the parent file, and the model gives their labels."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from errno import EILSEQ
from itertools import islice, pairwise
from pathlib import Path
from tempfile import gettempdir, mkstemp
from typing import BinaryIO, NamedTuple

from sweepcheck._core import Explorer
from sweepcheck.core.equivalence import Equivalence
from sweepcheck.core.model import State
from sweepcheck.core.plan import Plan
from sweepcheck.core.running import current
from sweepcheck.core.survival import have_folder
from sweepcheck.core.tabulated import Tabulated
from sweepcheck.core.trace import Step, Trace
from sweepcheck.engines.checkpoints import NAME, PARENTS, damaged
from sweepcheck.engines.classes import class_of
from sweepcheck.engines.parents import Parents, damaged_parents, writing
from sweepcheck.engines.replay import IMPURE
from sweepcheck.errors import TraceError
from sweepcheck.properties.evaluation import show


class Written(NamedTuple):
    """The parent file: open for reading, and the name under which the core opens it for writing."""

    file: BinaryIO
    name: str


def temporary_file(suffix: str) -> tuple[int, str]:
    """A fresh file in the temporary folder, open, with a name that the core can be told: it knows UTF-8 alone."""
    try:
        gettempdir().encode()
    except UnicodeEncodeError:
        raise OSError(EILSEQ, "its name is no UTF-8") from None
    return mkstemp(prefix="sweepcheck-", suffix=suffix)


@contextmanager
def parent_file(plan: Plan, goes_on: bool = False) -> Iterator[Written | None]:
    """The parent file: in the folder asked for, or one whose name the core takes away as soon as it has opened it.
    A run that goes on with another one writes on in its file.
    """
    if not plan.trace:
        yield None
        return
    folder = plan.trace_dir if plan.checkpoint is None else plan.checkpoint.folder
    with writing(folder):
        if folder is None:
            number, name = temporary_file(".trc")
            file: BinaryIO = os.fdopen(number, "rb")
        else:
            have_folder(folder)
            name = str(folder / PARENTS)
            if goes_on and not os.path.isfile(name):
                raise damaged(folder / NAME, f"{PARENTS} beside it, which traces are made from, is missing")
            file = open(name, "r+b" if goes_on else "w+b")  # noqa: SIM115 - closed below
    try:
        with file:
            yield Written(file, name)
    finally:
        if folder is None:
            Path(name).unlink(missing_ok=True)  # where the core did not get to open it


def lost(core: Explorer) -> str | None:
    """Why the core gave the parent file up."""
    return os.strerror(core.trace_error) if core.trace_error else None


def trace_to(number: int, system: Tabulated, core: Explorer, parents: Written, classes: Equivalence | None) -> Trace:
    """The way to the state with this number. Where canonical states stand for classes, it is one of these states."""
    root, *positions = Parents.of(parents.file).path_to(number)
    if next(islice(system.initial_states(), root, None), None) is None:  # all of them may be many
        raise damaged_parents(f"there is no initial state {root}")
    token = current.set(core.chooser)
    try:
        states = core.follow(root, positions)
    finally:
        current.reset(token)
    if len(states) <= len(positions):
        states.append(None)
    by_class = classes if classes is not None and classes.canonical is not None else None
    return Trace(states[0], steps(system, states, classes=by_class))


def steps(
    system: Tabulated,
    states: Sequence[State],
    actions: Sequence[int] = (),
    classes: Equivalence | None = None,
) -> tuple[Step, ...]:
    """The edges between states that follow one another, by these actions where they are given.

    With classes, an edge leads to a state that is equivalent to the next one.
    """

    def key(state: State) -> Hashable:
        return state if classes is None else class_of(system, classes, state)

    found: list[Step] = []
    for position, (state, following) in enumerate(pairwise(states)):
        by = system.actions[actions[position]].label if actions else None
        edges = (edge for edge in system.edges(state) if by is None or edge.label.belongs_to(by))
        edge = next((edge for edge in edges if key(edge.target) == key(following)), None)
        if edge is None:
            raise TraceError(
                "SC502",
                f"step {len(found) + 1} has vanished: the model does something else now than in the exploration",
                values=[("state", show(system, state))],
                suggestion=IMPURE,
            )
        found.append(Step(edge.label, following))
    return tuple(found)
