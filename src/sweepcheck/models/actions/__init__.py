"""Models written as plain Python actions on a draft of the state."""

from sweepcheck.models.actions.choice import choose, require, stay
from sweepcheck.models.actions.model import Model

__all__ = ["Model", "choose", "require", "stay"]
