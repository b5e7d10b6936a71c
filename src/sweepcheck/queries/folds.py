"""The three folds of paper 1: over states, over edges, over dead states.

Each takes `init`, `comb(accumulated, value)`, `eval`, `pred` and `store`. The order in which values are combined is not
the order of exploration and means nothing: equal values come one after the other, so a `comb` that no longer
changes anything (a maximum, a union) is not called again for the same value. It may change what it is given: init and
values are copies then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sweepcheck.core.model import System
from sweepcheck.core.plan import Counted, EdgeView, Tally
from sweepcheck.core.values import alike, unfit
from sweepcheck.core.verdict import Guarantee
from sweepcheck.errors import (
    ModelError,
    RequestError,
    SweepcheckError,
    closest,
    own_traceback,
    public,
    raised_at,
    shown,
    told,
)
from sweepcheck.queries.specification import Sweep, check_sweep, condition, valuation
from sweepcheck.report.report import Report

Function = Callable[[Any], Any] | str  # text is an expression over the state, as options of the command line have it
Combine = Callable[[Any, Any], Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """The value of a query, how far it can be trusted, the states stored, and the run behind it.

    A run that a limit ended has seen some states only: then the value is about those, and `guarantee` says so.
    """

    value: Any
    guarantee: Guarantee
    stored: tuple[Any, ...]
    report: Report

    def __bool__(self) -> bool:
        return bool(self.value)


class Over(StrEnum):
    """What a fold goes over."""

    STATES = "states"
    DEAD = "dead"
    EDGES = "edges"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """One fold of several: `over` "states", "dead" states or "edges". The rest is as in `explore_states`."""

    init: Any
    comb: Combine
    eval: Function  # the name in the paper
    pred: Function | None = None
    store: Function | None = None
    over: str = Over.STATES

    def tally(self, system: System, idempotent: bool = False) -> Tally:
        """What is counted on the way."""
        if self.over not in list(Over):
            what = f"a fold cannot go over {shown(self.over)}"
            raise RequestError("SC403", what, suggestion=closest(str(self.over), [str(one) for one in Over]))
        over_edges = self.over == Over.EDGES  # of which expressions do not speak
        for name, function in (("comb", self.comb), ("eval", self.eval), ("pred", self.pred), ("store", self.store)):
            read = isinstance(function, str) and name != "comb" and not over_edges
            if not read and (function is not None or name in ("comb", "eval")):
                _check_callable(function, name)
        predicate, store = (None if one is None else condition(system, one) for one in (self.pred, self.store))
        function = valuation(system, self.eval)
        return Tally(function, predicate, store, self.over == Over.DEAD, over_edges, idempotent)


@public
def explore_states(
    sweep: Sweep,
    *,
    init: Any,
    comb: Combine,
    eval: Function,  # noqa: A002 - the name in the paper
    pred: Function | None = None,
    store: Function | None = None,
) -> Answer:
    """Combine `eval(state)` over all states that satisfy `pred`; those that satisfy `store` too can be looked at."""
    return folded(sweep, Fold(init=init, comb=comb, eval=eval, pred=pred, store=store))


@public
def explore_dead(
    sweep: Sweep,
    *,
    init: Any,
    comb: Combine,
    eval: Function,  # noqa: A002 - the name in the paper
    pred: Function | None = None,
    store: Function | None = None,
) -> Answer:
    """Combine `eval(state)` over all states without successors."""
    return folded(sweep, Fold(init=init, comb=comb, eval=eval, pred=pred, store=store, over=Over.DEAD))


@public
def explore_edges(
    sweep: Sweep,
    *,
    init: Any,
    comb: Combine,
    eval: Callable[[EdgeView], Any],  # noqa: A002 - the name in the paper
    pred: Callable[[EdgeView], object] | None = None,
    store: Callable[[EdgeView], object] | None = None,
) -> Answer:
    """Combine `eval(edge)` over all edges that satisfy `pred`; the targets of those that satisfy `store` are kept.

    An edge is seen with both its states, which no table can hold: the functions are called for each of them.
    """
    return folded(sweep, Fold(init=init, comb=comb, eval=eval, pred=pred, store=store, over=Over.EDGES))


@public
def explore_together(sweep: Sweep, *folds: Fold) -> tuple[Answer, ...]:
    """The answers to several folds from one exploration, in their order."""
    check_sweep(sweep)
    for one in folds:
        if not isinstance(one, Fold):
            raise RequestError(
                "SC403", f"{shown(one)} is not a fold", suggestion="write queries.Fold(init=..., comb=..., eval=...)"
            )
    return _answers(sweep, folds, [one.tally(sweep.system()) for one in folds])


def folded(sweep: Sweep, fold: Fold, idempotent: bool = False) -> Answer:
    """The answer to one fold; `idempotent` as in `Tally`."""
    check_sweep(sweep)
    (answer,) = _answers(sweep, [fold], [fold.tally(sweep.system(), idempotent)])
    return answer


def _answers(sweep: Sweep, folds: Sequence[Fold], tallies: Sequence[Tally]) -> tuple[Answer, ...]:
    report = sweep.run(*tallies)
    answers = []
    for fold, tally, counted in zip(folds, tallies, report.tallies, strict=True):
        met = counted.stored if tally.edges else dict.fromkeys(counted.stored)  # some strategies meet a state again
        states = tuple(map(report.system.view, met))
        answers.append(Answer(combined(counted, fold.init, fold.comb), report.guarantee, states, report))
    return tuple(answers)


def combined(counted: Counted, init: Any, comb: Combine) -> Any:
    """The values of a tally combined, each as often as it was met."""
    value = _copier(init)()
    for one, count in counted.values:
        value = _repeated(comb, value, one, count)
    return value


def _repeated(comb: Combine, value: Any, one: Any, count: int) -> Any:
    """The value combined with one so many times, or until that no longer changes it."""
    fresh, changing = _copier(one), False
    while count:
        before, value, count = value, _combine(comb, value, fresh()), count - 1
        if changing or not count or not _same(value, before):
            continue
        if unfit(value) is None:
            break
        # It can be changed in place, and what was given with it: only a copy shows that a call changes nothing.
        changing = value is before or (copy := _copied(value)) is value
        if not changing:
            value, count = _combine(comb, value, fresh()), count - 1
            if _same(value, copy):
                break
            changing = True
    return value


def _copier(value: Any) -> Callable[[], Any]:
    """Gives the value, or a copy of it each time where somebody could change it."""
    if unfit(value) is None:
        return lambda: value
    parts = value.values() if type(value) is dict else value if type(value) in (list, set) else [value]
    if all(unfit(part) is None for part in parts):
        copy: Callable[[], Any] = value.copy
        return copy
    return lambda: _copied(value)


def _copied(value: Any) -> Any:
    try:
        return deepcopy(value)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - a lock or a file, say: there is but this one
        return value


def _combine(comb: Combine, value: Any, one: Any) -> Any:
    try:
        return comb(value, one)
    except SweepcheckError:
        raise
    except Exception as error:
        raise ModelError(
            "SC209",
            f"the fold's comb raised {told(error)}",
            where=raised_at(error, comb),
            values=[("so far", shown(value)), ("value", shown(one)), ("traceback", own_traceback(error))],
            suggestion="it combines init, or what it returned before, with any value of eval",
        ) from error


def _check_callable(function: object, name: str) -> None:
    if not callable(function):
        raise RequestError(
            "SC403", f"{name} is {shown(function)}, which is not a function", suggestion=f"write {name}=lambda ...: ..."
        )


def _same(one: Any, other: Any) -> bool:
    try:
        return one is other or (alike(one, other) and bool(one == other))
    except Exception:  # noqa: BLE001 - values of the user's that cannot be compared are taken to differ
        return False
