"""Warnings: what makes a verdict worth less than it seems, one line each.

A property of a model in which nothing happens holds, and so does one that does not look at the state. Nothing is wrong
with such an answer, and nobody who sees it alone would know. `warnings_of` is the one place where they are collected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sweepcheck.core.model import Label
from sweepcheck.core.plan import Outcome, Plan
from sweepcheck.core.property import Kind, Pattern, stand_for
from sweepcheck.core.verdict import Verdict
from sweepcheck.report.classes import no_end
from sweepcheck.report.measure_advice import measure_advice
from sweepcheck.report.values import count_text, property_text

NOTHING_ASKED = "no property was asked for, and the model declares none: nothing was decided"
MOST_NAMED = 10  # actions that are named one by one


def warnings_of(decided: Plan, outcome: Outcome, verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    """All warnings about a run."""
    return (
        *_nothing_happens(decided, outcome),
        *_over_nothing(decided, outcome, verdicts),
        *decided.system.remarks(),
        *_no_help(decided, outcome),
        *no_end(decided, outcome),
        *_unsaved(outcome),
    )


def _unsaved(outcome: Outcome) -> Iterator[str]:
    if outcome.unsaved is not None:
        yield f"{outcome.unsaved}; the run can be gone on with from an earlier one only, if that is still there"


# -- what never happened: known only where every state was processed --------------------------------------------------


def _nothing_happens(decided: Plan, outcome: Outcome) -> Iterator[str]:
    """A model that stays where it starts; else the actions that are never enabled."""
    if outcome.stop is not None:
        return
    numbers, declared = outcome.statistics, decided.system.declared_actions()
    only = "only the initial state was" if numbers.states == 1 else "only the initial states were"
    if declared is not None and not declared:
        yield f"the model has no actions: {only} looked at"
    elif not numbers.edges:
        what = "no step is possible" if declared is None else f"no {decided.system.action_word} is ever enabled"
        yield f"{what}: {only} looked at"
    elif numbers.states == 1:
        yield f"every step leads back to where it began: {only} looked at"
    else:
        yield from _idle(decided, outcome)


def _idle(decided: Plan, outcome: Outcome) -> Iterator[str]:
    """Actions that are never enabled; of a family only where that is so of every member."""
    word, idle = decided.system.action_word, set(outcome.idle)
    families: dict[str, list[Label]] = {}
    for action in decided.system.declared_actions() or ():
        families.setdefault(decided.system.family(action.label), []).append(action.label)
    asked = [one.pattern for one in decided.properties if one.pattern is not None]
    never = [name for name, members in families.items() if idle.issuperset(members) and not _forbidden(name, asked)]
    for name in never[:MOST_NAMED]:
        members = families[name]
        where = decided.system.locate(members[0])
        which = f"{word} {name!r}" if len(members) == 1 else f"{word} {name!r}, for all its {len(members)} members,"
        yield f"{which} is never enabled" + (f" ({where})" if where else "")
    if len(never) > MOST_NAMED:
        yield f"{count_text(len(never) - MOST_NAMED)} more {word}s are never enabled"


def _forbidden(event: str, asked: Sequence[Pattern]) -> bool:
    """Whether a property says that an event never comes: then that is no surprise."""
    return any(not pattern.after and not pattern.before and stand_for(pattern.events, event) for pattern in asked)


def _no_help(decided: Plan, outcome: Outcome) -> Iterator[str]:
    """A measure behind which hardly anything is forgotten; a query or a cut-off keeps states on purpose."""
    if any(tally.store is not None for tally in decided.tallies) or decided.cutoff is not None:
        return
    advice = measure_advice(decided.strategy, outcome.statistics, outcome.regressing, outcome.stop)
    if advice is not None:
        yield f"{advice.what}; {advice.help}"


# -- properties that hold whatever the model does ---------------------------------------------------------------------


def _over_nothing(decided: Plan, outcome: Outcome, verdicts: Sequence[Verdict]) -> Iterator[str]:
    declared = decided.system.declared_actions() or ()
    happened = {action.name for action in declared} - {one.action for one in outcome.idle}
    for verdict in filter(None, verdicts):  # those that hold
        asked = verdict.property
        name = property_text(asked.kind, asked.name)
        if asked.pattern is not None:
            first = asked.pattern.after
            if first and outcome.stop is None and not any(stand_for(first, event) for event in happened):
                yield f"{name} is about what comes after {', '.join(first)}, and that never comes"
        elif asked.kind is Kind.LEADS_TO:
            if _constant(asked.goal) or _constant(asked.predicate) is False:
                yield f"{name} does not look at the state: it holds whatever the model does"
        elif (value := _constant(asked.predicate)) is not None and not (asked.kind is Kind.DEADLOCK and not value):
            what = "lets every state be final" if asked.kind is Kind.DEADLOCK else "does not look at the state"
            yield f"{name} {what}: it holds whatever the model does"


class _Unread(Exception):  # noqa: N818 - the way a predicate is left that looks at the state
    """The state was looked at."""


class _Closed:
    """Stands for a state, and notes that somebody looked at it."""

    def __init__(self) -> None:
        object.__setattr__(self, "opened", False)

    def __getattribute__(self, name: str) -> Any:
        object.__setattr__(self, "opened", True)
        raise _Unread

    def _open(self, *_: object) -> Any:
        object.__setattr__(self, "opened", True)
        raise _Unread

    __bool__ = __len__ = __iter__ = __contains__ = __getitem__ = __call__ = __hash__ = _open
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __repr__ = __str__ = _open


def _constant(predicate: Callable[[Any], object] | None) -> bool | None:
    """The value of a predicate that does not look at the state, such as one over an empty range; None if it does."""
    if predicate is None:
        return None
    state = _Closed()
    try:
        value = predicate(state)
        constant = bool(value)
    except Exception:  # noqa: BLE001 - whatever it does with such a state, it looks at it
        return None
    return None if object.__getattribute__(state, "opened") else constant
