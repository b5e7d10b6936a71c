"""Every error a user can meet, and the table of their codes.

    SweepcheckError         code, what happened, where, offending values, what to do
    ├── ModelError          the model is wrong: its file, its declarations, or what it does while it runs
    ├── MeasureError        the progress measure does not keep its promise
    ├── RequestError        the request cannot be carried out (unknown name, unsound combination, missing extra)
    └── TraceError          a saved trace is broken or belongs to another model

Library code raises these and never prints; the command line renders them and exits with 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from types import CodeType

CODES: dict[str, str] = {
    "SC101": "the model file cannot be read",
    "SC102": "the model file is not valid Python",
    "SC103": "the model file raised an exception while it was loaded",
    "SC104": "no model, or more than one, was found in the file",
    "SC105": "a model parameter is unknown or malformed",
    "SC106": "the object is not a model",
    "SC110": "a variable is declared wrongly",
    "SC111": "an initial value cannot be hashed",
    "SC112": "a name is declared twice",
    "SC113": "a function cannot be an action",
    "SC114": "a function looks like an action but is not decorated",
    "SC115": "an action depends on or changes global state",
    "SC116": "an initial state is wrong",
    "SC201": "an action raised an exception",
    "SC202": "the model has no such variable",
    "SC203": "a value cannot be hashed",
    "SC204": "a bag, queue or array was assigned to",
    "SC205": "a draft was used outside its action",
    "SC206": "a choice or a change was made where none is possible",
    "SC207": "an array index is out of range",
    "SC208": "an action returned a value",
    "SC209": "a predicate or measure raised an exception",
    "SC210": "a state cannot be read as asked",
    "SC211": "successors() yielded something that is not (label, state)",
    "SC301": "progress went down on a step",
    "SC302": "progress values cannot be ordered",
    "SC303": "the strategy needs a progress measure",
    "SC401": "the model has no such property",
    "SC402": "an expression cannot be evaluated",
    "SC403": "an option's value is not allowed",
    "SC404": "the combination is not possible",
    "SC405": "an optional package is missing",
    "SC406": "a file cannot be written",
    "SC501": "the trace file cannot be read",
    "SC502": "the trace does not replay on the model",
}


class SweepcheckError(Exception):
    """What happened in the user's words, where, with which values, and what to do about it."""

    def __init__(
        self,
        code: str,
        what: str,
        *,
        where: str | None = None,
        values: Iterable[tuple[str, str]] = (),
        suggestion: str | None = None,
    ) -> None:
        if code not in CODES:
            raise LookupError(f"error code {code} is not in the table")
        super().__init__(what)
        self.code = code
        self.what = what
        self.where = where
        self.values = tuple(values)
        self.suggestion = suggestion

    def __str__(self) -> str:
        rows = [f"error[{self.code}]: {self.what}"]
        pairs = [("at", self.where), *self.values, ("help", self.suggestion)]
        width = max((len(key) for key, text in pairs if text), default=0)
        for key, text in pairs:
            if text:
                first, *rest = text.splitlines() or [""]
                rows.append(f"  {key:<{width}}  {first}")
                rows += [f"  {'':<{width}}  {line}" for line in rest]
        rows.append(f"  {'docs':<{width}}  errors/{self.code}")
        return "\n".join(rows)

    def to_json(self) -> dict[str, object]:
        """The same facts as plain JSON data."""
        return {
            "code": self.code,
            "what": self.what,
            "where": self.where,
            "values": [list(pair) for pair in self.values],
            "help": self.suggestion,
        }


class ModelError(SweepcheckError):
    """The model is wrong: its file, its declarations, or what it does while it runs."""


class MeasureError(SweepcheckError):
    """The progress measure does not keep its promise."""


class RequestError(SweepcheckError):
    """The request cannot be carried out."""


class TraceError(SweepcheckError):
    """A saved trace is broken or belongs to another model."""


def place(function: Callable[..., object]) -> str | None:
    """Where a function is written, as `file.py:12`; None for built-in callables."""
    code: CodeType | None = getattr(function, "__code__", None)
    return None if code is None else f"{Path(code.co_filename).name}:{code.co_firstlineno}"


def closest(name: str, names: Iterable[str]) -> str:
    """Help for a name that is not among `names`: the nearest one, else all of them."""
    from difflib import get_close_matches

    available = list(names)
    near = get_close_matches(name, available, n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    return "available: " + ", ".join(available) if available else "none is declared"
