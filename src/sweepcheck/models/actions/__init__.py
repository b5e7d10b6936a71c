"""Models written as plain Python actions on a draft of the state."""

from sweepcheck.models.actions.choice import choose, require, stay
from sweepcheck.models.actions.model import Model
from sweepcheck.models.actions.observing import Event, observe

__all__ = ["Event", "Model", "choose", "observe", "require", "stay"]
