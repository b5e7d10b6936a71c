"""Communicating processes: labelled transition systems, their composition, and the language to write them in."""

from sweepcheck.models.processes.aut import read_aut, write_aut
from sweepcheck.models.processes.composition import parallel
from sweepcheck.models.processes.lts import LTS
from sweepcheck.models.processes.network import Network

__all__ = ["LTS", "Network", "parallel", "read_aut", "write_aut"]
