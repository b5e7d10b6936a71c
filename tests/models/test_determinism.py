"""The same input gives the same states in the same order with the same labels, whatever the hash seed."""

import os
import subprocess
import sys

PROGRAM = """
from dataclasses import dataclass
from enum import Enum
from sweepcheck import Array, Bag, Model, Queue, choose, require, explore, partial_order, check, reachable
from sweepcheck.report.values import label_text
from sweepcheck.text import value_text
from sweepcheck.testing.truth import survey

Colour = Enum("Colour", "RED GREEN BLUE")

@dataclass(frozen=True)
class Message:
    to: str
    text: frozenset

m = Model("mixed", bag=Bag(["beta"]), queue=Queue(), seen=frozenset(), last=None, array=Array(["x", "y"]))

@m.action
def add(s):
    require(len(s.bag) < 2)
    token = choose({"alpha", Colour.BLUE, ("a", 1), Message("you", frozenset({"p", "q"}))})
    s.bag.add(token)

@m.action
def move(s):
    s.last = s.bag.take(where=lambda token: token != "alpha")
    s.seen |= {str(type(s.last).__name__)}

@m.action
def peek(s):
    name = s.bag.peek()
    s.array[0] = choose(frozenset({"u", "v"}))

m.progress(partial_order(lambda s: s.seen))
truth = survey(m, 3000)
for state, edges in truth.edges.items():
    print(value_text(state), [(label_text(edge.label), value_text(edge.target)) for edge in edges])
report = explore(m, engine="reference")
print(report.statistics.states, report.statistics.edges, report.statistics.peak)
print([sorted(layer.progress) for layer in report.profile])
verdict = check(m, [reachable("r", lambda s: len(s.seen) == 3)], engine="reference").verdicts[0]
print([label_text(step.label) for step in verdict.trace.steps])
"""


def output(seed: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_hash_seeds() -> None:
    assert len({output(seed) for seed in ("0", "1", "2", "12345")}) == 1
