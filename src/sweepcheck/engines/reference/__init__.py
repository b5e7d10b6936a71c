"""The reference engine: pure Python, written to be read beside the papers. It is the oracle for all others."""

from sweepcheck.engines.reference.engine import run
from sweepcheck.engines.reference.walks import walk

__all__ = ["run", "walk"]
