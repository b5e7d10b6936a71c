"""Drafts: a state while an action works on it.

Every model gets a draft class of its own with one descriptor per variable. Reads see earlier writes of the same run;
the state the draft was made from is never changed. When the run is over the draft is closed: it loses its
values, and whoever kept it gets a clear error.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from operator import is_not
from typing import Any

from sweepcheck.core.replacing import replace_contents
from sweepcheck.core.running import Disabled, closed_draft, state_text, unknown_variable
from sweepcheck.core.structures import SAID_OTHERWISE, Set
from sweepcheck.core.values import Array, Bag, Queue, alike, settled, unfit, unlike
from sweepcheck.errors import (
    ModelAttributeError,
    ModelError,
    ModelIndexError,
    ModelTypeError,
    ModelValueError,
    caller,
    shown,
)
from sweepcheck.models.actions.choice import OFFERS, bound_name

_LASTING = frozenset({range, tuple, frozenset})  # alternatives that nothing changes: equal ones are the same again


class Choices:
    """The script of one run: choices already settled are replayed, new ones take their first alternative."""

    __slots__ = ("position", "script")

    def __init__(self) -> None:
        # By choice: what was offered, the distinct alternatives in it, which of these it is, and the name it is given.
        self.script: list[tuple[Any, tuple[Hashable, ...], int, str | None]] = []
        self.position = 0

    @property
    def labels(self) -> list[tuple[str | None, Hashable]]:
        """The names and alternatives chosen so far."""
        return [(name, found[index]) for _, found, index, name in self.script[: self.position]]

    def pick(self, alternatives: tuple[Hashable, ...], name: str | None, offered: Any = None) -> Hashable:
        """The scripted alternative, or the first one of a choice not met before."""
        if not alternatives:
            raise Disabled
        if self.position == len(self.script):
            self.script.append((offered, alternatives, 0, name))
        _, before, index, _ = self.script[self.position]
        if before is not alternatives and before != alternatives:
            raise ModelError(
                "SC213",
                "a choice had other alternatives when the action was run again",
                values=[("first", shown(before)), ("again", shown(alternatives))],
                suggestion="what an action does may depend on the state alone, not on counters, clocks or files",
            )
        self.position += 1
        return alternatives[index]

    def advance(self) -> bool:
        """Set the script to the next combination of alternatives; False when there is none left."""
        script = self.script
        del script[self.position :]
        self.position = 0
        while script:
            offered, alternatives, index, name = script[-1]
            if (index := index + 1) < len(alternatives):
                script[-1] = offered, alternatives, index, name
                return True
            script.pop()
        return False


class Draft:
    """The base of every model's draft class: values by position, and the run they belong to."""

    __slots__ = ("_choices", "_touched", "_values")
    _names: tuple[str, ...] = ()
    _met: tuple[dict[Any, Any], ...] = ()  # by variable: the values it was ever given, to themselves
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
            raise closed_draft()
        raise unknown_variable(name, self._names)

    def __repr__(self) -> str:
        return state_text(self, self._names)

    __hash__ = None  # type: ignore[assignment]  # a draft is no value: it cannot be stored in a state or a set

    # Everything but the variables starts with an underscore, so that a variable may have any other name.
    def _pick(self, alternatives: tuple[Hashable, ...], name: str | None) -> Any:
        """One of these alternatives, for the variable of this name."""
        return self._choices.pick(alternatives, name)

    def _choose(self, alternatives: tuple[Any, ...], distinct: Callable[[Any], tuple[Hashable, ...]]) -> Any:
        """See `Chooser`."""
        del distinct  # which `OFFERS` calls for what it has not met
        offered = alternatives[0] if len(alternatives) == 1 else alternatives
        choices = self._choices
        if (position := choices.position) < len(choices.script) and type(offered) in _LASTING:
            before, found, index, _ = choices.script[position]
            if before == offered and type(before) is type(offered):  # most choices are those of the run before
                choices.position = position + 1
                return found[index]
        frame = sys._getframe(2)
        return choices.pick(OFFERS.distinct(offered, frame, self), bound_name(frame), offered)

    def _touch(self) -> None:
        """See `Chooser`."""
        self._touched = True

    def _is_touched(self) -> bool:
        """See `Chooser`."""
        return self._touched

    def _close(self) -> None:
        """Take the values away: the run is over."""
        del self._values, self._choices


