"""Hypothesis, the optional package that random models are drawn with; only this module imports it."""

from __future__ import annotations

from sweepcheck.errors import RequestError, installation

try:
    from hypothesis import strategies as st
except ImportError:
    raise RequestError("SC405", "random models need hypothesis", suggestion=installation("testing")) from None

__all__ = ["st"]
