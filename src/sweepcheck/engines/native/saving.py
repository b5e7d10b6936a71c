"""What the native engine writes down of a run, and how it goes on with one.

The core writes states as packed words, with the layout that they have; what the words mean is here: the values of each
variable by number, progress values, keys of classes and values of tallies, as data (`core.portable`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from sweepcheck._core import Explorer
from sweepcheck.core.plan import Plan, Statistics
from sweepcheck.core.portable import NotPortableError, classes_in, portable, value_of
from sweepcheck.core.survival import typed_command
from sweepcheck.core.tabulated import Tabulated, is_tabulated
from sweepcheck.core.verdict import Stop
from sweepcheck.engines import checkpoints
from sweepcheck.engines.checkpoints import Checkpoint, damaged
from sweepcheck.engines.identity import identity, refuse_changed
from sweepcheck.errors import RequestError, shown
from sweepcheck.text import value_text

LASTING = (None, Stop.DECIDED, Stop.VIOLATION, Stop.CONSTRAINT, Stop.BOUND)  # ends that no resumed run would change
BYTES = ("state_bytes", "table_bytes")  # whose peak the core does not know of a run that it goes on with
Values = list[Any]


class Saving:
    """The checkpoints of one run: the one it goes on with, if there is one, and those that it writes."""

    def __init__(self, plan: Plan, system: Tabulated, version: str) -> None:
        assert plan.checkpoint is not None
        self.folder = plan.checkpoint.folder
        self._plan = plan
        self._variables = [one.name for one in system.tabulate().variables]
        self._classes = classes_in(value for state in system.initial_states() for value in _parts(state))
        self._identity = identity(plan, system, version)
        self.before: Checkpoint | None = self._found()
        self.has_written = self.before is not None  # there is a good checkpoint in the folder

    def _found(self) -> Checkpoint | None:
        """The checkpoint in the folder, if it is one of this run."""
        found = checkpoints.read(self.folder)
        if found is None:
            return None
        saved = found.description.get("identity")
        if not isinstance(saved, dict):
            raise damaged(found.path, "it does not say what it is of")
        refuse_changed(saved, self._identity, self.folder)
        return found

    def begin_anew(self) -> None:
        """Whatever was found is not gone on with."""
        self.before = None

    @property
    def counts_natively(self) -> bool:
        """Whether the measure was added up by the core when the checkpoint was written."""
        return self.before is None or bool(self.before.description.get("linear", True))

    @property
    def is_over(self) -> bool:
        """Whether the run had come to its end when the checkpoint was written."""
        return self.before is not None and self.before.description.get("over") is True

    def with_what_came_before(self, numbers: Statistics) -> Statistics:
        """Memory is told at its peak, be that before the run was broken off."""
        if self.before is None:
            return numbers
        try:
            saved = self.before.description["counters"]
            most: dict[str, Any] = {name: max(getattr(numbers, name) or 0, int(saved.get(name) or 0)) for name in BYTES}
        except (LookupError, AttributeError, TypeError, ValueError, OverflowError):
            raise damaged(self.before.path, "it does not tell how much memory was used") from None
        return replace(numbers, **most)

    # -- writing -----------------------------------------------------------------------------------------------------

    def write(
        self, core: Explorer, linear: bool, learnt: dict[str, list[Values]], stop: Stop | None, over: bool
    ) -> None:
        """Write down how far the run is; `learnt` are lists of values whose positions are numbers in the core."""
        counted = core.counters
        description = {
            "identity": self._identity,
            "command": command_typed(),
            "written": datetime.now(UTC).isoformat(timespec="seconds"),
            "over": over,
            "stop": None if stop is None else stop.name,
            "linear": linear,
            "counters": {
                name: getattr(counted, name)
                for name in ("states", "edges", "explored", "stored", "peak", "layers", "sweeps", "seconds", *BYTES)
            },
            "variables": [self._variable(core, number) for number in range(len(self._variables))],
            "learnt": {name: [self._listed(values, name) for values in lists] for name, lists in learnt.items()},
        }
        checkpoints.write(self.folder, description, lambda path: core.save(path, over))
        self.has_written = True

    def _variable(self, core: Explorer, number: int) -> dict[str, Any]:
        values, asked, kinds, kinds_asked = core.values(number)
        name = self._variables[number]
        return {
            "name": name,
            "values": self._listed(values, f"variable {name!r}"),
            "asked": [i for i, one in enumerate(asked) if one],
            "kinds": self._listed(kinds, f"variable {name!r}"),
            "kinds asked": [i for i, one in enumerate(kinds_asked) if one],
        }

    def _listed(self, values: Sequence[Any], of: str) -> list[Any]:
        try:
            return [portable(value, self._classes) for value in values]
        except NotPortableError as error:
            raise RequestError(
                "SC617",
                f"a value of {of} cannot be written as data, so that no checkpoint can be kept: {shown(error.args[0])}",
                values=[("type", type(error.args[0]).__qualname__)],
                suggestion="use numbers, text, tuples, sets, enumerations, named tuples or dataclasses of a module",
            ) from None

    # -- reading -----------------------------------------------------------------------------------------------------

    def restore(self, core: Explorer) -> dict[str, list[Values]]:
        """Give the values of variables their numbers; what else was learnt."""
        assert self.before is not None
        path, description = self.before.path, self.before.description
        try:
            if len(description["variables"]) != len(self._variables):
                raise damaged(path, "it has other variables")
            for number, one in enumerate(description["variables"]):
                values, kinds = self._read(one["values"]), self._read(one["kinds"])
                asked, kinds_asked = _flags(one["asked"], values), _flags(one["kinds asked"], kinds)
                if one["name"] != self._variables[number] or not core.restore(
                    number, values, asked, kinds, kinds_asked
                ):
                    raise damaged(path, f"variable {one['name']!r} has other values now")
            return {name: [self._read(values) for values in lists] for name, lists in description["learnt"].items()}
        except (NotPortableError, LookupError, TypeError, ValueError, AttributeError) as error:
            raise damaged(path, f"its values are none ({value_text(str(error))})") from None

    def _read(self, values: Sequence[Any]) -> list[Any]:
        return [value_of(one, self._classes) for one in values]


@contextmanager
def saving_of(plan: Plan) -> Iterator[Saving | None]:
    """The checkpoints of a plan, if any are asked for; nobody else uses their folder within."""
    if plan.checkpoint is None:
        yield None
        return
    version: str = sys.modules["sweepcheck"].__version__  # which nothing below it may import
    assert is_tabulated(plan.system)
    with checkpoints.opened(plan.checkpoint.folder):
        yield Saving(plan, plan.system, version)


def _parts(state: Any) -> Sequence[Any]:
    return state if isinstance(state, tuple) else (state,)


def _flags(positions: Sequence[int], values: Sequence[Any]) -> list[int]:
    flags = [0] * len(values)
    for position in positions:
        flags[position] = 1
    return flags


def command_typed() -> dict[str, Any] | None:
    """What was typed, as a checkpoint keeps it."""
    command = typed_command.get()
    if command is None:
        return None
    return {"arguments": list(command.arguments), "folder": os.path.abspath(command.folder)}
