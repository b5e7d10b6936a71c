"""Initial values and initial states; there may be a million of them."""

from __future__ import annotations

import keyword
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, islice, product
from operator import itemgetter
from types import NoneType
from typing import TYPE_CHECKING, Any

from sweepcheck.core.running import Disabled, current
from sweepcheck.core.structures import Map, Record, Set
from sweepcheck.core.values import Array, Bag, Queue
from sweepcheck.errors import ModelError, caller, closest, place, shown
from sweepcheck.models.actions.action import Action
from sweepcheck.models.actions.choice import is_uniform
from sweepcheck.models.actions.combining import OpenRuns, is_many, states
from sweepcheck.models.actions.draft import Choices, Draft, admit_initial_value, admitted, draft_class
from sweepcheck.models.actions.initials import InitialStates, Row, no_collection
from sweepcheck.models.actions.unknown import GiveUpError, is_plain
from sweepcheck.models.structures.faces import Faces

if TYPE_CHECKING:
    from sweepcheck.models.generators.starting import Steps

_STRUCTURES: dict[type, str] = {
    list: "use Array([...]) for elements to assign, Queue([...]) for a channel, Bag([...]) where order does not matter",
    set: "use Set([...]) to add and discard elements, or a frozenset for a value that is replaced",
    dict: "use Map({...}) to assign what each key has, Record(...) for fields, or a frozen dataclass",
}
# Values of these types can be part of any state as they are, and equal ones of one type are alike.
_PLAIN = frozenset({int, str, bool, NoneType})
MOST_MET = 100_000  # beginnings of runs that are kept, to be met again
_OWN = 3  # references to the draft of a run: here, where `choose` looks for it, and the one that is counted with


def check_name(name: str) -> None:
    """Refuse a variable that cannot be called so."""
    if not name.isidentifier() or name.startswith("_") or keyword.iskeyword(name):
        raise ModelError(
            "SC110",
            f"a variable cannot be called {name!r}",
            where=caller(),
            suggestion="use a Python name that does not start with an underscore",
        )


def check_value(name: str, value: Any) -> None:
    """Refuse a variable that cannot have this value."""
    if any(value is kind for kind in (Bag, Set, Queue, Array, Record, Map)):
        raise ModelError(
            "SC110",
            f"variable {name!r} was given the class {value.__name__} itself",
            where=caller(),
            suggestion=f"write {name}={value.__name__}()",
        )
    try:
        admitted(value, name, {})
    except ModelError as error:
        suggestion = _STRUCTURES.get(type(value), error.suggestion)
        raise ModelError("SC111", f"variable {error.what}", where=caller(), suggestion=suggestion) from None


def initial_states(draft: type[Draft], faces: Faces, states: Any, values: Mapping[str, Iterable[Any]]) -> Sequence[Row]:
    """The distinct initial states, from a list of them or from the values of each variable.

    Variables that are not named have the values they were declared with. The model's drafts get to know all values.
    """
    if states is not None and values:
        raise _wrong_initial("initial states were given both as a list and by variable", "use one of the two")
    starts = _Starts(draft, faces)
    with no_collection():
        rows = starts.combined(values) if states is None else tuple(dict.fromkeys(starts.listed(states)))
    none = _wrong_initial("no initial state is left", "give every variable at least one value")
    if not rows:
        raise none
    return rows if isinstance(rows, tuple) else InitialStates(rows, lambda: none)


def started(start: Action, draft: type[Draft], faces: Faces, declared: Row) -> InitialStates:
    """The distinct states that the runs of a function end in, from the declared values on.

    There may be a million of them. They are in the order of the choices, however the function is run.
    """
    run_on = draft_class(draft._names, declared)  # what is there before the runs, or on their way, is in no state
    for known, met in zip(run_on._met, draft._met, strict=True):
        known.update(met)
    met_before, mixed = list(draft._met), set[int]()

    def rows() -> Iterator[Row]:
        for way in (_at_once, _by_steps):
            if (found := way(start, run_on, faces, declared)) is None:
                continue
            try:
                yield from found
            except MemoryError:
                raise
            except (Exception, SystemExit, GiveUpError):  # noqa: BLE001 - whatever it is, whole runs meet it again
                continue
            return
        try:
            yield from map(tuple, _Runs(run_on, faces.face).ends(start, start.function, declared))
        except MemoryError:
            raise
        except (Exception, SystemExit) as error:
            raise start.blame(error, draft._names) from error

    def none() -> ModelError:
        return ModelError(
            "SC116",
            f"no initial state is left by {start.name!r}",
            where=place(start.function),
            suggestion="let some run of it get through its require(...)",
        )

    def note(fresh: Sequence[Row]) -> None:
        for met in met_before:
            met.clear()
        met_before.clear()
        _note_values(draft, declared, mixed, fresh)

    states = InitialStates(rows, none, note)
    next(iter(states))  # what is wrong with the function is said now
    return states