def admitted(value: Any, name: str, met: dict[Any, Any]) -> Any:
    """The value as it is kept, if a variable that has had the values `met` can hold it too.

    A variable never has two values that are equal and not alike, such as 2 and 2.0: they would be one state, and
    which of the two an action then reads would depend on the order of exploration.
    """
    try:
        known = met.get(value, met)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - whatever a __hash__ or __eq__ of the user's may raise
        raise _unfit(value, name, unfit(value) or "cannot be compared with the variable's other values") from None
    if known is value:
        return value
    if known is met:  # a new value
        if (why := unfit(value)) is not None:
            raise _unfit(value, name, why)
        met[value] = known = settled(value)
    elif not alike(known, value):
        raise unlike(repr(name), known, value)
    return known


def _unfit(value: Any, name: str, why: str) -> ModelError:
    suggestion = "use a tuple for a list, a frozenset for a set, a frozen dataclass or an Enum for an object"
    if "Editor" in why:
        suggestion = "store a value of its own: Bag(s.x), tuple(s.x), Record(s.x)"
    elif isinstance(value, Draft):
        suggestion = "store a variable's value, s.x, not the draft"
    return ModelTypeError("SC203", f"{name!r} was given {shown(value)}, which {why}", suggestion=suggestion)


class Variable:
    """A descriptor for one variable of a draft; the base class is that of plain, scalar values."""

    __slots__ = ("index", "name")

    def __init__(self, index: int, name: str) -> None:
        self.index = index
        self.name = name

    def __get__(self, draft: Draft, owner: type[Draft]) -> Any:
        return draft._values[self.index]

    def __set__(self, draft: Draft, value: Any) -> None:
        index = self.index
        draft._values[index] = admitted(value, self.name, draft._met[index])
        draft._touched = True

    def elements(self, value: Any) -> Iterable[Any]:
        """What of a value of this variable's is to be alike: the value, or what it holds."""
        return (value,)

    def __delete__(self, draft: Draft) -> None:
        raise ModelAttributeError(
            "SC204",
            f"variable {self.name!r} cannot be deleted",
            suggestion="a model has the same variables in every state; assign a value that means nothing, such as None",
        )


class StructuredVariable(Variable):
    """A descriptor for a bag, queue or array: it hands out an editor; what is assigned replaces the contents."""

    __slots__ = ("editor",)

    def __init__(self, index: int, name: str, editor: type[Editor]) -> None:
        super().__init__(index, name)
        self.editor = editor

    def __get__(self, draft: Draft, owner: type[Draft]) -> Any:
        return self.editor(draft, self.index, self.name)

    def elements(self, value: Any) -> Iterable[Any]:
        """See `Variable`."""
        return self.editor.elements(value)

    def __set__(self, draft: Draft, value: Any) -> None:
        replace_contents(self.editor(draft, self.index, self.name), self.editor.of, self.name, value)


