"""Functions that pass over elements of queues: both engines find the same, and the native one asks for parts."""

import pytest
from parts_of import figures, written

from sweepcheck import Model, Queue, check, explore, require

QUEUED = {
    "who not in {one for kind, one in s.line if kind == 'read'}": 40,
    "('read', who) not in s.line": 40,
    "not any(one == ('read', who) for one in s.line)": 40,
    "len([1 for kind, one in s.line if one == who]) < 2 and ('read', who) not in s.line": 90,
    "[kind for kind, one in s.line if one == who] in ([], ['write'])": 90,
}


@pytest.mark.parametrize("condition", QUEUED)
def test_queues_are_asked_for_parts(condition: str) -> None:
    """Up to six wait, in any order: hundreds of contents, of which a few elements matter."""
    found = []
    for engine in ("native", "reference"):
        m = Model("line", line=Queue(), steps=0)
        text = f"def read(s, who):\n    require({condition})\n    s.line.put(('read', who))\n"
        m.action(who=range(3))(written("from sweepcheck import require\n" + text, "read"))

        @m.action(who=range(3))
        def write(s, who):
            require(("write", who) not in s.line)
            s.line.put(("write", who))

        @m.action
        def serve(s):
            s.line.get()

        report = explore(m, engine=engine, workers=1, strategy="full")
        found.append((report.statistics.states, report.statistics.edges))
        if engine == "native":
            runs = sum(one.evaluations for one in report.actions if one.action.startswith("read"))
            assert found[0][0] > 1000
            assert runs <= QUEUED[condition]
    assert found[0] == found[1]


def test_what_an_action_has_done_to_a_queue_is_seen() -> None:
    found = []
    for engine in ("native", "reference"):
        m = Model("line", line=Queue(), n=0, seen=False)

        @m.action(x=range(3))
        def put(s, x):
            require(len(s.line) < 4)
            before = x in s.line
            s.line.put(x)
            require(x in s.line and any(one == x for one in s.line))
            s.seen = before

        @m.action
        def rotate(s):
            first = s.line.get()
            s.n = len([one for one in s.line if one == first])
            s.line.put(first)
            s.seen = [] in s.line or {} in s.line  # what cannot be hashed equals no element

        @m.action
        def clear(s):
            require(2 in s.line)
            s.line.clear()
            s.seen = 2 in s.line

        m.invariant("asked", lambda s: 3 not in s.line and not any(one > 2 for one in s.line))
        found.append(figures(check(m, engine=engine, strategy="full")))
    assert found[0] == found[1]