def _note_values(draft: type[Draft], declared: Row, mixed: set[int], rows: Sequence[Row]) -> None:
    """A draft gets to know the values of these states. `mixed` are the variables with values that may not be alike."""
    for index, name in enumerate(draft._names):
        values = map(itemgetter(index), rows)
        if type(declared[index]) is Array:
            found = set(chain.from_iterable(values))
        elif isinstance(declared[index], Bag):
            found = {token for token, _ in set(chain.from_iterable(map(Bag.items, set(values))))}
        else:
            elements = vars(draft)[name].elements
            found = set(chain.from_iterable(map(elements, set(values))))
        met = draft._met[index]
        if index not in mixed and is_uniform(found | set(islice(met, 1))):
            met.update((one, one) for one in found if one not in met)
            continue
        mixed.add(index)
        for element in found:
            admitted(element, name, met)


def _at_once(start: Action, draft: type[Draft], faces: Faces, declared: Row) -> Iterator[Row] | None:
    """The same with all choices left open; None where that cannot be."""
    from sweepcheck.models.generators.opening import opened

    function = opened(start.function)
    if function is None or not all(
        is_plain(tuple(one) if isinstance(one, Bag | Set | Queue) else one) for one in declared
    ):
        return None
    runs = OpenRuns(function.words, draft, faces.face, declared)
    try:
        leaves = runs.all_leaves()
        again = next(runs.leaves(), None)
        same = again == (leaves[0] if leaves else None)
        rows = None if any(map(is_many, leaves)) or not same else states(leaves)
    except MemoryError:
        raise
    except (Exception, SystemExit, GiveUpError):  # noqa: BLE001 - whatever it is, whole runs meet it again
        return None
    if not same:
        raise ModelError(
            "SC213",
            f"{start.name!r} gave other initial states when it was run again",
            where=place(start.function),
            suggestion="let it depend on the declared values alone, not on counters, clocks or files",
        )
    return rows


def _by_steps(start: Action, draft: type[Draft], faces: Faces, declared: Row) -> Iterator[Row] | None:
    """The same, with each step run once for what it begins with.

    None where the function has no steps. If one of them fails, what a run keeps for the next one may be no value. Then
    it is run as a whole, for its states or for the error that it ends with.
    """
    from sweepcheck.models.generators.starting import steps_of

    steps = steps_of(start.function)
    return None if steps is None else _rows_by_steps(start, steps, draft, faces, declared)


def _rows_by_steps(start: Action, steps: Steps, draft: type[Draft], faces: Faces, declared: Row) -> Iterator[Row]:
    from sweepcheck.models.generators.places import ENDED

    width, beginning = len(declared), (*declared, *steps.variables.values())
    cut = draft_class((*draft._names, *steps.variables), beginning)
    for known, before in zip(cut._met, draft._met, strict=False):
        known.update(before)
    runs = _Runs(cut, faces.face and faces.extended(steps.variables).face)
    waiting, met = [beginning], set[Row]()
    while waiting:
        values = waiting.pop()
        if values[width] == ENDED:
            yield values[:width]
        elif values not in met:  # or its states are there already, and before those that come now
            if len(met) >= MOST_MET:
                met.clear()
            met.add(values)
            later: list[Row] = []
            for end in runs.ends(start, steps.functions[values[width]], values):
                if later or end[width] != ENDED:
                    later.append(tuple(end))
                else:
                    yield tuple(end[:width])
            waiting += reversed(later)


class _Runs:
    """Runs of functions on drafts: one draft serves all of them, unless somebody keeps it."""

    def __init__(self, draft: type[Draft], face: Callable[[Any], Any] | None) -> None:
        self._new = draft
        self._face = face

    def ends(self, start: Action, function: Callable[[Any], object], values: Row) -> Iterator[list[Any]]:
        """The values that each run from these leaves behind."""
        choices = Choices()
        face, run = self._face, self._new(values, choices)
        kind = type(run._values)
        token = current.set(run)
        try:
            while True:
                try:
                    if (returned := function(run if face is None else face(run))) is not None:
                        raise start.returned(returned)
                    yield run._values
                except Disabled:
                    pass
                if not choices.advance():
                    break
                if sys.getrefcount(run) > _OWN:  # somebody has kept it
                    run._close()
                    run = self._new(values, choices)
                    current.set(run)
                else:
                    run._values = kind(values)
        finally:
            with suppress(ValueError):  # it is given up where others run
                current.reset(token)
            run._close()