class Editor:
    """A structured variable of a draft, while an action works on it."""

    __slots__ = ("_draft", "_index", "_name")
    kind = ""
    changes = ""
    of: type[Any] = object  # the values that such a variable has

    def __init__(self, draft: Draft, index: int, name: str) -> None:
        self._draft = draft
        self._index = index
        self._name = name

    @property
    def _value(self) -> Any:
        return self._draft._values[self._index]

    @property
    def _held(self) -> Any:
        """The value for who adds to it without a look at it: not noted as read."""
        values = self._draft._values
        return list.__getitem__(values, self._index) if isinstance(values, list) else values[self._index]

    @staticmethod
    def elements(value: Any) -> Iterable[Any]:
        """What a value of such a variable holds."""
        elements: Iterable[Any] = value
        return elements

    def _admitted(self, element: Any, name: str | None = None) -> Any:
        return admitted(element, name or self._name, self._draft._met[self._index])

    def _change(self, value: Any) -> None:
        self._draft._values[self._index] = value
        self._draft._touched = True

    def __len__(self) -> int:
        return len(self._value)

    def __iter__(self) -> Iterator[Any]:
        """What it holds now, whatever is done to it meanwhile."""
        return iter(self._value)

    def __contains__(self, element: object) -> bool:
        return element in self._value

    def __eq__(self, other: object) -> bool:
        return bool(self._value == _valued(other))

    def __le__(self, other: object) -> bool:
        return bool(self._value <= _valued(other))

    def __lt__(self, other: object) -> bool:
        return bool(self._value < _valued(other))

    def __ge__(self, other: object) -> bool:
        return bool(self._value >= _valued(other))

    def __gt__(self, other: object) -> bool:
        return bool(self._value > _valued(other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._value)

    def _position(self, index: Any) -> int:
        """The index, if an element has it."""
        length = len(self._value)
        if not isinstance(index, int):
            raise ModelTypeError(
                "SC207",
                f"{shown(index)} is no index of {self.kind} {self._name!r}",
                suggestion=f"indices are whole numbers, here from 0 to {length - 1}",
            )
        if not -length <= index < length:
            raise ModelIndexError(
                "SC207",
                f"index {shown(index)} is outside {self.kind} {self._name!r} of length {length}",
                suggestion=f"indices run from 0 to {length - 1}" if length else f"the {self.kind} is empty",
            )
        return int(index)

    # -- what cannot be done ----------------------------------------------------------------------------------------

    def _reassigned(self) -> ModelError:
        return ModelAttributeError(
            "SC204",
            f"{self.kind} {self._name!r} cannot be changed by an assignment such as +=",
            suggestion=f"change it with {self.changes.format(name=self._name)}",
        )

    def _impossible(
        self, what: str, suggestion: str | None = None, error: type[ModelError] = ModelTypeError
    ) -> ModelError:
        return error(
            "SC214",
            f"{self.kind} {self._name!r} {what}",
            suggestion=suggestion or f"change it with {self.changes.format(name=self._name)}",
        )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # Python's own questions, such as those of copy
            raise AttributeError(name)
        raise self._impossible(f"has no operation {name!r}", error=ModelAttributeError)

    def __iadd__(self, other: object) -> Any:
        raise self._reassigned()

    __isub__ = __ior__ = __iand__ = __ixor__ = __iadd__

    def __getitem__(self, index: Any) -> Any:
        raise self._impossible("has no order to index it by", "iterate over it, or use take() or peek()")

    def __setitem__(self, index: Any, value: Any) -> None:
        raise self._impossible("has no elements that can be assigned")

    def __delitem__(self, index: Any) -> None:
        raise self._impossible("has no elements that can be deleted")


def _as_they_are(draft: Draft) -> list[Any]:
    """What a draft holds, not noted as read; where values are read as they are needed, what was written."""
    values: Any = draft._values
    return [*list.__iter__(values)] if isinstance(values, list) else values.written()


def _valued(other: Any) -> Any:
    return other._value if isinstance(other, Editor) else other


class BagEditor(Editor):
    """A bag in a draft."""

    __slots__ = ()
    kind = "bag"
    of: type[Any] = Bag
    changes = "s.{name}.add(x), s.{name}.take() or s.{name}.clear()"

    @staticmethod
    def elements(value: Bag) -> Iterable[Any]:
        """See `Editor`."""
        return value.distinct()

    def add(self, token: Hashable, count: int = 1) -> None:
        """Add a token `count` times."""
        if not isinstance(count, int) or count < 0:
            raise self._impossible(f"cannot add {shown(token)} {shown(count)} times", "give a whole number, 0 or more")
        self._change(self._held.including(self._admitted(token), count))

    def take(self, *token: Hashable, where: Callable[[Any], object] | None = None) -> Any:
        """Remove one token: any of them, this one, or any that satisfies `where`; disabled when there is none."""
        chosen = self._select(token, where, sys._getframe(1))
        self._change(self._value.excluding(chosen))
        return chosen

    def peek(self, where: Callable[[Any], object] | None = None) -> Any:
        """Choose a token without removing it."""
        return self._select((), where, sys._getframe(1))

    def _select(self, token: tuple[Hashable, ...], where: Callable[[Any], object] | None, frame: Any) -> Any:
        if where is not None and not callable(where):
            raise self._impossible(f"cannot select by {shown(where)}", "where= is a function of a token")
        if token:
            if len(token) > 1 or where is not None:
                raise self._impossible("takes one token at a time", "call take() once for each token")
            if callable(token[0]) and not isinstance(token[0], type):
                raise self._impossible(f"was asked for the token {shown(token[0])}", "write take(where=function)")
            if (why := unfit(token[0])) is not None:
                raise _unfit(token[0], self._name, why)
            if token[0] not in self._value:
                raise Disabled
            return token[0]
        tokens = self._value.distinct()
        offered = tokens if where is None else tuple(one for one in tokens if self._satisfies(where, one))
        return self._draft._pick(offered, bound_name(frame))

    def _satisfies(self, where: Callable[[Any], object], token: Any) -> bool:
        """Whether a token is one of those wanted: so it is not where a `require` or a `peek` inside is disabled."""
        draft = self._draft
        values, position, touched = _as_they_are(draft), draft._choices.position, draft._touched
        try:
            wanted = bool(where(token))
        except Disabled:
            return False
        now = _as_they_are(draft)
        if position != draft._choices.position or len(values) != len(now) or any(map(is_not, values, now)):
            raise self._impossible("was asked by a function that chooses or changes something", "where= only reads")
        if touched != draft._touched:
            raise self._impossible("was asked by a function that calls stay()", "where= only reads")
        return wanted

    def _remove(self, token: Hashable, count: int) -> None:
        """Remove a token `count` times; disabled when there are fewer."""
        self._select((token,), None, None)
        if self._value.count(token) < count:
            raise Disabled
        self._change(self._value.excluding(token, count))

    def count(self, token: Hashable) -> int:
        """How many times the bag holds a token."""
        return int(self._value.count(token))

    def _has(self, token: Hashable, count: int) -> bool:
        """Whether the bag holds a token `count` times."""
        return self.count(token) >= count

    def clear(self) -> None:
        """Remove everything."""
        self._change(Bag())

    # What is computed from a bag or set is a value of its own; nothing of the state changes.
    def __add__(self, other: object) -> Any:
        return self._value + _valued(other)

    def __sub__(self, other: object) -> Any:
        return self._value - _valued(other)

    def __radd__(self, other: object) -> Any:
        return _valued(other) + self._value

    def __rsub__(self, other: object) -> Any:
        return _valued(other) - self._value

    def __or__(self, other: object) -> Any:
        return self._value | _valued(other)

    def __and__(self, other: object) -> Any:
        return self._value & _valued(other)

    def __xor__(self, other: object) -> Any:
        return self._value ^ _valued(other)

    __ror__, __rand__, __rxor__ = __or__, __and__, __xor__


class SetEditor(BagEditor):
    """A set in a draft."""

    __slots__ = ()
    kind = "set"
    of: type[Any] = Set
    changes = "s.{name}.add(x), s.{name}.discard(x), s.{name}.take() or s.{name}.clear()"

    def add(self, token: Hashable) -> None:  # type: ignore[override]
        """Add an element; nothing changes where it is there already."""
        self._change(self._held.including(self._admitted(token)))

    def discard(self, element: Hashable) -> None:
        """Remove an element; nothing changes where it is not there."""
        if (why := unfit(element)) is not None:
            raise _unfit(element, self._name, why)
        held = self._held
        self._change(held.excluding(element) if element in held else held)

    def clear(self) -> None:
        """Remove everything."""
        self._change(Set())

    def isdisjoint(self, other: Iterable[Hashable]) -> bool:
        """Whether it has no element in common with another set."""
        return bool(self._value.isdisjoint(other))

    def __getattr__(self, name: str) -> Any:
        if name in SAID_OTHERWISE:
            said = SAID_OTHERWISE[name].format(set=f"s.{self._name}")
            raise self._impossible(f"has no operation {name!r}", said, ModelAttributeError)
        return super().__getattr__(name)


class SequenceEditor(Editor):
    """A queue or array in a draft."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        return self._value[index if isinstance(index, slice) else self._position(index)]


class QueueEditor(SequenceEditor):
    """A queue in a draft."""

    __slots__ = ()
    kind = "queue"
    of: type[Any] = Queue
    changes = "s.{name}.put(x), s.{name}.get() or s.{name}.clear()"

    def put(self, element: Hashable) -> None:
        """Append an element; disabled when the queue is full."""
        queue: Queue = self._held
        element = self._admitted(element)
        if queue.capacity is not None and len(self._value) >= queue.capacity:
            raise Disabled
        self._change(Queue((*queue, element), queue.capacity))

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
        self._change(Queue((), self._held.capacity))

    def __reversed__(self) -> Iterator[Any]:
        """The same, the youngest element first."""
        elements: Iterator[Any] = reversed(self._value)
        return elements


class ArrayEditor(SequenceEditor):
    """An array in a draft."""

    __slots__ = ()
    kind = "array"
    of: type[Any] = Array
    changes = "s.{name}[i] = x"

    def __iter__(self) -> Iterator[Any]:
        """Each element as it is when its turn comes, as Python's lists do it."""
        for index in range(len(self._value)):
            yield self._value[index]

    def count(self, wanted: object) -> int:
        """How many elements are equal to this."""
        return int(self._value.count(wanted))

    def index(self, wanted: object) -> int:
        """The first index of an element that is equal to this."""
        if wanted not in self._value:
            ask_first = f"ask first: x in s.{self._name}"
            raise self._impossible(f"has no element {shown(wanted)}", ask_first, ModelValueError)
        return int(self._value.index(wanted))

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, slice):
            one_by_one = f"assign its elements one by one: for i in range({len(self._value)}): s.{self._name}[i] = x"
            raise self._impossible("has no slices that can be assigned", one_by_one)
        draft, at = self._draft, self._index
        elements = list(self._held)
        if type(index) is not int or not 0 <= index < len(elements):
            index = self._position(index)
        try:
            elements[index] = admitted(value, self._name, draft._met[at])
        except ModelError:  # which is to name the element
            self._admitted(value, f"{self._name}[{index}]")
            raise
        draft._values[at] = tuple.__new__(Array, elements)
        draft._touched = True


