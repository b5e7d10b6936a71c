"""Composition of components as in CSP: parallel on shared events, renaming, hiding (paper 2, section 2).

A composition is a tree. Flattening it gives the components in the order written, and rules: an event of the whole
with the components that take part in it and the event each of them does. Hiding and renaming are settled here, once;
what runs later are rules alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from sweepcheck.core.declaration import texts
from sweepcheck.core.property import names_for
from sweepcheck.errors import ModelError, caller, closest, public, shown
from sweepcheck.models.processes.events import TAU, among, renamed
from sweepcheck.models.processes.lts import LTS, renaming

MOST_RULES = 1_000_000


@dataclass(frozen=True, slots=True)
class Rule:
    """An event of a network: who takes part (component, by number, and the event it does) and what it was before.

    `origin` is the component or event that a hidden or renamed event comes from; it tells equal labels apart.
    """

    event: str
    participants: tuple[tuple[int, str], ...]
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Flat:
    """A composition as components and rules. A visible event belongs to the alphabet even if no rule can fire."""

    components: tuple[tuple[str, LTS], ...]
    rules: tuple[Rule, ...]


class Composition:
    """Components side by side; made by `parallel`, refined by `hide` and `rename`."""

    __slots__ = ()

    def hide(self, *events: str) -> Composition:
        """The same, with these events done silently: nothing outside can take part in them."""
        return _Hidden(self, texts(events, "events to hide", "SC611"))

    @public
    def rename(self, mapping: Mapping[str, str | tuple[str, ...]] | None = None, /, **names: str) -> Composition:
        """The same with other events; what is renamed together with something else may then be done with it."""
        return _Renamed(self, renaming(mapping, names))

    def flatten(self) -> Flat:
        """The components and rules."""
        flat = self._flat(0)
        counts = Counter(name for name, _ in flat.components)
        for name, count in counts.items():
            if count > 1:
                raise ModelError(
                    "SC611",
                    f"two components are called {name!r}",
                    where=caller(),
                    suggestion="give each component a name of its own",
                )
        return flat

    def _flat(self, offset: int) -> Flat:
        """The same with components numbered from `offset`."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class _Component(Composition):
    name: str
    lts: LTS

    def _flat(self, offset: int) -> Flat:
        silent = [Rule(TAU, ((offset, TAU),), self.name)] if TAU in self.lts.events else []
        ordered = dict.fromkeys([*self.lts.events, *sorted(self.lts.alphabet)])
        visible = [Rule(event, ((offset, event),)) for event in ordered if event != TAU]
        return Flat(((self.name, self.lts),), (*silent, *visible))


@dataclass(frozen=True, slots=True)
class _Parallel(Composition):
    parts: tuple[Composition, ...]

    def _flat(self, offset: int) -> Flat:
        components: list[tuple[str, LTS]] = []
        flat: list[dict[str, list[Rule]]] = []
        silent: dict[int, list[Rule]] = {}
        for part in self.parts:
            inner = part._flat(offset + len(components))
            components += inner.components
            by_event: dict[str, list[Rule]] = {}
            for rule in inner.rules:
                if rule.event == TAU:
                    silent.setdefault(len(flat), []).append(rule)
                else:
                    by_event.setdefault(rule.event, []).append(rule)
            flat.append(by_event)
        offers: dict[str, list[list[Rule]]] = {}
        for by_event in flat:
            for event, of_part in by_event.items():
                offers.setdefault(event, []).append(of_part)
        rules: list[Rule] = []
        for position, by_event in enumerate(flat):
            rules += silent.get(position, [])
            for event in by_event:
                together = offers.pop(event, None)
                if together is not None:
                    _check_size(len(rules) + prod(map(len, together)))
                    rules += _together(event, together)
        return Flat(tuple(components), tuple(rules))


@dataclass(frozen=True, slots=True)
class _Hidden(Composition):
    part: Composition
    events: tuple[str, ...]

    def _flat(self, offset: int) -> Flat:
        flat = self.part._flat(offset)
        _check_known(self.events, flat, "hidden")
        names = frozenset(self.events)
        rules = [Rule(TAU, rule.participants, rule.event) if among(rule.event, names) else rule for rule in flat.rules]
        return Flat(flat.components, tuple(rules))


