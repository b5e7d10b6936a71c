"""What a report says about equivalence: what the classes rest on, what was compared, what a cut-off remembered."""

from __future__ import annotations

from collections.abc import Iterator

from sweepcheck.core.plan import Outcome, Plan
from sweepcheck.core.property import Kind
from sweepcheck.core.verdict import Stop
from sweepcheck.report.values import count_text

LIMITS = (Stop.STATES, Stop.SECONDS, Stop.MEMORY, Stop.DISK, Stop.INTERRUPTED)


def given(plan: Plan, outcome: Outcome) -> str | None:
    """The condition of an answer over classes; None where every state was compared, or was explored itself."""
    if plan.classes is None or outcome.statistics.verified:
        return None
    return f"if {plan.classes.origin} is right; {_met(outcome)}"


def equivalence_text(plan: Plan, outcome: Outcome) -> str | None:
    """Where the classes come from, and what was found out about them."""
    if plan.classes is None:
        return None
    used = "cut-off by" if plan.cutoff is not None else "one state of each class, by"
    form = "" if plan.classes.form == "key" else f" ({plan.classes.form})"
    return f"{used} {plan.classes.origin}{form}; {_compared(plan, outcome)}"


def _compared(plan: Plan, outcome: Outcome) -> str:
    numbers, asked = outcome.statistics, _questions(plan)
    everything = f"agree in {' and '.join([*asked, 'steps'])}"
    if numbers.verified:
        return f"every reachable state was compared with another one of its class: they {everything}"
    if not numbers.compared:
        return _met(outcome)
    if numbers.verified is False:
        which = "not all there are" if plan.bound is None else "those up to the bound"
        return f"{_pairs(outcome)}, {which}, {everything}"
    on_a_walk = f"agree in {' and '.join(asked)}, and on a walk in steps" if asked else "agree on a walk in steps"
    return f"{_pairs(outcome)} {on_a_walk}; --verify-equivalence compares all"


def _met(outcome: Outcome) -> str:
    if not outcome.statistics.compared:
        return "no two equivalent states were met"
    one = outcome.statistics.compared == 1
    return f"{_pairs(outcome).removesuffix(' met')} {'was' if one else 'were'} compared and agreed"


def _pairs(outcome: Outcome) -> str:
    count = outcome.statistics.compared or 0
    return "one pair of equivalent states met" if count == 1 else f"{count_text(count)} pairs of equivalent states met"


def _questions(plan: Plan) -> list[str]:
    """What equivalent states were asked."""
    asked = sum(one.predicate is not None and one.kind is not Kind.STEP for one in plan.properties)
    named = ["progress"] if plan.measure is not None and plan.cutoff is None else []
    named += [f"{asked} predicate{'s' * (asked != 1)}"] if asked else []
    return named + (["the folds"] if plan.tallies else [])


def no_end(plan: Plan, outcome: Outcome) -> Iterator[str]:
    """Why a cut-off did not end a run."""
    numbers = outcome.statistics
    if plan.cutoff is None or outcome.stop not in LIMITS:
        return
    kept = f"{count_text(numbers.remembered)} classes are remembered, {count_text(numbers.skipped)} edges led to one"
    if numbers.grows:
        why, help_ = "progress still grows", "let the key forget more, or `when` hold more often"
    else:
        why, help_ = "progress grows no more", "let `when` hold where steps go back"
    yield f"the cut-off has not ended the run: {why}, {kept}; {help_}"
