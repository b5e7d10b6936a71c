"""From a process file to a network: parameters, components, composition, properties, measures."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from sweepcheck.core.formula import Among, Formula
from sweepcheck.core.limits import FileLimits
from sweepcheck.core.property import Pattern
from sweepcheck.errors import ModelError, SweepcheckError, closest, shown
from sweepcheck.models.parameters import Written, read_as
from sweepcheck.models.processes import syntax
from sweepcheck.models.processes.composition import Composition, component, parallel
from sweepcheck.models.processes.conditions import formula
from sweepcheck.models.processes.evaluation import Environment, Source
from sweepcheck.models.processes.lts import LTS
from sweepcheck.models.processes.network import Network
from sweepcheck.models.processes.parsing import parse
from sweepcheck.models.processes.size import Size
from sweepcheck.models.processes.unfolding import Unfolding
from sweepcheck.properties import deadlock, of_kind
from sweepcheck.properties.never import of_pattern

PART = 10  # a part of a composition takes as long as so many values of an index

Made = TypeVar("Made")


def network_from_text(
    text: str, filename: str, parameters: Mapping[str, object] | None = None, limits: FileLimits | None = None
) -> Network:
    """The network that a process file describes."""
    size = Size(limits)
    size.check_text(text, filename)
    items = parse(text, filename)
    try:
        return _Elaboration(items, Source(filename, tuple(text.split("\n")), size), parameters or {}).network()
    except RecursionError:
        raise ModelError(
            "SC601",
            f"{filename} is nested too deeply",
            where=filename,
            suggestion="give inner processes and expressions names of their own",
        ) from None


@dataclass(frozen=True, slots=True)
class _Member:
    """A component of the composition, as properties speak of it."""

    name: str
    lts: LTS


class _Elaboration:
    """One file: what it declares, by kind, and the components made so far."""

    def __init__(self, items: Sequence[syntax.Item], source: Source, parameters: Mapping[str, object]) -> None:
        self._source = source
        self._items = items
        self._constants: dict[str, int] = {}
        self._parameters: dict[str, object] = {}
        self._definitions: dict[str, syntax.Definition] = {}
        self._members: dict[tuple[str, tuple[int, ...]], _Member] = {}
        self._taken: set[str] = set()  # names of components
        self._places: dict[str, dict[str, set[Hashable]]] = {}  # per component: the locations that a name means
        self._standings: dict[tuple[str, tuple[int, ...], str], Among] = {}
        for item in items:
            if isinstance(item, syntax.Definition):
                self._once(item.name, self._definitions, item, "processes")
                self._definitions[item.name] = item
        self._declare_constants(parameters)
        self._unfolding = Unfolding(source, self._definitions, self._constants)

    def network(self) -> Network:
        """The network with everything the file says about it."""
        systems = [item for item in self._items if isinstance(item, syntax.System)]
        if len(systems) != 1:
            raise ModelError(
                "SC602",
                f"{self._source.filename} declares {'no system' if not systems else f'{len(systems)} systems'}",
                where=self._source.filename,
                suggestion="say once what runs side by side: system = First || Second",
            )
        (system,) = systems
        composition = self._composition(system.composition, self._constants)
        name, measures = system.name or Path(self._source.filename).stem, self._measures()
        network = self._placed(system.at, lambda: Network(name, composition, measures=measures))
        network.parameters = MappingProxyType(self._parameters)
        for item in self._items:
            if isinstance(item, syntax.StateProperty | syntax.EventProperty):
                self._declare(network, item)
        return network

    # -- constants and parameters -----------------------------------------------------------------------------------

    def _declare_constants(self, given: Mapping[str, object]) -> None:
        declared = [item for item in self._items if isinstance(item, syntax.Constant)]
        names = [item.name for item in declared if item.is_parameter]
        for name in given:
            if name not in names:
                raise ModelError(
                    "SC105",
                    f"{self._source.filename} has no parameter {name!r}",
                    where=self._source.filename,
                    suggestion=closest(name, names),
                )
        for item in declared:
            self._once(item.name, self._constants, item, "values")
            value = self._source.value(item.value, self._constants)
            if item.is_parameter and item.name in given:
                value = self._given(item, given[item.name], value)
            self._constants[item.name] = value
            if item.is_parameter:
                self._parameters[item.name] = value

    def _given(self, item: syntax.Constant, value: object, default: int) -> int:
        """What a parameter was given: a truth value where its default is one, else a whole number."""
        where = f"{self._source.filename}:{item.at.line}:{item.at.column}"
        if isinstance(value, Written):
            value = read_as(item.name, value, type(default), default, where)
        if isinstance(value, int) and isinstance(value, bool) == isinstance(default, bool):
            return value
        expected, example = ("true or false", "true") if isinstance(default, bool) else ("a whole number", "3")
        raise ModelError(
            "SC105",
            f"parameter {item.name!r} was given {shown(value)}, which is not {expected}",
            where=where,
            suggestion=f"write -p {item.name}={example}",
        )

    def _once(self, name: str, taken: Mapping[str, object], node: syntax.Node, what: str) -> None:
        if name in taken:
            raise self._source.error("SC602", f"two {what} are called {name!r}", node.at, "give each its own name")

    # -- composition ------------------------------------------------------------------------------------------------

    def _composition(self, part: syntax.Part, environment: Environment) -> Composition:
        self._source.size.work(PART, self._source.place(part.at))
        if isinstance(part, syntax.Parallel):
            return parallel(*(self._composition(one, environment) for one in part.parts))
        if isinstance(part, syntax.AllOf):
            inner = self._source.bindings(part, environment)
            return parallel(*(self._composition(part.part, bound) for bound in inner))
        simple = self._simple(part, environment)
        if simple is not None:
            return self._component(part, simple, environment)
        match part:
            case syntax.Hide():
                names = self._source.events(part.events, environment)
                return self._checked(part.at, self._composition(part.part, environment).hide(*names))
            case syntax.Rename():
                mapping = self._renaming(part, environment)
                return self._checked(part.at, self._composition(part.part, environment).rename(mapping))
        raise self._source.error(
            "SC603", "an alphabet belongs to a single component", part.at, "write it after the component itself"
        )

    def _simple(self, part: syntax.Part, environment: Environment) -> LTS | None:
        """The LTS of a single component, renaming and hiding done inside it; None for what is composed."""
        match part:
            case syntax.Instance():
                return self._unfolding.lts(part.process, environment)
            case syntax.Hide() | syntax.Rename() | syntax.Alphabet():
                inside = self._simple(part.part, environment)
                return None if inside is None else self._refined(part, inside, environment)
        return None

    def _refined(self, part: syntax.Hide | syntax.Rename | syntax.Alphabet, lts: LTS, environment: Environment) -> LTS:
        factor = len(part.pairs) if isinstance(part, syntax.Rename) else 1  # one event may become several
        self._source.size.work(factor * lts.step_count + len(lts), self._source.place(part.at))
        if isinstance(part, syntax.Rename):
            self._check_events(part.at, [old for old, _ in part.pairs], lts, environment)
            return lts.rename(self._renaming(part, environment))
        names = self._source.events(part.events, environment)
        if isinstance(part, syntax.Hide):
            self._check_events(part.at, part.events, lts, environment)
            return lts.hide(*names)
        return LTS.numbered(
            lts.locations, lts.triples(), lts.initial, alphabet={*lts.alphabet, *names}, final=lts.final
        )

    def _check_events(
        self, at: syntax.Position, events: Sequence[syntax.EventName], lts: LTS, environment: Environment
    ) -> None:
        """Refuse names of events that the component does not have."""
        whole = component("component", lts)
        self._checked(at, whole.hide(*self._source.events(events, environment)))

    def _renaming(self, part: syntax.Rename, environment: Environment) -> dict[str, str | tuple[str, ...]]:
        mapping: dict[str, tuple[str, ...]] = {}
        for old, new in part.pairs:
            name = self._source.event(old, environment)
            mapping[name] = (*mapping.get(name, ()), self._source.event(new, environment))
        return dict(mapping)

    def _component(self, part: syntax.Part, lts: LTS, environment: Environment) -> Composition:
        """A component with its name: the one given, or that of its process in lower case, then its indices."""
        inner: Any = part
        while not isinstance(inner, syntax.Instance):
            inner = inner.part
        word, indices = self._source.call(inner.name or inner.process, environment)
        if inner.name is None:
            word = word[0].lower() + word[1:]
        name = "_".join([word, *(str(index).replace("-", "minus") for index in indices)])
        self._source.size.component(self._source.place(inner.at))
        if (word, indices) in self._members or name in self._taken:
            raise self._source.error(
                "SC602", f"two components are called {name!r}", inner.at, "name one of them: other = Process"
            )
        self._taken.add(name)
        self._members[word, indices] = _Member(name, lts)
        return self._placed(inner.at, lambda: component(name, lts))

    def _checked(self, at: syntax.Position, composition: Composition) -> Composition:
        """The composition, if the events it hides and renames are there."""
        self._placed(at, composition.flatten)
        return composition

    def _placed(self, at: syntax.Position, make: Callable[[], Made]) -> Made:
        """What a function makes; its errors get the place in the file."""
        try:
            return make()
        except SweepcheckError as error:
            error.where = f"{self._source.filename}:{at.line}:{at.column}"
            raise

    # -- properties and measures ------------------------------------------------------------------------------------

    def _declare(self, network: Network, item: syntax.StateProperty | syntax.EventProperty) -> None:
        if isinstance(item, syntax.EventProperty):
            parts = (item.events, item.after, item.before, item.without)
            pattern = Pattern(*(self._source.events(part, self._constants) for part in parts))
            declared = of_pattern(item.name, pattern)
        elif item.predicate is None:
            declared = deadlock(item.name)
        else:
            condition = formula(self._source, item.predicate, self._constants, self._standing)
            declared = of_kind(item.kind, item.name, condition)
        self._placed(item.at, lambda: network.declare(declared))

    def _standing(self, standing: syntax.Standing, environment: Environment) -> Formula:
        """The locations that `component at location` means."""
        word, indices = self._source.call(standing.component, environment)
        if (word, indices) not in self._members:
            asked = _written(word, indices)
            known = [_written(*member) for member in self._members]
            raise self._source.unknown("component", asked, known, standing.component.at)
        wanted = _written(*self._source.call(standing.location, environment))
        if (word, indices, wanted) not in self._standings:
            member = self._members[word, indices]
            family = (one for (other, _), one in self._members.items() if other == word)
            found = self._meant(member, wanted)
            if not found and not any(self._meant(one, wanted) for one in family):
                known = [str(location) for location in member.lts.locations]
                raise self._source.unknown(f"location of {member.name}", wanted, known, standing.location.at)
            self._standings[word, indices, wanted] = Among(member.name, found)
        return self._standings[word, indices, wanted]

    def _meant(self, member: _Member, wanted: str) -> frozenset[Hashable]:
        """The locations that a name means: the one written so, and without arguments all with some."""
        if member.name not in self._places:
            places: dict[str, set[Hashable]] = {}
            for location in member.lts.locations:
                text = str(location)
                for name in {text, text.partition("(")[0]}:
                    places.setdefault(name, set()).add(location)
            self._source.size.work(len(member.lts), self._source.filename)
            self._places[member.name] = places
        return frozenset(self._places[member.name].get(wanted, ()))

    def _measures(self) -> dict[str, str]:
        """How progress is computed, by component or family; "" stands for all others."""
        kinds: dict[str, str] = {}
        families = {word for word, _ in self._members} | {member.name for member in self._members.values()}
        for item in self._items:
            if not isinstance(item, syntax.Measuring):
                continue
            if item.component is not None and item.component not in families:
                raise self._source.unknown("component", item.component, sorted(families), item.at)
            self._once(item.component or "", kinds, item, "measures")
            kinds[item.component or ""] = item.kind
        return kinds


def _written(word: str, indices: tuple[int, ...]) -> str:
    """A name with its arguments, as it is written."""
    text = ", ".join(str(index).lower() for index in indices)
    return f"{word}({text})" if text else word
