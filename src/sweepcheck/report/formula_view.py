"""A formula as a tree for the page: each of its parts with where along the trace it is true, as far as that is known.

A run decides every part of a formula of LTL, at each of its positions, if it is a lasso. Of CTL it decides the parts
that are about single states; of the others, what the verdict says of positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from sweepcheck.core.property import Kind
from sweepcheck.core.temporal import QUANTIFIERS, TEMPORAL, Op, Proposition, Temporal
from sweepcheck.core.verdict import Verdict
from sweepcheck.report.trace import DescribedTrace
from sweepcheck.text import visible

MOST_PARTS = 200  # of a formula that is shown as a tree
MOST_POSITIONS = 20_000  # of a lasso of which every part is looked at

Truths = Sequence[bool]  # one for each position


def formula_view(trace: DescribedTrace, verdict: Verdict) -> dict[str, Any] | None:
    """The tree of a verdict's formula; None where there is no formula, or a very large one."""
    formula = verdict.property.formula
    if formula is None or sum(1 for _ in formula.walk()) > MOST_PARTS:
        return None
    along = truths_along(formula, trace.holds, trace.loop, len(trace.steps) + 1, verdict.property.kind is Kind.LTL)
    said: dict[Temporal, list[list[int]]] = {}
    for one in verdict.parts:
        said.setdefault(one.part, []).append([one.position, int(one.value), int(one.for_ever)])
    return _node(formula, along, said)


def _node(node: Temporal, along: Mapping[Temporal, Truths], said: Mapping[Temporal, list[list[int]]]) -> dict[str, Any]:
    parts = node.parts
    if node.op in QUANTIFIERS and parts[0].op in TEMPORAL:  # EF and its like are one operator
        parts = parts[0].parts
    return {
        "text": visible(str(node)),
        "parts": [_node(part, along, said) for part in parts],
        "along": change_points(map(int, along[node])) if node in along else None,
        "said": said.get(node, []),
    }


def change_points(values: Iterable[int]) -> list[int]:
    """Positions and the values from there on, in turn."""
    points: list[int] = []
    for number, value in enumerate(values):
        if not points or points[-1] != value:
            points += (number, value)
    return points


def truths_along(
    formula: Temporal, known: Mapping[str, Truths], loop: int | None, length: int, of_runs: bool
) -> dict[Temporal, Truths]:
    """Where the parts of a formula are true along a trace, of those that it decides. `known` are the propositions;
    what is said `of_runs` is decided by a lasso.
    """
    found: dict[Temporal, Truths] = {}
    lasso = loop is not None and of_runs and length <= MOST_POSITIONS
    # The last state is the one that the loop starts in: after it comes the one after that, or itself again.
    after = [*range(1, length), length - 1 if loop in (None, length - 1) else loop + 1]

    def truths(node: Temporal) -> Truths | None:
        if node not in found:
            parts = [truths(part) for part in node.parts]
            decided = all(part is not None for part in parts) and (node.op not in TEMPORAL or lasso)
            if decided and node.op not in QUANTIFIERS:
                made = _decided(node, [part for part in parts if part is not None], known, after)
                if made is not None:
                    found[node] = made
        return found.get(node)

    truths(formula)
    return found


def _decided(node: Temporal, parts: list[Truths], known: Mapping[str, Truths], after: list[int]) -> Truths | None:
    positions = range(len(after))
    if isinstance(node, Proposition):
        return known.get(str(node))
    match node.op:
        case Op.TRUE | Op.FALSE:
            return [node.op is Op.TRUE] * len(after)
        case Op.NEXT:
            return [parts[0][after[at]] for at in positions]
        case Op.NOT | Op.AND | Op.OR | Op.IMPLIES | Op.IFF:
            return [_STATE[node.op](*(part[at] for part in parts)) for at in positions]
    left, right = parts if len(parts) == 2 else (parts[0], parts[0])
    # Each is the least or the greatest solution of: now this, given whether it is so at the next position.
    start, step = _RUNS[node.op]
    found = [start] * len(after)
    changed = True
    while changed:  # from behind: what is so in the loop is known after two rounds
        changed = False
        for at in reversed(positions):
            value = step(left[at], right[at], found[after[at]])
            changed |= value is not found[at]
            found[at] = value
    return found


_STATE: dict[Op, Callable[..., bool]] = {
    Op.NOT: lambda one: not one,
    Op.AND: lambda one, other: one and other,
    Op.OR: lambda one, other: one or other,
    Op.IMPLIES: lambda one, other: not one or other,
    Op.IFF: lambda one, other: one is other,
}
_RUNS: dict[Op, tuple[bool, Callable[[bool, bool, bool], bool]]] = {
    Op.EVENTUALLY: (False, lambda one, _, later: one or later),
    Op.ALWAYS: (True, lambda one, _, later: one and later),
    Op.UNTIL: (False, lambda one, other, later: other or (one and later)),
    Op.WEAK_UNTIL: (True, lambda one, other, later: other or (one and later)),
    Op.RELEASE: (True, lambda one, other, later: other and (one or later)),
    Op.STRONG_RELEASE: (False, lambda one, other, later: other and (one or later)),
}
