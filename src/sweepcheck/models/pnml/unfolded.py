"""An unfolded net as a model. To whoever reads its states it is the coloured net: only the engine sees more places."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from copy import deepcopy
from dataclasses import replace
from functools import cached_property
from itertools import accumulate
from typing import Any

from sweepcheck.core.counting import CountNet
from sweepcheck.core.model import State
from sweepcheck.core.tabulated import ActionFunction, Tables
from sweepcheck.core.values import Bag
from sweepcheck.errors import ModelError, closest, shown
from sweepcheck.models.net.colours import UNIT
from sweepcheck.models.net.marking import Multiset, changed
from sweepcheck.models.net.net import Net
from sweepcheck.models.net.structure import Arc, Place, Transition
from sweepcheck.models.net.system import NetModel, TransitionAction
from sweepcheck.models.pnml.document import PnmlNet
from sweepcheck.models.pnml.naming import distinct
from sweepcheck.models.pnml.sorts import Dot
from sweepcheck.models.pnml.translation import black
from sweepcheck.models.pnml.unfolding import Token, UnfoldedTransition, Unfolding
from sweepcheck.text import value_text

Parts = Mapping[str, Mapping[Hashable, str]]  # by places: where the number of each colour is


class UnfoldedModel(NetModel):
    """The model of an unfolded net. `net` is the coloured one where a net of ours can say it, else the unfolded one."""

    def __init__(self, pnml: PnmlNet, names: Mapping[str, str], unfolding: Unfolding, coloured: Net | None) -> None:
        net, parts = _plain(pnml, names, unfolding)
        super().__init__(net)
        self.parts: Parts = parts
        self.net = coloured or net
        self._is_whole = coloured is None
        families: dict[str, list[TransitionAction]] = {names[one]: [] for one in pnml.transitions}
        for one, members in zip(unfolding.transitions, list(self._families.values()), strict=True):
            name = names[one.transition]
            families[name].append(replace(members[0], name=name, arguments=one.binding))  # type: ignore[arg-type]
        self._families = {name: tuple(members) for name, members in families.items()}
        first = dict(zip(families, accumulate(map(len, families.values()), initial=0), strict=False))
        self._positions = []  # of each unfolded transition among the actions
        for one in unfolding.transitions:
            self._positions.append(first[names[one.transition]])
            first[names[one.transition]] += 1

    def count_net(self) -> CountNet | None:
        """See `Prepared`: its actions are by coloured transitions."""
        net = super().count_net()
        return None if net is None else replace(net, actions=[self._positions[number] for number in net.actions])

    def tabulate(self) -> Tables:
        """See `Tabulated`: a binding is no argument of the function, which is written for it."""
        tables = super().tabulate()
        actions = tuple(ActionFunction(one.function, {}, one.blame) for one in self.actions)
        return replace(tables, actions=actions)

    def view(self, state: State) -> Any:
        """The state as predicates and measures read it."""
        return FoldedMarking(self._view(state), self.parts)  # type: ignore[arg-type]

    def reading(self, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """See `Model.reading`."""
        parts = self.parts
        return lambda view: function(FoldedMarking(view, parts))

    @cached_property
    def place_names(self) -> Collection[str]:
        """See `NetModel.place_names`."""
        return self.parts

    def representation(self) -> str:
        """See `Prepared`."""
        return f"unfolded to {len(self.variables):,} places and {len(self.actions):,} transitions"

    def surveyed(self) -> NetModel:
        """See `Prepared`: bounds are about coloured places, be it of this where no net of ours can say it."""
        return self if self._is_whole else NetModel(self.net)

    def folded(self) -> Parts:
        """See `Prepared`."""
        return self.parts

    def variables_of(self, place: str) -> Collection[str]:
        """See `NetModel.variables_of`."""
        return self.parts[place].values()

    def flat_view(self, view: Any) -> Any:
        """See `Model.flat_view`."""
        return view._view if isinstance(view, FoldedMarking) else view

    def describe(self, state: State) -> dict[str, object]:
        """The state as coloured places and their tokens."""
        marking = self.view(state)
        return {place: marking[place].bag() for place in self.parts}

    def __repr__(self) -> str:
        return f"<model of {self.net!r}, unfolded>"


class FoldedMarking:
    """A marking of an unfolded net, read by coloured places."""

    __slots__ = ("_parts", "_view")
    _view: Any
    _parts: Parts

    def __init__(self, view: Any, parts: Parts) -> None:
        object.__setattr__(self, "_view", view)
        object.__setattr__(self, "_parts", parts)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name: str | Place) -> Any:
        asked = name.name if isinstance(name, Place) else str(name)
        if asked not in self._parts:
            raise ModelError("SC202", f"the net has no place {asked!r}", suggestion=closest(asked, self._parts))
        return Folded(self._view, self._parts[asked])

    def __setattr__(self, name: str, value: object) -> None:
        raise changed(name)

    def __delattr__(self, name: str) -> None:
        raise changed(name)

    __setitem__, __delitem__ = __setattr__, __delattr__

    def __eq__(self, other: object) -> bool:
        return type(other) is FoldedMarking and bool(self._view == other._view)

    def __hash__(self) -> int:
        return hash(self._view)

    def __deepcopy__(self, memo: dict[int, Any]) -> FoldedMarking:
        return FoldedMarking(deepcopy(self._view, memo), self._parts)

    def __repr__(self) -> str:
        return " ".join(f"{name}={shown(self[name])}" for name in self._parts)


class Folded(Multiset):
    """The tokens of a coloured place, whose colours are counted one by one."""

    __slots__ = ("_parts", "_view")

    def __init__(self, view: Any, parts: Mapping[Hashable, str]) -> None:
        self._view, self._parts = view, parts

    def count(self, token: Hashable) -> int:
        """How often the token is there; only this number is read."""
        part = self._parts.get(token)
        return 0 if part is None else _number(getattr(self._view, part))

    def __contains__(self, token: object) -> bool:
        return self.count(token) > 0

    def __len__(self) -> int:
        return sum(_number(getattr(self._view, part)) for part in self._parts.values())

    def bag(self) -> Bag:
        counts = {token: _number(getattr(self._view, part)) for token, part in self._parts.items()}
        return Bag({token: count for token, count in counts.items() if count})


def _number(held: Any) -> int:
    """The tokens of a place of black ones; one that always holds one token is the token itself."""
    return 1 if held == () else len(held)


def _plain(pnml: PnmlNet, names: Mapping[str, str], unfolding: Unfolding) -> tuple[Net, Parts]:
    """The place/transition net, and which of its places are parts of which coloured one."""
    file = pnml.source.path.name
    net, parts = Net(pnml.name), {names[one]: {} for one in pnml.places}  # type: ignore[var-annotated]
    places: dict[Token, Place] = {}
    wanted = {}
    for place, token in unfolding.tokens:
        whole = isinstance(pnml.places[place].sort, Dot)
        wanted[place, token] = names[place] if whole else f"{names[place]}[{value_text(token)}]"
    for key, name in distinct(wanted.items()).items():
        place, token = key
        count = unfolding.initial.get((place, token), 0)
        where = f"{file}:{pnml.places[place].line}"
        made = Place(net, name, UNIT, Bag({(): count}) if count else Bag(), where=where)
        net.places[name] = places[place, token] = made
        parts[names[place]][token] = name
    for number, one in enumerate(unfolding.transitions):
        where = f"{file}:{pnml.transitions[one.transition].line}"
        arcs = tuple(_arcs(one, places))
        net.add(Transition(f"{names[one.transition]}#{number}", arcs, constants=net.constants, where=where))
    return net, parts


def _arcs(one: UnfoldedTransition, places: Mapping[Token, Place]) -> list[Arc]:
    found = [places[token].take(black(count)) for token, count in one.takes.items()]
    found += [places[token].put(black(count)) for token, count in one.puts.items()]
    found += [places[token].test(black(count)) for arc in one.tests for token, count in arc.items()]
    found += [places[token].inhibit(black(count)) for token, count in one.inhibits.items() if token in places]
    found += [place.reset() for (name, _), place in places.items() if name in one.resets]
    return found
