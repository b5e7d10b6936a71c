"""Coloured Petri nets: places, transitions, modules and time, as models whose actions are transitions."""

from sweepcheck.models.net import colours
from sweepcheck.models.net.net import Net
from sweepcheck.models.net.time import at

__all__ = ["Net", "at", "colours"]
