"""Which runs count: what they are fair to, and where they may end, as the model declares it or as it is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from sweepcheck.core.declaration import check_flag, texts
from sweepcheck.core.fairness import FairNames, Fairness, resolved
from sweepcheck.core.model import System
from sweepcheck.core.property import Property
from sweepcheck.errors import RequestError


def fairness(
    system: System, asked: Sequence[str] | None, given: Sequence[Property], properties: Sequence[Property]
) -> tuple[Fairness, ...]:
    """What runs are fair to, where that makes a difference.

    A formula may turn out to be about states alone: the properties are what was given, in such words.
    """
    if asked is None:
        wanted = list(system.declared_fairness())
    else:
        known = [text for action in system.declared_actions() or () for text in system.names_of(action)]
        wanted = [FairNames.parsed(text, known) for text in texts(asked, "fair", "SC407")]
    chosen = dict.fromkeys(one for names in wanted for one in resolved(system, names))
    return tuple(chosen) if _matters("fairness", bool(asked), given, properties) else ()


def stuttering(system: System, asked: bool | None, given: Sequence[Property], properties: Sequence[Property]) -> bool:
    """Whether runs may end in any state, where that makes a difference."""
    if asked is not None:
        check_flag(asked, "stuttering")
    matters = _matters("stuttering", bool(asked), given, properties)
    return matters and (system.declared_stuttering() if asked is None else asked)


def _matters(what: str, asked: bool, given: Sequence[Property], properties: Sequence[Property]) -> bool:
    """Whether it makes a difference which runs count; refused where nobody can have meant it."""
    if any(one.kind.about_fair_runs for one in properties):
        return True
    if asked and not any(one.kind.about_fair_runs for one in given):
        raise RequestError(
            "SC404",
            f"{what} is asked for, and none of the properties depends on it",
            suggestion=f"{what} matters to always eventually, leads to, LTL and CTL; leave it out for the others",
        )
    return False
