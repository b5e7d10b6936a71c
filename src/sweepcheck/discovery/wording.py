"""Formulas as expressions over a model's variables."""

from __future__ import annotations

from collections.abc import Iterator

from sweepcheck.discovery.features import Features
from sweepcheck.discovery.prediction import Formula

MOST_ADDED = 40  # terms joined by plus signs: more are a list to be summed up, which is no deep tree


def formula_text(formula: Formula, features: Features) -> str:
    """Such as `3 * sent + 2 * (len(a) + len(b)) - len(c)`: features of the same weight together."""
    by_weight: dict[int, list[str]] = {}
    for at, weight in formula.weights:
        by_weight.setdefault(weight, []).append(features.all[at].text)
    terms = [(weight, texts) for weight, texts in sorted(by_weight.items(), key=lambda one: (-one[0], one[1]))]
    if terms and terms[0][0] < 0:
        text = "-" + _signed(iter(terms)).removeprefix("- ")
    else:
        text = _signed(iter(terms)).removeprefix("+ ")
    if formula.band == 1:
        return text
    return f"({text}) // {formula.band}"


def _signed(terms: Iterator[tuple[int, list[str]]]) -> str:
    return " ".join(f"{'-' if weight < 0 else '+'} {_term(abs(weight), texts)}" for weight, texts in terms)


def _term(weight: int, texts: list[str]) -> str:
    if weight == 1 and len(texts) == 1:
        return texts[0]
    if len(texts) > MOST_ADDED:
        inner = f"sum(({', '.join(texts)}))"
    elif len(texts) == 1:
        inner = texts[0]
    else:
        inner = f"({' + '.join(texts)})"
    return inner if weight == 1 and len(texts) > MOST_ADDED else f"{weight} * {inner}" if weight > 1 else inner