class _Starts:
    """The initial values that were given so far, by variable."""

    def __init__(self, draft: type[Draft], faces: Faces) -> None:
        self._draft = draft
        self._faces = faces
        self._declared = declared = faces.flat
        self._scalars = {
            name: met
            for (name, value), met in zip(declared.items(), draft._met, strict=True)
            if not isinstance(value, Bag | Queue | Array)
        }

    def combined(self, values: Mapping[str, Any]) -> tuple[Row, ...] | Callable[[], Iterable[Row]]:
        """Every combination of the values listed; where there may be many, what begins to list them."""
        for name, several in values.items():
            self._check_name(name)
            if isinstance(several, str) or not isinstance(several, Iterable):
                raise _wrong_initial(
                    f"variable {name!r} was given {shown(several)}, one value",
                    f"list its values: {name}=[{shown(several)}]",
                )
        if self._faces.are_named(values):
            combinations = self._faces.combinations({name: tuple(several) for name, several in values.items()})
            return tuple(dict.fromkeys(self.listed(combinations)))
        lists = {name: self._kept(name, list(several)) for name, several in values.items()}
        if not all(lists.values()):
            return ()
        for name, value in self._declared.items():
            if name not in lists:
                lists[name] = [self._value(name, value)]
        positions = {name: position for position, name in enumerate(lists)}
        order = [positions[name] for name in self._declared]
        in_order = order == sorted(order)
        return lambda: product(*lists.values()) if in_order else map(itemgetter(*order), product(*lists.values()))

    def listed(self, states: Any) -> Iterator[Row]:
        """The states given one by one, as mappings."""
        if isinstance(states, Mapping) or not isinstance(states, Iterable):
            raise _wrong_initial(f"initial() was given {shown(states)}", "give a list: m.initial([{...}, {...}])")
        for state in states:
            if not isinstance(state, Mapping):
                raise _wrong_initial(
                    f"{shown(state)} is not an initial state", "give variables and values: {'x': 1, 'y': 2}"
                )
            for name in state:
                self._check_name(name)
            flat = self._faces.flattened(state)
            yield tuple([self._value(name, flat.get(name, value)) for name, value in self._declared.items()])

    def _check_name(self, name: Any) -> None:
        if name not in self._faces.names:
            raise _wrong_initial(f"the model has no variable {name!r}", closest(name, self._faces.names))

    def _kept(self, name: str, several: list[Any]) -> list[Any]:
        """Values of a variable as they are kept. Most often they are plain and of one type."""
        met = self._scalars.get(name)
        types = set(map(type, chain(several, met or ())))
        if met is not None and len(types) == 1 and types <= _PLAIN:
            return list(map(met.setdefault, several, several))
        return [self._value(name, value) for value in several]

    def _value(self, name: str, given: Any) -> Any:
        """A value as it is kept."""
        if type(given) in _PLAIN and name in self._scalars:
            known = self._scalars[name].setdefault(given, given)
            if type(known) is type(given):
                return known
        return admit_initial_value(self._draft, name, _fitting(name, self._declared[name], given))


def _wrong_initial(what: str, suggestion: str) -> ModelError:
    return ModelError("SC116", what, where=caller(), suggestion=suggestion)


def _fitting(name: str, declared: Any, given: Any) -> Any:
    """A value for an initial state, of the kind the variable was declared with; a queue keeps its capacity."""
    if isinstance(declared, Bag | Queue | Array) and type(given) is not type(declared):
        kind = type(declared).__name__
        raise _wrong_initial(
            f"variable {name!r} was declared as a {kind.lower()}, and {shown(given)} is none",
            f"list such values: {name}=[{kind}(...), {kind}(...)]",
        )
    if isinstance(declared, Array) and len(given) != len(declared):
        raise _wrong_initial(
            f"array {name!r} was declared with {len(declared)} elements, and {shown(given)} has {len(given)}",
            "the length of an array never changes; use Queue or a tuple for one that does",
        )
    if isinstance(declared, Queue):
        try:
            given = Queue(given, declared.capacity)
        except ValueError as error:
            raise _wrong_initial(f"queue {name!r}: {error}", "declare it with a larger capacity") from None
    check_value(name, given)
    return given
