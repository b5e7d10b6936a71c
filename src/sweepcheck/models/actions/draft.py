"""Drafts: a state while an action works on it.

Every model gets a draft class of its own with one descriptor per variable. Reads see earlier writes of the same run;
the state the draft was made from is never changed. When the run is over the draft is closed: it loses its
values, and whoever kept it gets a clear error.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

from sweepcheck.core.values import Array, Bag, Queue
from sweepcheck.errors import ModelError, closest
from sweepcheck.models.actions.choice import Disabled, bound_name


class Choices:
    """The script of one run: choices already settled are replayed, new ones take their first alternative."""

    __slots__ = ("_script", "labels", "position")

    def __init__(self) -> None:
        self._script: list[tuple[tuple[Hashable, ...], int]] = []
        self.position = 0
        self.labels: list[tuple[str | None, Hashable]] = []

    def pick(self, alternatives: tuple[Hashable, ...], name: str | None) -> Hashable:
        """The scripted alternative, or the first one of a choice not met before."""
        if not alternatives:
            raise Disabled
        if self.position == len(self._script):
            self._script.append((alternatives, 0))
        chosen = alternatives[self._script[self.position][1]]
        self.position += 1
        self.labels.append((name, chosen))
        return chosen

    def advance(self) -> bool:
        """Set the script to the next combination of alternatives; False when there is none left."""
        del self._script[self.position :]
        while self._script:
            alternatives, index = self._script.pop()
            if index + 1 < len(alternatives):
                self._script.append((alternatives, index + 1))
                break
        self.position = 0
        self.labels = []
        return bool(self._script)


class Draft:
    """The base of every model's draft class: values by position, and the run they belong to."""

    __slots__ = ("_choices", "_touched", "_values")
    _names: tuple[str, ...] = ()
    _values: list[Any]
    _choices: Choices
    _touched: bool

    def __init__(self, values: Sequence[Any], choices: Choices) -> None:
        self._values = list(values)
        self._choices = choices
        self._touched = False

    def __getattr__(self, name: str) -> Any:
        # Only met when the ordinary look-up fails: a closed draft has lost its values, or no variable is called so.
        if name in Draft.__slots__:
            raise ModelError(
                "SC205",
                "a draft was used after its action had ended",
                suggestion="keep values, not the draft: x = s.x",
            )
        raise unknown_variable(name, self._names)

    def pick(self, alternatives: tuple[Hashable, ...], name: str | None) -> Any:
        """See `choice.Chooser`."""
        return self._choices.pick(alternatives, name)

    def touch(self) -> None:
        """See `choice.Chooser`."""
        self._touched = True

    def close(self) -> None:
        """Take the values away: the run is over."""
        del self._values, self._choices


def unknown_variable(name: str, names: Sequence[str]) -> ModelError:
    """The error for a variable that is not declared."""
    return ModelError("SC202", f"the model has no variable {name!r}", suggestion=closest(name, names))


def hashable(value: Any, name: str) -> Any:
    """The value, if it can be part of a state."""
    try:
        hash(value)
    except TypeError as error:
        raise ModelError(
            "SC203",
            f"variable {name!r} was given {value!r}, which cannot be hashed ({error})",
            suggestion="use a tuple for a list, a frozenset for a set, a frozen dataclass for an object",
        ) from None
    return value


class Variable:
    """A descriptor for one variable of a draft; the base class is that of plain, scalar values."""

    __slots__ = ("index", "name")

    def __init__(self, index: int, name: str) -> None:
        self.index = index
        self.name = name

    def __get__(self, draft: Draft, owner: type[Draft]) -> Any:
        return draft._values[self.index]

    def __set__(self, draft: Draft, value: Any) -> None:
        draft._values[self.index] = hashable(value, self.name)
        draft._touched = True


class StructuredVariable(Variable):
    """A descriptor for a bag, queue or array: it hands out an editor and refuses assignment."""

    __slots__ = ("editor",)

    def __init__(self, index: int, name: str, editor: type[Editor]) -> None:
        super().__init__(index, name)
        self.editor = editor

    def __get__(self, draft: Draft, owner: type[Draft]) -> Any:
        return self.editor(draft, self.index, self.name)

    def __set__(self, draft: Draft, value: Any) -> None:
        kind = type(draft._values[self.index]).__name__.lower()
        raise ModelError(
            "SC204",
            f"variable {self.name!r} is a {kind} and cannot be assigned to",
            suggestion=f"change it with {self.editor.changes.format(name=self.name)}",
        )


