"""Logs against models: is there a run of the model that explains what a log of the real system says?"""

from sweepcheck.conformance.conforming import Conformance, conform
from sweepcheck.conformance.diagnosis import Refusal
from sweepcheck.conformance.logs import Log, read_log

__all__ = ["Conformance", "Log", "Refusal", "conform", "read_log"]
