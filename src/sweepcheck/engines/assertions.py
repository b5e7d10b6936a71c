"""An `assert` in an action that fails is a violated property, and not a mistake in the model."""

from __future__ import annotations

from sweepcheck.core.plan import Plan
from sweepcheck.core.property import Kind, Property
from sweepcheck.errors import SweepcheckError

NOT_OF_A_PATH = ("SC213", "SC215", "SC404")  # errors that are about more than the state in which they show


def failed_assertion(plan: Plan, error: SweepcheckError) -> Property | None:
    """The property that a failed `assert` violates; None if the error is another one, or if all states are needed: then
    it is an error like any other.
    """
    return None if plan.survey or plan.tallies else assertion_of(error)


def assertion_of(error: SweepcheckError) -> Property | None:
    """The assertion that an error is about; None if it is about something else."""
    if error.code != "SC201" or not isinstance(error.__cause__, AssertionError):
        return None
    message = str(error.__cause__).strip().partition("\n")[0]
    place = error.where or "an action"
    return Property(Kind.ASSERTION, f"{place}: {message}" if message else place)
