"""Whatever a user hands over, as a `System`."""

from __future__ import annotations

from typing import Any

from sweepcheck.core.model import System
from sweepcheck.errors import ModelError, place, shown
from sweepcheck.models.actions.model import Model
from sweepcheck.models.net.net import Net
from sweepcheck.models.net.system import NetModel
from sweepcheck.models.plain import PlainModel
from sweepcheck.models.processes.network import Network


def is_model(candidate: object) -> bool:
    """Whether the object can be checked as it is."""
    plain = callable(getattr(candidate, "initial", None)) and callable(getattr(candidate, "successors", None))
    return not isinstance(candidate, type) and (isinstance(candidate, Model | Net | Network | PlainModel) or plain)


def _net(net: Net) -> NetModel:
    """The model of a net that somebody wrote: without a transition it is not finished; a file may be like that."""
    model = NetModel(net)
    if not model.actions:
        suggestion = 'declare some: net.transition("Move", ...)'
        raise ModelError("SC122", f"net {net.name!r} has no transition", suggestion=suggestion)
    return model


def adopt(candidate: Any) -> System:
    """The object as a system."""
    if isinstance(candidate, Model | Network | PlainModel):
        return candidate
    if isinstance(candidate, Net):
        return _net(candidate)
    if is_model(candidate):
        return PlainModel(candidate)
    suggestion = "give a Model, a Net, or an object with initial() and successors(state)"
    missing = [name for name in ("initial", "successors") if not callable(getattr(candidate, name, None))]
    if callable(candidate):
        suggestion = f"call it first: {getattr(candidate, '__name__', 'model')}()"
    elif len(missing) == 1:
        suggestion = f"it lacks a method {missing[0]}()"
    raise ModelError("SC106", f"{shown(candidate)} is not a model", where=place(candidate), suggestion=suggestion)
