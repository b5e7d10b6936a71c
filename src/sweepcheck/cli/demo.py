"""`make demo`: a sweep through the states of a protocol, and a mistake found. Run from the root of the project."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from sweepcheck.api import check
from sweepcheck.cli.colour import terminal_width
from sweepcheck.cli.session import BAD_REQUEST, INTERRUPTED, Session
from sweepcheck.core.verdict import Stop
from sweepcheck.errors import SweepcheckError
from sweepcheck.models.loading import load
from sweepcheck.report.picture import sweep_picture
from sweepcheck.report.plot import report_to_plot
from sweepcheck.report.report import Report
from sweepcheck.report.text import evidence_text, verdicts_text
from sweepcheck.report.values import bytes_text, count_text, percent_text, seconds_text

PROTOCOL = Path("examples/communication_protocol.py")
BROKEN = Path("examples/peterson_broken.py")
PLOT = Path("demo/sweep.svg")

WELCOME = """\
sweepcheck explores every state that a model can reach, and forgets those that
it has left behind for good.

1. A protocol that works

A sender transmits 100 packets to a receiver. The network between them loses
packets, lets them overtake each other, and holds at most 3 at a time.
sweepcheck now tries everything that can happen, some 20 million states:

   sweepcheck check examples/communication_protocol.py \\
       -p packets=100 -p capacity=3 \\
       --property "receiver never behind sender" --deadlock
"""

FORGETTING = """\
All {states} states were visited, but never more than {peak} of them ({share})
were in memory at once. The counters of sender and receiver only ever go up,
so a state with lower counters than those being explored can never come back:
it is safe to forget it. This is the sweep-line method; its answers are exact.
The bars show the states in memory as the sweep moved from left to right.
"""

TABULATED = """
The model is plain Python, and its actions ran {runs} times, not {edges}:
what an action did once is looked up when it would read the same again.
`sweepcheck explore --profile` shows this for every action."""

MISTAKE = """
2. An algorithm that does not

Peterson's algorithm lets two processes take turns. Here its first two steps
are swapped. What that breaks is hard to see by reading; a model checker
answers with the steps that lead there:

   sweepcheck check examples/peterson_broken.py --keep-going
"""

NEXT = """
Where next
   README.md            a model of your own in 15 lines
   examples/            more models, each with a comment that explains it
   sweepcheck --help    everything the command line can do
"""


def main() -> int:
    """Run the demo; the exit code is 0 when both models ended as they should."""
    session = Session()
    try:
        return demonstrate(session)
    except SweepcheckError as error:
        session.failed(error)
        if not PROTOCOL.exists():
            session.note("the demo needs the examples: run it from the root of the project")
        return BAD_REQUEST
    except KeyboardInterrupt:
        session.note("interrupted")
        return INTERRUPTED


def demonstrate(session: Session) -> int:
    """Both parts, in order."""
    session.painted(WELCOME)
    swept = _check(session, PROTOCOL, ("receiver never behind sender", "deadlock"), packets=100, capacity=3)
    session.painted(verdicts_text(swept) + "\n")
    if swept.stop is Stop.INTERRUPTED:
        return INTERRUPTED
    explain(session, swept)
    session.painted(MISTAKE)
    found = _check(session, BROKEN)
    width = terminal_width() if sys.stdout.isatty() else None
    session.painted(verdicts_text(found))
    for verdict in found.verdicts:
        if verdict.trace is not None:
            session.painted("\n" + evidence_text(found, verdict, width=width))
    session.painted(NEXT)
    return 0 if (swept.exit_code, found.exit_code) == (0, 1) else 1


def explain(session: Session, report: Report) -> None:
    """Why so few states were stored, and the picture of it."""
    numbers = report.statistics
    states = numbers.explored  # each once: the measure is monotone
    counts = {"states": count_text(states), "edges": count_text(numbers.edges)}
    share = percent_text(numbers.peak, states)
    session.painted(FORGETTING.format(states=counts["states"], peak=count_text(numbers.peak), share=share))
    session.painted(sweep_picture(report, width=min(terminal_width(), 100)))
    speed = f"{seconds_text(numbers.seconds)}, {bytes_text(numbers.memory_bytes)}, {report.engine} engine"
    session.painted(f"\n{counts['states']} states and {counts['edges']} edges in {speed}.")
    try:
        PLOT.parent.mkdir(exist_ok=True)
        report_to_plot(report, PLOT)
        session.painted(f"The same picture, larger: {PLOT}")
    except (SweepcheckError, OSError) as error:
        # A picture file is a bonus: without matplotlib, or in a folder that is read-only, the demo goes on.
        session.note(f"(no {PLOT}: {error.what if isinstance(error, SweepcheckError) else error.strerror})")
    if report.actions:
        runs = sum(action.evaluations for action in report.actions)
        session.painted(TABULATED.format(runs=count_text(runs), edges=counts["edges"]))


def _check(session: Session, path: Path, properties: Sequence[str] | None = None, **parameters: object) -> Report:
    system = load(str(path), parameters)
    with session.watching(system.measure) as observer:
        return check(system, properties, observer=observer, keep_going=True)


if __name__ == "__main__":
    sys.exit(main())
