"""Markings as predicates and measures read them: places by name, `m.NextSend`, `m.Sender.NextSend`, `m["Next Send"]`.

A marking wraps the engine's view of a state and reads only what is asked for, so that a predicate depends on the
places it names and on nothing else.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Protocol

from sweepcheck.core.stamps import Stamped
from sweepcheck.core.values import Bag
from sweepcheck.errors import ModelError, closest, shown
from sweepcheck.models.net.structure import Place
from sweepcheck.models.net.time import CLOCK

if TYPE_CHECKING:
    from sweepcheck.models.net.net import Net


class HasNet(Protocol):
    """The model that a marking is one of; its net may be made when it is asked for."""

    @property
    def net(self) -> Net: ...

    def variable_called(self, name: str) -> str:
        """See `Prepared`."""


class Marking:
    """A marking, or the part of it that belongs to one instance of a module."""

    __slots__ = ("_kinds", "_model", "_prefix", "_view")
    _view: Any
    _kinds: Mapping[str, str]
    _model: HasNet
    _prefix: str

    def __init__(self, view: Any, kinds: Mapping[str, str], model: HasNet, prefix: str = "") -> None:
        object.__setattr__(self, "_view", view)
        object.__setattr__(self, "_kinds", kinds)
        object.__setattr__(self, "_model", model)
        object.__setattr__(self, "_prefix", prefix)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name: str | Place) -> Any:
        asked = name.name if isinstance(name, Place) else str(name)
        full = self._full(name) if isinstance(name, Place) else self._prefix + asked
        kind = self._kinds.get(full)
        if kind == "bag":
            return getattr(self._view, full)
        if kind == "single":
            return Single(getattr(self._view, full))
        if kind == "timed":
            return Timed(self._view, full)
        if kind == CLOCK:
            return getattr(self._view, full)
        if any(one.startswith(full + ".") for one in self._kinds):
            return Marking(self._view, self._kinds, self._model, full + ".")
        if (meant := self._model.variable_called(full)) != full:
            return self[meant]
        inside = [one.removeprefix(self._prefix) for one in self._kinds if one.startswith(self._prefix)]
        raise ModelError("SC202", f"the net has no place {full!r}", suggestion=closest(asked, inside))

    def _full(self, place: Place) -> str:
        """The name of a place that was given itself; a module's place is one of several, and needs its module."""
        if place.fusion is not None:
            return place.fusion
        if (place.net is self._model.net) is not (self._prefix == ""):
            raise ModelError(
                "SC202",
                f"place {place.name!r} of net {place.net.name!r} is not found here",
                suggestion=f"the places of a module are read through its instances: m.Module[{place.name!r}]",
            )
        return self._prefix + place.name

    def __setattr__(self, name: str, value: object) -> None:
        raise changed(name)

    def __delattr__(self, name: str) -> None:
        raise changed(name)

    def __setitem__(self, name: str, value: object) -> None:
        raise changed(name)

    def __delitem__(self, name: str) -> None:
        raise changed(name)

    def __eq__(self, other: object) -> bool:
        return type(other) is Marking and self._prefix == other._prefix and bool(self._view == other._view)

    def __hash__(self) -> int:
        return hash(self._view)

    def __deepcopy__(self, memo: dict[int, Any]) -> Marking:
        return Marking(deepcopy(self._view, memo), self._kinds, self._model, self._prefix)

    def __repr__(self) -> str:
        inside = [one.removeprefix(self._prefix) for one in self._kinds if one.startswith(self._prefix)]
        return " ".join(f"{name}={shown(self[name])}" for name in inside)


def changed(name: str) -> ModelError:
    """The error for a predicate or measure that does not only read."""
    return ModelError(
        "SC206",
        f"{name!r} was changed in a predicate or measure",
        suggestion="predicates and measures only read; transitions change the marking",
    )


class Multiset:
    """Whatever stands for a Bag: what it does not know itself, the bag does."""

    __slots__ = ()

    def bag(self) -> Bag:
        """The tokens."""
        raise NotImplementedError

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.bag(), name)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.bag())

    def __contains__(self, token: object) -> bool:
        return token in self.bag()

    def __len__(self) -> int:
        return len(self.bag())

    def __eq__(self, other: object) -> bool:
        return self.bag() == (other.bag() if isinstance(other, Multiset) else other)

    def __hash__(self) -> int:
        return hash(self.bag())

    def __le__(self, other: Any) -> bool:
        return self.bag() <= (other.bag() if isinstance(other, Multiset) else other)

    def __add__(self, other: Any) -> Bag:
        return self.bag() + (other.bag() if isinstance(other, Multiset) else other)

    def __repr__(self) -> str:
        return repr(self.bag())

    def __deepcopy__(self, memo: object) -> Bag | Multiset:
        return self.bag()


class Single(Multiset):
    """The tokens of a place that always holds exactly one."""

    __slots__ = ("token",)

    def __init__(self, token: Any) -> None:
        self.token = token

    def bag(self) -> Bag:
        return Bag([self.token])

    def __len__(self) -> int:
        return 1

    def __deepcopy__(self, memo: object) -> Single:
        return Single(self.token)  # has more to ask for than its bag


class Timed(Multiset):
    """The tokens of a timed place, without their stamps; `times()` has these."""

    __slots__ = ("_name", "_view")

    def __init__(self, view: Any, name: str) -> None:
        self._view = view
        self._name = name

    def _stamped(self) -> Any:
        return getattr(self._view, self._name)

    def bag(self) -> Bag:
        counts: dict[Hashable, int] = {}
        for token, count in self._stamped().items():
            counts[token.value] = counts.get(token.value, 0) + count
        return Bag(counts)

    def __len__(self) -> int:
        return len(self._stamped())

    def times(self) -> tuple[tuple[Hashable, int], ...]:
        """Every token with its absolute time stamp."""
        now = getattr(self._view, CLOCK)
        return tuple((token.value, now + token.wait) for token in self._stamped() if isinstance(token, Stamped))