@dataclass(frozen=True, slots=True)
class _Renamed(Composition):
    part: Composition
    mapping: Mapping[str, str | tuple[str, ...]]

    def _flat(self, offset: int) -> Flat:
        flat = self.part._flat(offset)
        _check_known(self.mapping, flat, "renamed")
        rules: list[Rule] = []
        for rule in flat.rules:
            events = renamed(rule.event, self.mapping)
            _check_size(len(rules) + len(events))
            rules += [rule if event == rule.event else Rule(event, rule.participants, rule.event) for event in events]
        return Flat(flat.components, tuple(rules))


def component(name: str, lts: LTS) -> Composition:
    """One component with its name."""
    if not isinstance(lts, LTS):
        raise ModelError(
            "SC611",
            f"component {shown(name)} is {shown(lts)}, which is not an LTS",
            where=caller(),
            suggestion="give an LTS, or a composition without a name: parallel(composition, name=lts)",
        )
    if not isinstance(name, str) or not name.isidentifier() or name.startswith("_"):
        raise ModelError(
            "SC611",
            f"a component cannot be called {shown(name)}",
            where=caller(),
            suggestion="use letters, digits and underscores, beginning with a letter: voter_1",
        )
    return _Component(name, lts)


def parallel(*parts: Composition, **components: LTS) -> Composition:
    """Components and compositions side by side.

    An event is done together by all parts that have it in their alphabet; a part that cannot do it now holds it up.
    """
    for part in parts:
        if not isinstance(part, Composition):
            raise ModelError(
                "SC611",
                f"{shown(part)} is not a composition",
                where=caller(),
                suggestion="name a component: parallel(name=lts)",
            )
    return _Parallel((*parts, *(component(name, lts) for name, lts in components.items())))


def _together(event: str, offers: list[list[Rule]]) -> list[Rule]:
    """One rule for every way in which each of the parts can do the event."""
    if len(offers) == 1:
        return offers[0]
    return [
        Rule(event, tuple(pair for rule in chosen for pair in rule.participants), _origins(chosen))
        for chosen in product(*offers)
    ]


def _origins(rules: Iterable[Rule]) -> str:
    return ", ".join(dict.fromkeys(rule.origin for rule in rules if rule.origin))


def _check_size(rules: int) -> None:
    if rules > MOST_RULES:
        raise ModelError(
            "SC611",
            f"renaming gives more than {MOST_RULES:,} ways to synchronise",
            suggestion="rename inside the components instead of their composition",
        )


def _check_known(names: Iterable[str], flat: Flat, what: str) -> None:
    """Refuse to hide or rename an event that nothing does: a misspelt name would change nothing and say nothing."""
    events = list(dict.fromkeys(rule.event for rule in flat.rules if rule.event != TAU))
    known = {name for event in events for name in names_for(event)}
    for name in names:
        if name not in known:
            raise ModelError(
                "SC612",
                f"event {name!r} is {what}, but nothing inside does it",
                suggestion=closest(name, events),
            )


def labelled(rules: Iterable[Rule], names: tuple[str, ...]) -> list[str]:
    """A label for each rule, no two alike: the event alone where that is enough, else where it comes from."""
    listed = list(rules)
    ways = [
        [
            rule.event if rule.event != TAU else f"{TAU}({rule.origin})",
            f"{rule.event}({rule.origin or names[rule.participants[0][0]]})",
            f"{rule.event}({rule.origin}: {', '.join(names[member] for member, _ in rule.participants)})",
            f"{rule.event}({', '.join(f'{names[member]}.{event}' for member, event in rule.participants)})",
        ]
        for rule in listed
    ]
    labels: list[str] = [way[0] for way in ways]
    for level in range(1, len(ways[0]) if ways else 0):
        taken: dict[Hashable, int] = {}
        for label in labels:
            taken[label] = taken.get(label, 0) + 1
        labels = [way[level] if taken[label] > 1 else label for way, label in zip(ways, labels, strict=True)]
    return labels


def distinct(rules: Iterable[Rule]) -> list[Rule]:
    """The rules without those that do the same as an earlier one."""
    found: dict[tuple[str, tuple[tuple[int, str], ...]], Rule] = {}
    for rule in rules:
        kept = found.setdefault((rule.event, rule.participants), rule)
        if kept.origin != rule.origin and rule.event == TAU:
            found[rule.event, rule.participants] = replace(kept, origin=_origins([kept, rule]))
    return list(found.values())
