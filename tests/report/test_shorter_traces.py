"""What traces leave out: observers of other properties, and bags of which only a number changed."""

from sweepcheck import Bag, check, load
from sweepcheck.report.changes import changes
from sweepcheck.report.text import evidence_text
from sweepcheck.report.typed import typed

PROCESSES = """
process P = a -> b -> P
system "s" = p = P
check reachable "after a": p at P
check never "b first": b before a
check never "a twice": a after a
"""


def test_observers_are_shown_for_their_own_property(tmp_path):
    (tmp_path / "s.psl").write_text(PROCESSES.replace("a after a", "a after b"), encoding="utf-8")
    report = check(load(str(tmp_path / "s.psl")), keep_going=True)
    texts = {one.property.name: evidence_text(report, one) for one in report.verdicts if one.trace is not None}
    assert set(texts) == {"after a", "a twice"}
    assert "observer" not in texts["after a"]
    assert "observer_a_twice" in texts["a twice"]
    assert "observer_b_first" not in texts["a twice"]
    assert "observer_b_first" in str(report.to_json()["verdicts"])  # data has everything


def test_one_more_of_a_long_token():
    def told(*bags):
        return [str(one) for one in changes(*({"b": typed(Bag(bag))} for bag in bags))]

    assert told([("gear", 1)] * 2, [("gear", 1)] * 3) == ["b: + ('gear', 1)"]
    assert told([("gear", 1)] * 3, [("gear", 1)]) == ["b: - 2*('gear', 1)"]
    assert told([(), ()], [()]) == ["b: 2*() -> 1*()"]
    assert told([1], [1, 1]) == ["b: 1*1 -> 2*1"]
    assert told([], [("gear", 1)]) == ["b: empty -> 1*('gear', 1)"]
