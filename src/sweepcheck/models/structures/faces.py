"""A state as its author knows it: structured variables over those that engines know."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from functools import cached_property
from itertools import product
from types import SimpleNamespace
from typing import Any

from sweepcheck.core.running import state_text, unknown_variable
from sweepcheck.core.structures import is_made_of_parts, valued
from sweepcheck.core.values import Array
from sweepcheck.errors import ModelError, caller
from sweepcheck.models.structures.editors import undeletable
from sweepcheck.models.structures.parts import Holder, Leaf, Part, Positions, Scalars, leaves_of, part_of, size_of

Face = Callable[[Any], Any]


class Faces:
    """The structured variables of a model; there may be none."""

    def __init__(self, declared: Mapping[str, Any]) -> None:
        self.names = tuple(declared)
        self._declared = dict(declared)
        self._parts: dict[str, Part] = {}
        self.flat: dict[str, Any] = {}  # the variables that engines know, with their initial values
        for name, value in declared.items():
            if is_made_of_parts(value):
                self._parts[name] = part_of(name, value)
                self.flat.update(self._spread(name, value))
            else:
                self.flat[name] = value
        self.face: Face | None = self._face_class() if self._parts else None

    def extended(self, added: Mapping[str, Any]) -> Faces:
        """The same with more variables."""
        return Faces({**self._declared, **added}) if added else self

    def _spread(self, name: str, value: Any) -> dict[str, Any]:
        """The values of those variables that a structured one stands for."""
        held: dict[str, Any] = {}
        arrays: dict[str, list[Any]] = {}

        def put(part: Scalars | Holder, at: Positions, one: Any) -> None:
            if isinstance(part, Holder):
                held[part.names[part.position(at)]] = one
            elif part.lengths:
                arrays.setdefault(part.name, [None] * size_of(part))[part.position(at)] = one
                held[part.name] = None  # in its place
            else:
                held[part.name] = one

        try:
            self._parts[name].spread(value, (), put)
        except ModelError as error:
            raise error.add(where=caller()) from None
        return {each: Array(arrays[each]) if each in arrays else one for each, one in held.items()}

    def flattened(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """Values of some variables as those of the variables that engines know."""
        found: dict[str, Any] = {}
        for name, value in state.items():
            found.update(self._spread(name, value) if name in self._parts else {name: value})
        return found

    def combinations(self, values: Mapping[str, Iterable[Any]]) -> Iterable[dict[str, Any]]:
        """Every combination of values of some variables."""
        return (dict(zip(values, chosen, strict=True)) for chosen in product(*values.values()))

    def are_named(self, names: Iterable[str]) -> bool:
        """Whether a structured variable is among these."""
        return any(name in self._parts for name in names)

    def leaves(self, name: str) -> tuple[Leaf, ...]:
        """What a structured variable consists of; of any other there is nothing to tell."""
        return tuple(leaves_of(self._parts[name])) if name in self._parts else ()

    def faced(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function of the state as its author knows it, as one of the state that engines know."""
        face = self.face
        return function if face is None else lambda flat, **given: function(face(flat), **given)

    def reading(self, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """The same for a predicate, a measure or a key: what it gives outlives the state."""
        face = self.face
        return function if face is None else lambda flat: valued(function(face(flat)))

    def flat_view(self, view: Any) -> Any:
        """What a function of the state was given, as engines know it."""
        return view._flat if isinstance(view, _Face) else view

    def described(self, flat: Any, state: Mapping[str, Any]) -> dict[str, object]:
        """A state by its variables, structured ones by their parts."""
        found: dict[str, object] = {}
        for name in self.names:
            part = self._parts.get(name)
            if part is None:
                found[name] = state[name]
            else:
                found.update(part.described(flat, name, ()))
        return found

    @cached_property
    def words(self) -> dict[str, Any]:
        """Where that is which people call so: a variable of the engines' and a position in it, or an array of these."""
        marks: dict[str, Any] = {
            name: Array((name, i) for i in range(len(value))) if type(value) is Array else (name, 0)
            for name, value in self.flat.items()
        }
        probe = SimpleNamespace()
        vars(probe).update(marks)
        return {words: mark for name, part in self._parts.items() for words, mark in part.described(probe, name, ())}

    @cached_property
    def spoken(self) -> dict[str, tuple[str, ...]]:
        """What people call the variables that structured ones consist of, and the elements of arrays among them."""
        found: dict[str, dict[int, str]] = {}
        for words, mark in self.words.items():
            for i, (flat, position) in enumerate(mark if isinstance(mark, Array) else [mark]):
                found.setdefault(flat, {})[position] = f"{words}[{i}]" if isinstance(mark, Array) else words
        return {name: tuple(by_position[i] for i in sorted(by_position)) for name, by_position in found.items()}

    def _face_class(self) -> Face:
        members: dict[str, Any] = {"__slots__": (), "_names": self.names, "_faces": self}
        for name in self.names:
            part = self._parts.get(name)
            members[name] = _plain(name) if part is None else _structured(name, part)
        return type("Face", (_Face,), members)


class _Face:
    """The base of every model's own class: a draft or view of an engine, with structured variables."""

    __slots__ = ("_flat",)
    _names: tuple[str, ...] = ()
    _faces: Faces
    _flat: Any

    def __init__(self, flat: Any) -> None:
        object.__setattr__(self, "_flat", flat)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name in self._faces.words:  # as a state is described: getattr(s, name)
            mark: Any = self._faces.words[name]
            return Array(map(self._marked, mark)) if isinstance(mark, Array) else self._marked(mark)
        if name in self._faces.flat:  # as engines call it
            return getattr(self._flat, name)
        raise unknown_variable(name, self._names)

    def _marked(self, mark: Any) -> Any:
        name, position = mark
        held = getattr(self._flat, name)
        return held[position] if type(self._faces.flat[name]) is Array else held

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._names:
            raise unknown_variable(name, self._names)
        object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        return state_text(self, self._names)

    def __deepcopy__(self, memo: dict[int, Any]) -> _Face:
        return type(self)(deepcopy(self._flat, memo))

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and bool(self._flat == other._flat)

    def __hash__(self) -> int:
        return hash(self._flat)


def _plain(name: str) -> property:
    return property(
        lambda self: getattr(self._flat, name),
        lambda self, value: setattr(self._flat, name, value),
        lambda self: delattr(self._flat, name),
    )


def _structured(name: str, part: Part) -> property:
    def delete(_: _Face) -> None:
        raise undeletable(f"variable {name!r}")

    return property(
        lambda self: part.reach(self._flat, ()),
        lambda self, value: part.assign(self._flat, (), value),
        delete,
    )
