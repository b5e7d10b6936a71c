"""The global questions of the Model Checking Contest, which are asked of a net without a file of formulas.

As the contest has it, a place of a coloured net is the sum of its tokens, and a transition any binding of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sweepcheck.core.counting import TokenNumber
from sweepcheck.core.formula import All
from sweepcheck.core.questions import Question
from sweepcheck.errors import RequestError
from sweepcheck.models.net.system import NetModel
from sweepcheck.models.pnml.statements import compared
from sweepcheck.properties import always_possible, deadlock, invariant, reachable


def global_questions(names: Sequence[str], model: Any) -> tuple[Question, ...]:
    """The questions of these names about a net; GlobalProperties are all of them."""
    if not isinstance(model, NetModel):
        raise RequestError("SC411", f"examinations ask about nets, and {model!r} is none", suggestion="give a net")
    wanted = [*EXAMINATIONS] if ALL in names else dict.fromkeys(names)
    return tuple(EXAMINATIONS[one](one, model) for one in wanted)


def _deadlock(name: str, model: NetModel) -> Question:
    """Whether a reachable marking is dead."""
    del model
    return Question(name, deadlock(name), negated=True)


def _quasi_liveness(name: str, model: NetModel) -> Question:
    """Whether every transition is enabled in some reachable marking."""
    return Question(name, every=tuple(Question(one, reachable(one, enabled)) for one, enabled in _enabled(name, model)))


def _liveness(name: str, model: NetModel) -> Question:
    """Whether from every reachable marking every transition can be made enabled."""
    parts = (Question(one, always_possible(one, enabled)) for one, enabled in _enabled(name, model))
    return Question(name, every=tuple(parts))


def _enabled(name: str, model: NetModel) -> Iterator[tuple[str, Callable[[Any], object]]]:
    for transition in model.families():
        yield f"{name}: {transition}", model.enabled(transition)


def _stable_marking(name: str, model: NetModel) -> Question:
    """Whether some place always has the tokens that it has initially."""
    (first,) = model.initial_states()
    view = model.view(first)
    parts = []
    for place, tokens in _places(model):
        same = compared("integer-eq", tokens, TokenNumber((), tokens(view)))
        parts.append(Question(f"{name}: {place}", invariant(f"{name}: {place}", same)))
    return Question(name, some=tuple(parts))


def _one_safe(name: str, model: NetModel) -> Question:
    """Whether no place ever has more than one token."""
    one = TokenNumber((), 1)
    return Question(
        name, invariant(name, All(tuple(compared("integer-le", tokens, one) for _, tokens in _places(model))))
    )


def _places(model: NetModel) -> Iterator[tuple[str, TokenNumber]]:
    for place in model.place_names:
        yield place, model.tokens_on(model.variables_of(place))


ALL = "GlobalProperties"
EXAMINATIONS: dict[str, Callable[[str, NetModel], Question]] = {
    "ReachabilityDeadlock": _deadlock,
    "QuasiLiveness": _quasi_liveness,
    "StableMarking": _stable_marking,
    "Liveness": _liveness,
    "OneSafe": _one_safe,
}
