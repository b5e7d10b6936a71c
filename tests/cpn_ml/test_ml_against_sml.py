"""Random well-typed expressions: what we compute is what SML/NJ computes, exceptions and overflows included."""

import json
import os
import shutil
from pathlib import Path
from random import Random
from typing import Any

import pytest
from ml_programs import PRELUDE, by_sml, programs, shown

from sweepcheck.errors import ModelError
from sweepcheck.models.cpn.ml import Ml, Where
from sweepcheck.models.cpn.ml.basis import real_text

RECORDED = Path(__file__).parent / "recorded.tsv"  # what SML/NJ 110.79 answered: result, type, expression
FRESH = 2000 if os.environ.get("SWEEPCHECK_SLOW") else 60


@pytest.fixture(scope="module")
def ml() -> Ml:
    made = Ml()
    made.declare(PRELUDE, Where("", "the prelude"))
    assert made.notes == []
    return made


def answer(ml: Ml, text: str, of: Any) -> str:
    try:
        return shown(ml.inscription(text, Where("", "an expression"), None, "expression").evaluate({}), of, real_text)
    except ModelError as error:
        word = error.what.split()
        return f"!{word[1]}" if word[0] == "exception" else str(error)


def of_json(given: Any) -> Any:
    return tuple(map(of_json, given)) if isinstance(given, list) else given


def test_recorded_results(ml: Ml) -> None:
    rows = [line.split("\t") for line in RECORDED.read_text(encoding="utf-8").splitlines()]
    assert len(rows) > 200
    wrong = [(text, result, answer(ml, text, of_json(json.loads(of)))) for result, of, text in rows]
    assert [row for row in wrong if row[1] != row[2]] == []


@pytest.mark.skipif(shutil.which("sml") is None, reason="SML/NJ is not installed")
def test_fresh_expressions(ml: Ml) -> None:
    seed = Random().randrange(10**6)
    given = programs(seed, FRESH)
    results = by_sml(given)
    assert results is not None
    assert len(results) == FRESH
    wrong = [(seed, text, result, answer(ml, text, of)) for (text, of), result in zip(given, results, strict=True)]
    assert [row for row in wrong if row[2] != row[3]] == []
