"""Variables that are the elements of one array, as one value: an array of bags is a bag for each element in a state."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sweepcheck.core.values import Array
from sweepcheck.models.structures.parts import Leaf
from sweepcheck.models.symmetry.canonical import Canonical, Row
from sweepcheck.models.symmetry.shape import NOWHERE, Elements, Indexed, IndexSet, Shape


def fitting(leaf: Leaf, of: IndexSet) -> list[int]:
    """The dimensions of an array that have an element, row or column for each member of a set, the outermost first.

    Those whose indices or keys are the members, if there are any; else arrays that have as many elements.
    """
    same = [number for number, keys in enumerate(leaf.keys) if tuple(keys) == of.members]
    return same or [number for number, keys in enumerate(leaf.keys) if len(keys) == len(of) and isinstance(keys, range)]


def indexed_by(leaf: Leaf, of: IndexSet, dimensions: Collection[int]) -> Shape:
    """The shape of an array that is indexed by a set in some of its dimensions."""
    shape: Shape = NOWHERE
    for number in reversed(range(len(leaf.keys))):
        if number in dimensions:
            shape = Indexed(of, shape)
        elif shape is not NOWHERE:
            shape = Elements(shape)
    return shape


@dataclass(frozen=True, slots=True)
class Gathering:
    """An array whose elements are several variables, or lie in one array one row after the other."""

    places: tuple[int, ...]  # of its variables in a state
    lengths: tuple[int, ...]

    def gathered(self, state: Row) -> Any:
        """Its value, a tuple of tuples."""
        elements: Sequence[Any] = state[self.places[0]] if self._is_array(state) else [state[at] for at in self.places]
        for length in reversed(self.lengths[1:]):
            elements = [tuple(elements[first : first + length]) for first in range(0, len(elements), length)]
        return tuple(elements)

    def scattered(self, value: Any, values: list[Any]) -> None:
        """Put its elements back into a state."""
        for _ in self.lengths[1:]:
            value = [element for row in value for element in row]
        if self._is_array(values):
            values[self.places[0]] = Array(value)
        else:
            for at, element in zip(self.places, value, strict=True):
                values[at] = element

    def _is_array(self, state: Sequence[Any]) -> bool:
        return type(state[self.places[0]]) is Array


class GatheredForm:
    """The canonical form of states, some of whose variables are gathered before and scattered afterwards."""

    def __init__(self, variables: Sequence[str], shapes: Mapping[str, Shape], leaves: Mapping[str, Leaf]) -> None:
        places = {name: at for at, name in enumerate(variables)}
        gathered = [leaves[name] for name in shapes if name in leaves]
        self._gatherings = [
            Gathering(tuple(places[name] for name in leaf.variables), tuple(map(len, leaf.keys))) for leaf in gathered
        ]
        self._own = len(variables)
        own = [shapes.get(name, NOWHERE) if name not in leaves else NOWHERE for name in variables]
        self.canonical = Canonical([*own, *(shapes[leaf.name] for leaf in gathered)])

    def __call__(self, state: Any) -> Row:
        form = self.canonical((*state, *(one.gathered(state) for one in self._gatherings)))
        values = list(form[: self._own])
        for one, value in zip(self._gatherings, form[self._own :], strict=True):
            one.scattered(value, values)
        return tuple(values)
