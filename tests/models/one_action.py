"""What the tests of actions share: a model with one action, and the error that it ends in."""

from collections.abc import Callable
from typing import Any

import pytest

from sweepcheck import Model, SweepcheckError


def runs(action: Callable[..., None], /, family: dict[str, Any] | None = None, **variables: Any) -> list[tuple]:
    """The edges of a one-action model out of its initial state: (label, values of the variables)."""
    model = Model("one action", **variables)
    (model.action(**family) if family else model.action)(action)
    return [(str(edge.label), edge.target) for edge in model.edges(model.initial_states()[0])]


def error_of(action: Callable[..., None], /, **variables: Any) -> SweepcheckError:
    with pytest.raises(SweepcheckError) as caught:
        runs(action, **variables)
    return caught.value
