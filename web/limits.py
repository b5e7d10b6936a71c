"""Writes the pages that limits.mjs measures: a long trace with many variables, a large net, a large graph."""

import sys
import time
from pathlib import Path

from sweepcheck import Array, Model, Net, check, require
from sweepcheck.report.findings import Answer
from sweepcheck.report.page import answers_to_page

STEPS, VARIABLES, NODES = 10_000, 50, 200


def long_trace() -> Model:
    m = Model("long", n=0, at=Array(["idle"] * 4), **{f"v{number}": 0 for number in range(VARIABLES - 2)})

    @m.action(p=range(4))
    def step(s, p):
        require(s.n % 4 == p)
        s.n += 1
        s.at[p] = "busy" if s.at[p] == "idle" else "idle"
        name = f"v{s.n * 7 % (VARIABLES - 2)}"
        setattr(s, name, getattr(s, name) + s.n % 3)

    m.invariant("ends", lambda s: s.n < STEPS)
    m.progress(lambda s: s.n)
    return m


def large_net() -> Net:
    net = Net("large")
    places = [net.place(f"P{number}", initial=1 if number == 0 else 0) for number in range(NODES // 2)]
    for number, place in enumerate(places):
        following = [places[(number + far) % len(places)] for far in (1, 7)]
        net.transition(f"T{number}", place.take(), following[number % 2].put())
    net.invariant("ends", lambda s: len(s.P89) == 0)
    return net


def large_graph() -> Model:
    m = Model("grid", x=0, y=0)

    @m.action
    def right(s):
        require(s.x < 16)
        s.x += 1

    @m.action
    def down(s):
        require(s.y < 16)
        s.y += 1

    m.invariant("ends", lambda s: s.x + s.y < 32)
    return m


def main(folder: Path) -> None:
    for name, model in (("long", long_trace()), ("net", large_net()), ("graph", large_graph())):
        report = check(model)
        start = time.process_time()
        text = answers_to_page([Answer(f"{name}.py", report)])
        spent = time.process_time() - start
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
        steps = len(report.verdicts[0].trace)
        print(
            f"{name}: {steps:,} steps, {len(report.system.variables)} variables; page of {len(text) // 1000:,} kB written in {spent:.2f} s CPU"
        )


main(Path(sys.argv[1]))
