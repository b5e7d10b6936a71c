"""Whether an action is enabled, as a predicate: `m.enabled("send")`, `m.enabled("send", 2)`.

The function of the action is run on a draft that reads the state as it goes, so that the predicate depends on what the
action looked at and on nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sweepcheck.core.formula import OneEnabled
from sweepcheck.core.model import Label
from sweepcheck.core.running import Disabled, current
from sweepcheck.core.structures import Set
from sweepcheck.core.values import Array, Bag, Queue
from sweepcheck.errors import RequestError, closest, shown
from sweepcheck.models.actions.draft import Choices, Draft

if TYPE_CHECKING:
    from sweepcheck.models.actions.action import Action
    from sweepcheck.models.actions.model import Model


@dataclass(frozen=True, slots=True)
class Asked:
    """An action, or some of its edges: by its name, and values of parameters and choices, by position or by name."""

    name: str
    arguments: tuple[Hashable, ...] = ()
    named: Mapping[str, Hashable] = field(default_factory=dict)

    def __str__(self) -> str:
        words = [shown(one) for one in (self.name, *self.arguments)]
        return f"enabled({', '.join([*words, *(f'{name}={shown(one)}' for name, one in self.named.items())])})"

    def fits(self, label: Label) -> bool:
        """Whether an edge with this label is meant."""
        values = tuple(value for _, value in label.arguments)
        if values[: len(self.arguments)] != self.arguments:
            return False
        known = dict(label.arguments)
        return all(name in known and known[name] == value for name, value in self.named.items())

    def may_fit(self, action: Label) -> bool:
        """Whether an action, whose choices are not known yet, has edges that may be meant."""
        values = tuple(value for _, value in action.arguments)
        both = min(len(values), len(self.arguments))
        known = dict(action.arguments)
        return values[:both] == self.arguments[:both] and all(
            known.get(name, value) == value for name, value in self.named.items()
        )


def _chosen(asked: Asked, model: Model) -> tuple[Action, ...]:
    """The actions that are meant; an error where the model knows none of this name."""
    word, known = model.action_word, model.families()
    name: object = asked.name  # whatever a user gave
    if not isinstance(name, str):
        suggestion = f"give the name of one: {', '.join(list(known)[:4])}"
        raise RequestError("SC407", f"{shown(name)} is not the name of an action", suggestion=suggestion)
    called = model.named_actions.get(asked.name, ())
    if not called and asked.name in known:  # a family without members is never enabled
        return ()
    if not called:
        raise RequestError("SC407", f"the model has no {word} {asked.name!r}", suggestion=closest(asked.name, known))
    found = tuple(one for one in called if asked.may_fit(one.label))
    if not found:
        raise RequestError(
            "SC413",
            f"no {word} is meant by {asked}",
            suggestion=f"there are {', '.join(str(one.label) for one in called[:4])}{' ...' * (len(called) > 4)}",
        )
    return found


class Enabled(OneEnabled):
    """The predicate that an action of a model is enabled. `find` gives the model when it is first asked."""

    __slots__ = ("_asked", "_find", "_known")

    def __init__(self, find: Callable[[], Model], asked: Asked) -> None:
        self._find, self._asked = find, asked
        self._known: tuple[Model, tuple[Callable[[Any], bool], ...]] | None = None

    def __call__(self, view: Any) -> bool:
        """Whether one of the actions is."""
        if self._known is None:
            model = self._find()
            self._known = model, tuple(model.enabling(one, self._asked) for one in _chosen(self._asked, model))
        model, tests = self._known
        flat = model.flat_view(view)
        return any(test(flat) for test in tests)

    def labels(self) -> frozenset[Label] | None:
        """See `OneEnabled`."""
        model = self._find()
        chosen = _chosen(self._asked, model)
        known = all(model.decidable(one, self._asked) for one in chosen)
        return frozenset(one.label for one in chosen) if known else None

    def __repr__(self) -> str:
        return str(self._asked)


def enabling(action: Action, asked: Asked, draft: type[Draft], first: tuple[Any, ...]) -> Callable[[Any], bool]:
    """Whether an action has such an edge, as a function of a view that has the variables as they are."""

    def is_enabled(view: Any) -> bool:
        return any(asked.fits(label) for label in _labels(action, draft, _Values(view, draft._names, first)))

    return is_enabled


def _labels(action: Action, draft_type: type[Draft], values: _Values) -> Iterator[Label]:
    """The labels of all enabled runs; see `Action.runs`."""
    choices = Choices()
    while True:
        draft: Any = draft_type.__new__(draft_type)
        draft._values, draft._choices, draft._touched = values.fresh(), choices, False
        token, label = current.set(draft), None
        try:
            label = action.fire(draft)
        except Disabled:
            pass
        except MemoryError:
            raise
        except (Exception, SystemExit) as error:
            raise action.blame(error, draft_type._names) from error
        finally:
            current.reset(token)
            draft._close()
        if label is not None:
            yield label
        if not choices.advance():
            return


class _Values:
    """The values of a state, each read when it is needed; what a run writes is its own."""

    __slots__ = ("_first", "_names", "_read", "_view", "_written")

    def __init__(self, view: Any, names: tuple[str, ...], first: tuple[Any, ...], read: Any = None) -> None:
        self._view, self._names, self._first = view, names, first
        self._read: dict[int, Any] = {} if read is None else read
        self._written: dict[int, Any] = {}

    def fresh(self) -> _Values:
        """The same state for another run."""
        return _Values(self._view, self._names, self._first, self._read)

    def written(self) -> list[Any]:
        """What the run has written so far."""
        return list(self._written.values())

    def __getitem__(self, index: int) -> Any:
        if index in self._written:
            return self._written[index]
        if index not in self._read:
            self._read[index] = settled_value(getattr(self._view, self._names[index]), self._first[index])
        return self._read[index]

    def __setitem__(self, index: int, value: Any) -> None:
        self._written[index] = value


def settled_value(held: Any, like: Any) -> Any:
    """A variable's value, where a view of an engine's gives an object that stands for it; `like` is another value."""
    kind = type(like)
    if kind is Queue:
        return held if type(held) is Queue else Queue(held, like.capacity)
    if kind is Bag or kind is Set or kind is Array:
        return held if type(held) is kind else kind(held)
    return held
