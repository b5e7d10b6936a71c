"""Any object with `initial()` and `successors(state)` as a model."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from types import MappingProxyType
from typing import Any

from sweepcheck.core.measure import Measure
from sweepcheck.core.model import Edge, Label, State
from sweepcheck.core.prepared import Prepared
from sweepcheck.core.property import Property
from sweepcheck.core.values import unfit
from sweepcheck.errors import ModelError, SweepcheckError, own_traceback, place, raised_at, shown, told
from sweepcheck.models.actions.enabled import Asked


class PlainModel(Prepared):
    """Wraps an object whose `successors(state)` yields `(label, state)`; `initial()` gives one state or a list.

    Predicates get the state itself. Named tuples and dataclasses are shown field by field.
    """

    def __init__(self, model: Any) -> None:
        self._model = model
        self.name: str = str(getattr(model, "name", None) or type(model).__name__)
        self.parameters: Mapping[str, object] = MappingProxyType({})
        self.measure: Measure | None = None
        self.properties: Sequence[Property] = ()

    @property
    def variables(self) -> tuple[str, ...]:
        """The fields of the first initial state; a state without fields is only known as a whole."""
        first = self.initial_states()[0]
        return tuple(self.describe(first)) if _has_fields(first) else ()

    def initial_states(self) -> tuple[State, ...]:
        """What `initial()` returns; a list or a generator is several states, anything else is one."""
        try:
            returned = self._model.initial()
            several = isinstance(returned, list | Iterator)
            states = list(returned) if several else [returned]
        except SweepcheckError:
            raise
        except (Exception, SystemExit) as error:
            raise ModelError(
                "SC116",
                f"initial() raised {told(error)}",
                where=raised_at(error, self._model.initial),
                values=[("traceback", own_traceback(error))],
                suggestion="mend initial()",
            ) from error
        where = place(self._model.initial)
        if not states or returned is None:
            raise ModelError(
                "SC116",
                f"initial() returned {shown(returned) if not several else 'no state'}",
                where=where,
                suggestion="return a state, or a list of several",
            )
        for state in states:
            _check(state, "initial()", where)
        return tuple(dict.fromkeys(states))

    def edges(self, state: State) -> tuple[Edge, ...]:
        """The distinct pairs that `successors(state)` yields."""
        found: dict[Edge, None] = {}
        where = place(self._model.successors)
        try:
            offered = self._model.successors(state)
            if not isinstance(offered, Iterable):
                raise _not_a_pair(f"successors() returned {shown(offered)}", where)
            for pair in offered:
                if not isinstance(pair, tuple) or len(pair) != 2:
                    raise _not_a_pair(f"successors() yielded {shown(pair)}", where)
                label, target = pair
                if isinstance(target, str) and type(label) is type(state) is not str:
                    raise _not_a_pair(f"successors() yielded {shown(pair)}, a state before its label", where)
                _check(target, "successors()", where)
                found[Edge(label if isinstance(label, Label) else Label(str(label)), target)] = None
        except ModelError as error:
            raise error.add(("state", shown(state))) from None
        except MemoryError:  # the end of a run, and not the model's fault
            raise
        except (Exception, SystemExit) as error:
            raise ModelError(
                "SC201",
                f"successors() raised {told(error)}",
                where=raised_at(error, self._model.successors),
                values=[("state", shown(state)), ("traceback", own_traceback(error))],
                suggestion="mend successors(); it is called with one state and yields (label, state)",
            ) from error
        return tuple(found)

    def view(self, state: State) -> Any:
        """The state itself."""
        return state

    def enabled(self, action: str, *arguments: Hashable, **named: Hashable) -> Callable[[Any], bool]:
        """The predicate that an edge is labelled so; which labels there are is not known in advance."""
        asked = Asked(action, arguments, named)
        return lambda state: any(
            action in (edge.label.action, str(edge.label)) and asked.fits(edge.label) for edge in self.edges(state)
        )

    def describe(self, state: State) -> dict[str, object]:
        """The fields of a named tuple or dataclass; other states are one value called `state`."""
        named: Any = state
        if is_dataclass(named):
            return {field.name: getattr(named, field.name) for field in fields(named)}
        if hasattr(named, "_asdict"):
            return dict(named._asdict())
        return {"state": state}

    def locate(self, label: Label) -> str | None:  # noqa: ARG002 - one function makes all edges
        """Where `successors` is written."""
        return place(self._model.successors)


def _has_fields(state: State) -> bool:
    return is_dataclass(state) or hasattr(state, "_asdict")


def _not_a_pair(what: str, where: str | None) -> ModelError:
    return ModelError("SC211", what, where=where, suggestion="yield (label, state), or return a list of such pairs")


def _check(state: Any, source: str, where: str | None) -> None:
    why = unfit(state)
    if why is not None:
        raise ModelError(
            "SC203",
            f"{source} gave {shown(state)}, which {why}",
            where=where,
            suggestion="states are hashable values: tuples, named tuples, frozen dataclasses",
        )
