"""The reference engine: pure Python, written to be read beside the papers. It is the oracle for all others."""

from sweepcheck.engines.reference.engine import run

__all__ = ["run"]
