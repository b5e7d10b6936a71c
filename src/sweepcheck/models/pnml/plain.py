"""Place/transition nets as the core reads them: thousands of nodes, and of none an object until somebody asks.

A file that is unusual, or wrong, is none of its business: `document` reads it with more care, and says what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, overload

from sweepcheck._core import PlainNet, read_plain_net
from sweepcheck.core.counting import CountNet
from sweepcheck.core.fairness import FairNames
from sweepcheck.core.files import CHUNK, read_chunks
from sweepcheck.core.limits import FileLimits
from sweepcheck.core.model import Label
from sweepcheck.core.tabulated import ActionFunction, NamedVariables, Tables, VariableKind
from sweepcheck.core.values import Bag
from sweepcheck.core.view import view_class
from sweepcheck.models.actions.action import Action
from sweepcheck.models.actions.draft import Draft, admit_initial, draft_class
from sweepcheck.models.net.hierarchy import flatten
from sweepcheck.models.net.net import Net
from sweepcheck.models.net.occurrence import Occurrence
from sweepcheck.models.net.system import NetModel, TransitionAction, transition_actions
from sweepcheck.models.net.time import CLOCK
from sweepcheck.models.pnml.naming import names
from sweepcheck.models.pnml.netkinds import is_plain
from sweepcheck.models.structures.faces import Faces

Item = TypeVar("Item")
MOST_BYTES = 1 << 28  # of a file that is taken into memory as it is
DECLARATION = re.compile(rb"<\?xml version=(?:'1\.0'|\"1\.0\")(?: encoding=[\"']([A-Za-z0-9._-]+)[\"'])? ?\?>")


def read_plain(path: Path, limits: FileLimits) -> PlainNet | None:
    """The place/transition net in a file; None where it has to be read with more care."""
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            return None
        text = b"".join(read_chunks(path, limits, max(size + 1, CHUNK)))  # in one piece
    except (OSError, ValueError):
        return None
    declared = DECLARATION.match(text)
    encoding = declared[1].lower() if declared is not None and declared[1] is not None else b"utf-8"
    if not text.isascii() and (encoding != b"utf-8" or not _is_utf8(text)):
        return None
    if encoding not in (b"utf-8", b"us-ascii", b"iso-8859-1"):
        return None
    found = read_plain_net(text, 0 if declared is None else declared.end())
    return found if found is not None and is_plain(found.type) and found.transitions.count else None


def _is_utf8(text: bytes) -> bool:
    """Whether the text can be read, and has no character that XML has not."""
    try:
        return not re.search("[\ufffe\uffff]", text.decode("utf-8"))
    except UnicodeDecodeError:
        return False


class PlainModel(NetModel):
    """The model of a place/transition net in a file. Its net, and what its transitions do, is made when it is needed:
    an exploration needs numbers alone.
    """

    def __init__(self, path: Path, found: PlainNet) -> None:
        self._path, self._found = path, found
        single, initial = found.single, found.initial  # a list is made anew each time that it is asked for
        self._as_written = found.has_ordinary_names(CLOCK)
        self.variables = tuple(found.places.names if self._as_written else list(self.ids.values())[: len(single)])
        self.name = found.name or found.id or path.stem
        self.parameters = MappingProxyType({})
        kinds = ["single" if one else "bag" for one in single]
        self.kinds = dict(zip(self.variables, kinds, strict=True))
        self.capacities = {}
        self.timed = self.time_is_relative = False
        held = {count: Bag({(): count} if count else ()) for count in set(initial)}
        marked = zip(initial, kinds, strict=True)
        self._initial = (tuple(() if kind == "single" else held[count] for count, kind in marked),)
        self._written_at = self.measure = None
        self._shapes = {}
        self._equivalence = self._cutoff = None
        self._asked, self._fair, self._constraints = {}, [], {}

    # -- what an exploration needs -----------------------------------------------------------------------------------

    @cached_property
    def ids(self) -> Mapping[str, str]:  # type: ignore[override]
        """See `NetModel.ids`."""
        places, transitions = self._found.places, self._found.transitions
        given = dict(zip(places.ids + transitions.ids, places.names + transitions.names, strict=True))
        return given if self._as_written else names(given)

    @cached_property
    def _transitions(self) -> Sequence[str]:
        written = self._found.transitions.names
        return written if self._as_written else list(self.ids.values())[-len(written) :]

    def declared_actions(self) -> Sequence[Action]:
        """See `Prepared`."""
        return self.actions

    @cached_property
    def actions(self) -> Sequence[Action]:
        """See `Model.actions`."""
        return _Late(self._found.transitions.count, lambda at: LateAction(self._transitions[at], self))

    def tabulate(self) -> Tables:
        """See `Tabulated`."""
        kinds = {kind: VariableKind(kind) for kind in set(self.kinds.values())}
        variables = NamedVariables(self.variables, [kinds[kind] for kind in self.kinds.values()])
        actions = self.actions
        functions = _Late(len(actions), lambda at: ActionFunction(actions[at].function, {}, actions[at].blame))
        return Tables(variables, functions)

    @cached_property
    def _counted(self) -> CountNet | None:
        held = zip(self.kinds.items(), self._found.initial, strict=True)
        counted = {name: count for (name, kind), count in held if kind == "bag"}
        actions = range(self._found.transitions.count)
        return CountNet(tuple(counted), tuple(counted.values()), actions, self._found.counts)

    def locate(self, label: Label) -> str | None:
        """See `NetModel.locate`."""
        at = self._lines.get(label.action)
        return None if at is None else f"{self._path.name}:{at}"

    @cached_property
    def _lines(self) -> dict[str, int]:
        return dict(zip(self._transitions, self._found.transitions.lines, strict=True))

    def declared_fairness(self) -> tuple[FairNames, ...]:
        """See `Prepared`: of its transitions the file says nothing."""
        return tuple(self._fair)

    def action_functions(self) -> dict[str, Callable[..., Any]]:
        """See `Prepared`: nobody has written any."""
        return {}

    # -- what only some need -----------------------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        if name not in LATE:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        made = LATE[name](self)
        setattr(self, name, made)
        return made

    def _new_net(self) -> Net:
        """The net as if the file had been read with more care."""
        from sweepcheck.models.pnml.translation import translated
        from sweepcheck.models.pnml.unplain import document

        return translated(document(self._path, self._found), self.ids)

    def _new_draft(self) -> type[Draft]:
        made = draft_class(self.variables, self._initial[0])
        admit_initial(made, self._initial[0])
        return made


LATE: dict[str, Callable[[PlainModel], Any]] = {
    "net": PlainModel._new_net,
    "_flat": lambda model: flatten(model.net),
    "_singles": lambda model: model._flat.singles(),
    "_families": lambda model: transition_actions(model._flat, model._singles),
    "_faces": lambda model: Faces(dict(zip(model.variables, model._initial[0], strict=True))),
    "_draft": PlainModel._new_draft,
    "_view": lambda model: view_class(model.variables),
}


class LateAction(TransitionAction):
    """A transition of which only the name is known yet."""

    __slots__ = ("_label", "_model")
    _label: Label | None
    _model: PlainModel
    arguments = ()  # of all of them, so that a net of thousands is made quickly
    fair = False
    face = None

    def __init__(self, name: str, model: PlainModel) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "_model", model)
        object.__setattr__(self, "_label", None)

    @property
    def label(self) -> Label:
        """See `Action`: whoever asks for it asks again and again."""
        if self._label is None:
            object.__setattr__(self, "_label", Label(self.name))
        return self._label  # type: ignore[return-value]

    def __str__(self) -> str:
        return self.name

    @property
    def _made(self) -> TransitionAction:
        made = self._model._families[self.name][0]
        assert isinstance(made, TransitionAction)
        return made

    @property
    def function(self) -> Callable[..., object]:
        """See `Action`."""
        return self._made.function

    @property
    def occurrence(self) -> Occurrence | None:
        """See `TransitionAction`."""
        return self._made.occurrence

    @property
    def where(self) -> str | None:
        """See `TransitionAction`."""
        return self._model.locate(self.label)


class _Late(Sequence[Item]):
    """So many things, each made when somebody asks for it."""

    def __init__(self, count: int, make: Callable[[int], Item]) -> None:
        self._made: list[Item | None] = [None] * count
        self._make = make

    def __len__(self) -> int:
        return len(self._made)

    def __iter__(self) -> Iterator[Item]:
        make = self._make
        for at, one in enumerate(self._made):
            if one is None:
                one = self._made[at] = make(at)  # noqa: PLW2901
            yield one

    @overload
    def __getitem__(self, at: int) -> Item: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Item]: ...
    def __getitem__(self, at: int | slice) -> Item | Sequence[Item]:
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        at = range(len(self))[at]
        made = self._made[at]
        if made is None:
            made = self._made[at] = self._make(at)
        return made
