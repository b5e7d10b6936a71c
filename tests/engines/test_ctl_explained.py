"""Runs that explain formulas of CTL: what a verdict says of positions of its trace is true by sets of states, and each
part of the run shows what is said of it.
"""

import os
import random
import re

import pytest
from graphs_with_actions import Drawn
from temporal_truth import ctl_states, random_ctl, random_graph
from test_temporal_random import WAYS, decided

from sweepcheck import Model, Status, check, ctl, require
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.temporal import Op, Temporal
from sweepcheck.core.verdict import Verdict
from sweepcheck.logic.parsing import parse

EXAMPLES = 10_000 if os.environ.get("SWEEPCHECK_SLOW") else 120
PARTS = 4
SAID = re.compile(r"(?P<node>.+?) is (?P<value>true|false)(?: and |$)")


def claims(reason: str) -> list[tuple[list[tuple[Temporal, bool]], int, bool]]:
    """What a verdict says: formulas with their values, the position, and whether it is about all that follow."""
    found = []
    for sentence in reason.split("; "):
        said, position, on = re.fullmatch(r"(.*?(?:true|false))(?: (?:at|from) (\d+)( on)?)?", sentence).groups()
        pairs = [(parse(one["node"]), one["value"] == "true") for one in SAID.finditer(said)]
        found.append((pairs, -1 if position is None else int(position), bool(on)))
    return found


def is_true(graph: Drawn, node: Temporal, state: int) -> bool:
    return state in ctl_states(graph, node)


def explains(graph: Drawn, node: Temporal, value: bool, run: list[int], loops: bool, steps: int) -> bool:
    """Whether a run from a state, to where the next thing is said or round a loop, shows that E is true or A false."""
    inner = node.parts[0]

    def so(part: Temporal, state: int) -> bool:
        return is_true(graph, part, state) is value

    left, right = inner.parts[0], inner.parts[-1]
    until = {  # what is so up to the last state, and then; for A it is the opposite that is shown
        Op.NEXT: (None, [right]),
        Op.EVENTUALLY: (None, [right]) if value else None,
        Op.ALWAYS: None if value else (None, [right]),
        Op.UNTIL: (left, [right]) if value else (right, [left, right]),
        Op.WEAK_UNTIL: (left, [right]) if value else (right, [left, right]),
        Op.RELEASE: (right, [left, right]) if value else (left, [right]),
        Op.STRONG_RELEASE: (right, [left, right]) if value else (left, [right]),
    }[inner.op]
    if loops:
        always = {Op.WEAK_UNTIL: left, Op.STRONG_RELEASE: left}.get(inner.op, right)
        may = (Op.ALWAYS, Op.WEAK_UNTIL, Op.RELEASE) if value else (Op.EVENTUALLY, Op.UNTIL, Op.STRONG_RELEASE)
        return inner.op in may and all(so(always, state) for state in run)
    if until is None or (inner.op is Op.NEXT and steps != 1 and not graph.ends(run[0])):
        return False
    through, end = until
    return all(so(part, run[-1]) for part in end) and (through is None or all(so(through, s) for s in run[:-1]))


def is_fair(graph: Drawn, loop: list[tuple[int, str, int]]) -> bool:
    for one in graph.fair:
        enabled = [graph.enables(one, state) for state, _, _ in loop]
        if not any(graph.takes(one, edge) for edge in loop) and (any(enabled) if one.strong else all(enabled)):
            return False
    return True