EDITORS: dict[type, type[Editor]] = {Bag: BagEditor, Set: SetEditor, Queue: QueueEditor, Array: ArrayEditor}


def draft_class(
    names: Sequence[str], initial: Sequence[Any], special: Mapping[str, type[Editor]] | None = None
) -> type[Draft]:
    """The draft class for variables with these names and (kinds of) initial values; some have editors of their own."""
    descriptors: dict[str, Any] = {"__slots__": (), "_names": tuple(names), "_met": tuple({} for _ in names)}
    for index, (name, value) in enumerate(zip(names, initial, strict=True)):
        editor = (special or {}).get(name) or EDITORS.get(type(value))
        descriptors[name] = Variable(index, name) if editor is None else StructuredVariable(index, name, editor)
    return type("Draft", (Draft,), descriptors)


class _Noted(list[Any]):
    """Values that note which of them were read or written."""

    __slots__ = ("touched",)
    touched: set[int]

    def __getitem__(self, index: Any) -> Any:
        self.touched.add(index)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        self.touched.add(index)
        super().__setitem__(index, value)


def noting_draft(draft: type[Draft], touched: set[int], values: Sequence[Any], choices: Choices) -> Draft:
    """A draft that adds to `touched` the positions of the variables that are read or written."""
    made = draft(values, choices)
    made._values = noted = _Noted(values)
    noted.touched = touched
    return made


def admit_initial(draft: type[Draft], state: tuple[Any, ...]) -> tuple[Any, ...]:
    """The initial state as it is kept; a model's drafts get to know its values, if they can all be there."""
    return tuple(admit_initial_value(draft, name, value) for name, value in zip(draft._names, state, strict=True))


def admit_initial_value(draft: type[Draft], name: str, value: Any) -> Any:
    """The same for the value of one variable."""
    variable = vars(draft)[name]
    for element in variable.elements(value):
        try:
            admitted(element, name, draft._met[variable.index])
        except ModelError as error:
            raise error.add(where=caller()) from None
    return settled(value)
