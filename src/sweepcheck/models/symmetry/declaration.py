"""What a model says of its symmetry: which members nobody can tell apart, and where in a state they are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from sweepcheck.core.declaration import check_flag, listed, texts
from sweepcheck.core.equivalence import Equivalence
from sweepcheck.core.values import Array, alike, unfit, unlike
from sweepcheck.errors import ModelError, caller, closest, public, shown
from sweepcheck.models.questions import Classes
from sweepcheck.models.structures.faces import Faces
from sweepcheck.models.structures.parts import Leaf
from sweepcheck.models.symmetry.gathering import GatheredForm, fitting, indexed_by
from sweepcheck.models.symmetry.naming import symmetry
from sweepcheck.models.symmetry.shape import NOWHERE, Anywhere, Elements, Indexed, IndexSet, Parts, Shape

NOTATION = (
    "write the set itself for a member, (set, None) for a tuple that begins with one, [set] for anything "
    "that holds some, {set: None} for a tuple with an element for each; a list is no key: {tuple(set): None}"
)


def index_set(given: Any, rotation: bool = False) -> IndexSet:
    """The index set of the members given, in their order."""
    check_flag(rotation, "rotation", "SC118")
    members: dict[Any, Any] = {}
    for member in listed(given, "a symmetric set", "SC118"):
        if (why := unfit(member)) is not None:
            raise wrong(f"{shown(member)} cannot be a member of a symmetric set: it {why}", "members are values")
        if not alike(first := members.setdefault(member, member), member):
            raise unlike("a symmetric set", first, member).add(where=caller())
    return IndexSet(tuple(members), rotation)


def wrong(what: str, suggestion: str) -> ModelError:
    """The error for a symmetry that cannot be meant."""
    return ModelError("SC118", what, where=caller(), suggestion=suggestion)


class Symmetries(Classes):
    """The symmetric sets of a model of variables."""

    variables: tuple[str, ...]
    _faces: Faces
    _shapes: Mapping[str, Shape] = {}  # by variable; none has members of a symmetric set

    @public
    def symmetric(
        self,
        members: Iterable[Any],
        *,
        arrays: Iterable[str] | Mapping[str, int | Iterable[int]] = (),
        values: Iterable[str] | Mapping[str, Any] = (),
        rotation: bool = False,
    ) -> None:
        """Declare that the members of a set, such as `range(n)`, may change their names, or be moved on by `rotation`.

        `arrays` have an element for each member, in the first dimension that has as many. A mapping says in which, from
        0 on: `arrays={"net": [0, 1]}`, in both. `values` have members as values: in such a variable, and in all that
        it holds, whatever equals a member is one. Where that is not so, a mapping says where members are: with
        `pids = range(n)`, `values={"inbox": [(pids, None)]}` holds pairs of which the first is one.
        """
        of = index_set(members, rotation)
        shapes = dict(self._shapes)
        asked: Iterable[tuple[str, Any]] = (
            arrays.items() if isinstance(arrays, Mapping) else ((one, None) for one in texts(arrays, "arrays", "SC118"))
        )
        for array, dimensions in asked:
            for name, shape in self._indexed(array, of, _numbers(array, dimensions)):
                shapes[name] = _joined(name, shapes.get(name, NOWHERE), shape)
        named = values if isinstance(values, Mapping) else dict.fromkeys(texts(values, "values", "SC118"), members)
        for variable, described in named.items():
            for name in self._held(variable):
                shapes[name] = _joined(name, shapes.get(name, NOWHERE), _shape(described, members, of))
        if not any(of in shape.sets() for shape in shapes.values()):
            raise wrong("a symmetric set is nowhere in the state", "name arrays=[...] with an element for each member")
        self._shapes = shapes

    def _indexed(self, name: str, of: IndexSet, asked: Collection[int]) -> Iterator[tuple[str, Shape]]:
        """The arrays that one stands for, an array of records for several, with their shapes."""
        leaves = self._faces.leaves(name)
        if not leaves:
            self._check_array(name, of)
            _check_dimensions(name, asked, [0], of)
            yield name, Indexed(of, NOWHERE)
        for leaf in leaves:
            found = fitting(leaf, of)
            if not found:
                lengths = " by ".join(str(len(keys)) for keys in leaf.keys) or "no"
                raise wrong(
                    f"array {leaf.name!r} has {lengths} elements, and the symmetric set {len(of)} members",
                    "an array that is indexed by a set has one element for each member; a map, the members as keys",
                )
            _check_dimensions(leaf.name, asked, found, of)
            if not asked and len(found) > 1:
                self._first_alone[leaf.name] = name, found
            yield leaf.name, indexed_by(leaf, of, asked or found[:1])

    @cached_property
    def _first_alone(self) -> dict[str, tuple[str, list[int]]]:
        """Arrays that could be indexed by a set in several dimensions: the variable, and which ones."""
        return {}

    def _held(self, name: object) -> tuple[str, ...]:
        """The variables, or arrays of parts, that a name stands for: a structured variable for all its parts."""
        leaves = self._faces.leaves(str(name)) if isinstance(name, str) else ()
        if not leaves or name in self._leaves:
            self._check_name(name)
            return (str(name),)
        return tuple(leaf.name for leaf in leaves)

    @cached_property
    def _leaves(self) -> dict[str, Leaf]:
        """The parts of structured variables that are no array with an element for each key, by what they are called."""
        found = (leaf for name in self._faces.names for leaf in self._faces.leaves(name))
        return {one.name: one for one in found if one.keys and (one.variables != (one.name,) or len(one.keys) > 1)}

    def _check_name(self, name: object) -> None:
        if name not in self._faces.flat and name not in self._leaves:
            raise wrong(f"the model has no variable {name!r}", closest(str(name), [*self._leaves, *self.variables]))

    def _check_array(self, name: str, of: IndexSet) -> None:
        self._check_name(name)
        held = self._faces.flat[name]
        if not isinstance(held, Array):
            raise wrong(
                f"variable {name!r} is no array", "arrays are declared so: Array([...]); members stand in values"
            )
        if len(held) != len(of):
            raise wrong(
                f"array {name!r} has {len(held)} elements, and the symmetric set {len(of)} members",
                "an array that is indexed by a set has one element for each member",
            )

    def declared_equivalence(self) -> Equivalence | None:
        """See `Prepared`: the key that is declared, of the state that stands for all with other names."""
        declared = super().declared_equivalence()
        if not self._shapes:
            return declared
        form = GatheredForm(self.variables, self._shapes, self._leaves)
        canonical = form.canonical
        parts, origin = ((), "") if declared is None else (declared.parts, f" and {declared.origin}")
        gathered = any(name in self._leaves for name in self._shapes)
        told = symmetry(self._shapes, self._leaves, self._faces.flat, canonical.sets)
        standing = form if gathered else canonical
        return Equivalence(parts, standing, canonical.form, canonical.origin + origin, True, told, self._hint())

    def _hint(self) -> str:
        """What else a declaration may have meant."""
        for leaf, (name, fits) in self._first_alone.items():
            return (
                f"only dimension {fits[0]} of {leaf!r} is renamed, and dimension {fits[1]} has as many elements:\n"
                f"if members index that too, write arrays={{{name!r}: {fits}}}"
            )
        return ""


def _numbers(array: str, dimensions: Any) -> tuple[int, ...]:
    """The dimensions that were asked for; nothing where none were."""
    if dimensions is None:
        return ()
    given = (dimensions,) if isinstance(dimensions, int) else tuple(listed(dimensions, "dimensions", "SC118"))
    if not given or any(type(one) is not int for one in given):
        raise wrong(
            f"{shown(dimensions)} is no dimension of array {array!r}", "give numbers from 0 on: arrays={'net': [0, 1]}"
        )
    return given  # type: ignore[return-value]


def _check_dimensions(name: str, asked: Collection[int], found: Collection[int], of: IndexSet) -> None:
    for one in asked:
        if one not in found:
            raise wrong(
                f"dimension {one} of array {name!r} does not have an element for each of the {len(of)} members",
                f"dimensions that do: {', '.join(map(str, found))}",
            )


def _shape(described: Any, members: Any, of: IndexSet) -> Shape:
    """The shape of a value as it was described."""
    if described is members or (isinstance(described, range | tuple | list) and tuple(described) == of.members):
        return Anywhere((of,))
    if isinstance(described, tuple):
        return Parts(tuple(_shape(part, members, of) for part in described))
    if isinstance(described, list) and len(described) == 1:
        return Elements(_shape(described[0], members, of))
    if isinstance(described, dict) and len(described) == 1:
        key, element = next(iter(described.items()))
        if isinstance(_shape(key, members, of), Anywhere):
            return Indexed(of, _shape(element, members, of))
    if described is None or isinstance(described, type):
        return NOWHERE
    raise wrong(f"{shown(described)} does not say where members are", NOTATION)


def _joined(name: str, one: Shape, other: Shape) -> Shape:
    """The shape of a variable of which two things were said."""
    if one is NOWHERE:
        return other
    if isinstance(one, Indexed) and not isinstance(other, Indexed):
        return Indexed(one.by, _joined(name, one.element, other))
    if isinstance(one, Anywhere) and isinstance(other, Anywhere):
        common = [member for known in one.of for member in known.members if other.of[0].position(member) is not None]
        if not common:
            return Anywhere((*one.of, *other.of))
        suggestion = "give the members of different sets different names: 'p0', 'p1' and 'q0', 'q1'"
        raise wrong(f"{shown(common[0])} in {name!r} could be a member of two symmetric sets", suggestion)
    raise wrong(f"variable {name!r} is named twice", "name it once, and say where members are: " + NOTATION)
