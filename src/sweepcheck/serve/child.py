"""The process that has the model and answers the live page: lines of JSON in, lines of JSON out.

It is started with the words that `sweepcheck serve` got: a model file, and parameters as `name=value`.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from sweepcheck.core.property import Kind
from sweepcheck.errors import SweepcheckError
from sweepcheck.models.loading import load
from sweepcheck.models.parameters import parse_parameters
from sweepcheck.report.net_view import net_view
from sweepcheck.report.values import parameters_text
from sweepcheck.serve.explorer import Explorer
from sweepcheck.text import visible


def main(words: list[str]) -> None:
    """Answer until nobody asks any more. What the model prints goes to the errors, so that it is no answer."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    explorer: Explorer | None = None
    first: dict[str, Any]
    try:
        system = load(words[0], parse_parameters(tuple(words[1:])))
        explorer = Explorer(system)
        first = {
            "model": visible(system.name),
            "parameters": parameters_text(system.parameters),
            "invariants": [visible(one.name) for one in system.properties if one.kind is Kind.INVARIANT],
            "net": net_view(system),
        }
    except SweepcheckError as error:
        first = {"error": str(error)}
    _write(answers, first)
    for line in sys.stdin:
        try:
            asked = json.loads(line)
            _write(answers, explorer.answer(asked) if explorer is not None else first)
        except SweepcheckError as error:
            _write(answers, {"error": str(error)})
        except (KeyError, TypeError, ValueError) as error:
            _write(answers, {"error": f"this is no question: {type(error).__name__}"})


def _write(answers: Any, data: dict[str, Any]) -> None:
    answers.write(json.dumps(data) + "\n")
    answers.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