def examine(graph: Drawn, verdict: Verdict) -> int:
    """Check all that a verdict says; the number of parts of its run that explain something."""
    assert verdict.trace is not None
    assert verdict.reason is not None
    states = [state[0] for state in verdict.trace.states]
    actions = [step.label.action for step in verdict.trace.steps]
    for number, action in enumerate(actions):
        assert (states[number], action, states[number + 1]) in graph.edges
    said = claims(verdict.reason)
    shown = [(parse(str(one.part)), one.value, one.position, one.for_ever) for one in verdict.parts]
    where = [(node, value, position, on) for pairs, position, on in said for node, value in pairs]
    if where[0][2] >= 0:  # a position is said where the run goes on
        assert shown == where
    else:
        assert [one[:2] for one in shown][: len(where)] == [one[:2] for one in where]
        assert all(is_true(graph, node, states[-1]) is value for node, value, _, _ in shown)
        assert {at for _, _, at, _ in shown} == {len(states) - 1}
    explained = 0
    for number, (pairs, position, on) in enumerate(said):
        at = len(states) - 1 if position < 0 else position
        for node, value in pairs:
            assert all(is_true(graph, node, state) is value for state in (states[at:] if on else [states[at]]))
        if on or number + 1 == len(said):
            continue
        ((node, value),) = pairs
        _, following, loops = said[number + 1]
        run = states[at:] if loops else states[at : following + 1]
        assert explains(graph, node, value, run, loops, following - at)
        explained += 1
    assert (verdict.trace.loop is not None) is said[-1][2]
    if verdict.trace.loop == len(actions):
        assert graph.ends(states[-1])
    elif verdict.trace.loop is not None:
        loop = verdict.trace.loop
        assert states[loop] == states[-1]
        assert is_fair(graph, list(zip(states[loop:], actions[loop:], states[loop + 1 :], strict=False)))
    return explained


@pytest.mark.parametrize("part", range(PARTS))
def test_what_is_said_of_a_run_is_so(part: int) -> None:
    rng = random.Random(part)
    explained = {"native": 0, "reference": 0}  # of one formula they may differ: runs may lead to different states
    for _ in range(EXAMPLES // PARTS):
        graph, formula = random_graph(rng), random_ctl(rng, rng.choice((2, 3, 4)))
        found = []
        for engine, strategy in WAYS:
            verdict = decided(graph, Property(Kind.CTL, "asked", formula=formula), engine, strategy)["asked"]
            if verdict.property.kind is not Kind.CTL or (verdict.status is Status.HOLDS and verdict.trace is None):
                continue
            found.append(verdict.status)
            explained[engine] += examine(graph, verdict)
        assert len(set(found)) <= 1
    assert min(explained.values()) > EXAMPLES // PARTS // 10


def stairs() -> Model:
    m = Model("stairs", n=0, lit=False)

    @m.action
    def climb(s):
        require(s.n < 4)
        s.n += 1

    @m.action
    def switch(s):
        require(s.n == 3)
        s.lit = not s.lit

    m.progress(lambda s: s.n)
    return m


@pytest.mark.parametrize("strategy", ["full", "sweep"])
@pytest.mark.parametrize("engine", ["native", "reference"])
def test_runs_are_composed(engine: str, strategy: str) -> None:
    for formula, status, labels, loop, said in (
        ("EF ({n == 3} & EG {n == 3})", "holds", "climb climb climb switch switch", 3, "EG {n == 3} is true at 3"),
        ("AF ({n > 5} | AX lit)", "violated", "climb climb climb switch switch", 3, "AX lit is false from 0 on"),
        ("AX AX {n > 3}", "violated", "climb climb", None, "{n > 3} is false at 2"),
        ("AG ({n < 2} | AF {n == 9})", "violated", "climb climb climb switch switch", 3, "false from 2 on"),
        ("AG ({n == 4} -> EF lit)", "violated", "climb climb climb climb", None, "EF lit is false"),
        ("EF EG {n == 4}", "holds", "climb climb climb climb", 4, "{n == 4} is true from 4 on"),
        ("!EX (EF lit & EF {n == 4})", "violated", "climb", None, "EF lit is true and EF {n == 4} is true at 1"),
        ("EX EX EX lit", "violated", "", None, "EX EX EX lit is false"),
    ):
        verdict = check(stairs(), [ctl("asked", formula)], engine=engine, strategy=strategy)["asked"]
        assert verdict.status == status
        assert verdict.trace is not None
        assert " ".join(str(step.label) for step in verdict.trace.steps) == labels
        assert verdict.trace.loop == loop
        assert said in (verdict.reason or "")


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_what_holds_of_all_runs_needs_no_trace(engine: str) -> None:
    for formula in ("AX EX {n > 0}", "AG EX {n >= 0}"):
        verdict = check(stairs(), [ctl("asked", formula)], engine=engine)["asked"]
        assert verdict
        assert verdict.trace is None
    report = check(stairs(), [ctl("asked", "EX EX {n == 2}")], engine=engine, trace=False)
    assert report["asked"]
    assert report.complete