class Editor:
    """A structured variable of a draft, while an action works on it."""

    __slots__ = ("_draft", "_index", "_name")
    changes = ""

    def __init__(self, draft: Draft, index: int, name: str) -> None:
        self._draft = draft
        self._index = index
        self._name = name

    @property
    def _value(self) -> Any:
        return self._draft._values[self._index]

    def _change(self, value: Any) -> None:
        self._draft._values[self._index] = value
        self._draft._touched = True

    def __len__(self) -> int:
        return len(self._value)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._value)

    def __contains__(self, element: object) -> bool:
        return element in self._value

    def __eq__(self, other: object) -> bool:
        return bool(self._value == (other._value if isinstance(other, Editor) else other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._value)


class BagEditor(Editor):
    """A bag in a draft."""

    __slots__ = ()
    changes = "s.{name}.add(x), s.{name}.take() or s.{name}.clear()"

    def add(self, token: Hashable, count: int = 1) -> None:
        """Add a token `count` times."""
        self._change(self._value.add(hashable(token, self._name), count))

    def take(self, *token: Hashable, where: Callable[[Any], object] | None = None) -> Any:
        """Remove one token: any of them, this one, or any that satisfies `where`; disabled when there is none."""
        chosen = self._select(token, where, sys._getframe(1))
        self._change(self._value.remove(chosen))
        return chosen

    def peek(self, where: Callable[[Any], object] | None = None) -> Any:
        """Choose a token without removing it."""
        return self._select((), where, sys._getframe(1))

    def _select(self, token: tuple[Hashable, ...], where: Callable[[Any], object] | None, frame: Any) -> Any:
        if token:
            if token[0] not in self._value:
                raise Disabled
            return token[0]
        tokens = self._value.distinct()
        offered = tokens if where is None else tuple(one for one in tokens if where(one))
        return self._draft.pick(offered, bound_name(frame))

    def count(self, token: Hashable) -> int:
        """How many times the bag holds a token."""
        return int(self._value.count(token))

    def clear(self) -> None:
        """Remove everything."""
        self._change(Bag())


class QueueEditor(Editor):
    """A queue in a draft."""

    __slots__ = ()
    changes = "s.{name}.put(x), s.{name}.get() or s.{name}.clear()"

    def put(self, element: Hashable) -> None:
        """Append an element; disabled when the queue is full."""
        queue: Queue = self._value
        if queue.capacity is not None and len(queue) >= queue.capacity:
            raise Disabled
        self._change(Queue((*queue, hashable(element, self._name)), queue.capacity))

    def get(self) -> Any:
        """Remove and return the oldest element; disabled when the queue is empty."""
        element = self.peek()
        self._change(Queue(self._value[1:], self._value.capacity))
        return element

    def peek(self) -> Any:
        """The oldest element; disabled when the queue is empty."""
        if not self._value:
            raise Disabled
        return self._value[0]

    def clear(self) -> None:
        """Remove everything."""
        self._change(Queue((), self._value.capacity))

    def __getitem__(self, index: int) -> Any:
        return self._value[index]


class ArrayEditor(Editor):
    """An array in a draft."""

    __slots__ = ()
    changes = "s.{name}[i] = x"

    def __getitem__(self, index: Any) -> Any:
        return self._value[index] if isinstance(index, slice) else self._value[self._position(index)]

    def __setitem__(self, index: int, value: Any) -> None:
        elements = list(self._value)
        elements[self._position(index)] = hashable(value, f"{self._name}[{index}]")
        self._change(Array(elements))

    def _position(self, index: Any) -> int:
        length = len(self._value)
        if not isinstance(index, int) or not -length <= index < length:
            raise ModelError(
                "SC207",
                f"index {index!r} is outside array {self._name!r} of {length} elements",
                suggestion=f"indices run from 0 to {length - 1}" if length else "the array is empty",
            )
        return int(index)


EDITORS: dict[type, type[Editor]] = {Bag: BagEditor, Queue: QueueEditor, Array: ArrayEditor}


def draft_class(names: Sequence[str], initial: Sequence[Any]) -> type[Draft]:
    """The draft class for variables with these names and (kinds of) initial values."""
    descriptors: dict[str, Any] = {"__slots__": (), "_names": tuple(names)}
    for index, (name, value) in enumerate(zip(names, initial, strict=True)):
        editor = EDITORS.get(type(value))
        descriptors[name] = Variable(index, name) if editor is None else StructuredVariable(index, name, editor)
    return type("Draft", (Draft,), descriptors)


class View:
    """A state as predicates and measures read it."""

    __slots__ = ("_values",)
    _names: tuple[str, ...] = ()
    _values: tuple[Any, ...]

    def __init__(self, values: tuple[Any, ...]) -> None:
        object.__setattr__(self, "_values", values)

    def __setattr__(self, name: str, value: object) -> None:
        raise ModelError(
            "SC206",
            f"{name!r} was assigned in a predicate or measure",
            suggestion="predicates and measures only read; change the state in an action",
        )

    def __getattr__(self, name: str) -> Any:
        raise unknown_variable(name, self._names)

    def __repr__(self) -> str:
        return " ".join(f"{name}={value!r}" for name, value in zip(self._names, self._values, strict=True))


def view_class(names: Sequence[str]) -> type[View]:
    """The view class for variables with these names."""

    def reader(index: int) -> property:
        return property(lambda view: view._values[index])

    descriptors: dict[str, Any] = {"__slots__": (), "_names": tuple(names)}
    descriptors.update((name, reader(index)) for index, name in enumerate(names))
    return type("View", (View,), descriptors)
