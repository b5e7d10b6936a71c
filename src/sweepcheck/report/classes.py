"""What a report says about equivalence: what the classes rest on, what was compared, what a cut-off remembered."""

from __future__ import annotations

from collections.abc import Iterator

from sweepcheck.core.plan import Outcome, Plan
from sweepcheck.core.verdict import Stop
from sweepcheck.report.values import count_text

LIMITS = (Stop.STATES, Stop.SECONDS, Stop.MEMORY, Stop.INTERRUPTED)


def trusted(plan: Plan, outcome: Outcome) -> str | None:
    """What a verdict over classes takes for granted; None where every state was compared, or was explored itself."""
    if plan.classes is None or outcome.statistics.verified:
        return None
    return f"given {plan.classes.origin}, on which {_met(outcome)} agreed"


def equivalence_text(plan: Plan, outcome: Outcome) -> str | None:
    """Where the classes come from, and what was found out about them."""
    if plan.classes is None:
        return None
    used = "cut-off by" if plan.cutoff is not None else "one state of each class, by"
    form = "" if plan.classes.form == "key" else f" ({plan.classes.form})"
    return f"{used} {plan.classes.origin}{form}; {_compared(plan, outcome)}"


def _compared(plan: Plan, outcome: Outcome) -> str:
    numbers, in_what = outcome.statistics, _questions(plan)
    if numbers.verified:
        every = "every reachable state" if plan.up_to is None else "every state up to the bound"
        return f"{every} was compared with another one of its class: they agree in {in_what}, and in steps"
    if not numbers.compared:
        return "no two equivalent states were met"
    if numbers.verified is False:
        return f"{_met(outcome)}, not all of them, agree in {in_what}, and in steps"
    return f"{_met(outcome)} agree in {in_what}, some also in steps; --verify-equivalence compares all"


def _met(outcome: Outcome) -> str:
    count = outcome.statistics.compared or 0
    return "one pair of equivalent states met" if count == 1 else f"{count_text(count)} pairs of equivalent states met"


def _questions(plan: Plan) -> str:
    """What equivalent states were asked."""
    asked = sum(one.predicate is not None for one in plan.properties)
    named = ["progress"] if plan.measure is not None and plan.cutoff is None else []
    named += [f"{asked} predicate{'s' * (asked != 1)}"] if asked else []
    named += ["the folds"] if plan.tallies else []
    return " and ".join(named) or "all that was asked, which is nothing"


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
