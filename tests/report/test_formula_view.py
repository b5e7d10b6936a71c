"""Formulas part by part: what is said of positions is what the parts mean there, and loops say why they are fair."""

import random

import pytest
from report_models import lamps

from sweepcheck import check, ctl, ltl
from sweepcheck.core.temporal import Op, Temporal
from sweepcheck.logic.parsing import parse
from sweepcheck.report.findings import Answer
from sweepcheck.report.formula_view import truths_along
from sweepcheck.report.view import view_of

UNARY, BINARY = ["!", "X", "F", "G"], ["&", "|", "->", "<->", "U", "W", "R", "M"]


def traces(properties, **options):
    report = check(lamps(), properties, keep_going=True, **options)
    return report, view_of([Answer("lamps.py", report)])["runs"][0]["traces"]


def true_at(node: Temporal, at: int, after: list[int], known: dict[str, list[bool]]) -> bool:
    """What a formula means at a position, by looking at all positions that come after it."""
    run = [at]
    while len(run) <= 2 * len(after):
        run.append(after[run[-1]])

    def of(part: Temporal, position: int) -> bool:
        return true_at(part, position, after, known)

    def until(left, right):
        return any(right(run[k]) and all(map(left, run[:k])) for k in range(len(run)))

    if node.op is Op.PROPOSITION:
        return known[str(node)][at]
    first, last = node.parts[0], node.parts[-1]
    one, other = (lambda position: of(first, position)), (lambda position: of(last, position))
    meaning = {
        Op.NOT: lambda: not one(at),
        Op.AND: lambda: one(at) and other(at),
        Op.OR: lambda: one(at) or other(at),
        Op.IMPLIES: lambda: not one(at) or other(at),
        Op.IFF: lambda: one(at) == other(at),
        Op.NEXT: lambda: one(after[at]),
        Op.EVENTUALLY: lambda: any(map(one, run)),
        Op.ALWAYS: lambda: all(map(one, run)),
        Op.UNTIL: lambda: until(one, other),
        Op.WEAK_UNTIL: lambda: until(one, other) or all(map(one, run)),
        Op.RELEASE: lambda: not until(lambda position: not one(position), lambda position: not other(position)),
        Op.STRONG_RELEASE: lambda: until(other, lambda position: one(position) and other(position)),
    }
    return meaning[node.op]()


def drawn(chosen: random.Random, depth: int) -> str:
    if depth == 0 or chosen.random() < 0.2:
        return chosen.choice("pq")
    if chosen.random() < 0.4:
        return f"{chosen.choice(UNARY)} ({drawn(chosen, depth - 1)})"
    return f"({drawn(chosen, depth - 1)}) {chosen.choice(BINARY)} ({drawn(chosen, depth - 1)})"


def test_parts_of_random_formulas_on_random_lassos():
    chosen = random.Random(3)
    for _ in range(150):
        length = chosen.randrange(1, 6)
        loop = chosen.randrange(length)
        known = {name: [chosen.random() < 0.5 for _ in range(length)] for name in "pq"}
        after = [*range(1, length), loop if loop == length - 1 else loop + 1]
        node = parse(drawn(chosen, 3))
        found = truths_along(node, known, loop, length, of_runs=True)
        assert set(found) == set(node.walk())
        for part, truths in found.items():
            assert list(truths) == [true_at(part, at, after, known) for at in range(length)], (str(part), known, loop)


def test_without_a_loop_only_states_are_decided():
    node = parse("G (p -> F q)")
    known = {"p": [True, False], "q": [False, False]}
    assert {str(one) for one in truths_along(node, known, None, 2, of_runs=True)} == {"p", "q"}
    assert {str(one) for one in truths_along(node, known, 0, 2, of_runs=False)} == {"p", "q"}


def test_a_run_decides_all_of_its_formula():
    _, (trace,) = traces([ltl("served", "G ({s.red == 1} -> F ({s.green == 1} & X {s.mode == 'day'}))")])
    tree = trace["formula"]
    assert tree["text"].startswith("G ({s.red == 1} -> F (")
    assert tree["along"] == [0, 0]
    inner = tree["parts"][0]
    assert [part["text"][:12] for part in inner["parts"]] == ["{s.red == 1}", "F ({s.green "]
    assert inner["parts"][1]["along"] == [0, 0]


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_what_a_verdict_says_is_at_its_part(engine):
    asked = "AG ({s.red == 1} -> EF (EG {s.green == 0} & AX {s.red == 0}))"
    report, (trace,) = traces([ctl("tree", asked)], engine=engine)
    (part,) = report.verdicts[0].parts
    assert f"{part.part} is false" in report.verdicts[0].reason
    reached = trace["formula"]["parts"][0]["parts"][1]
    assert reached["text"] == str(part.part)
    assert reached["said"] == [[part.position, 0, 0]]
    assert trace["formula"]["along"] is None
    assert trace["formula"]["parts"][0]["parts"][0]["along"][:2] == [0, 0]


def test_why_a_loop_is_fair():
    _, (trace,) = traces([ltl("served", "G ({s.red == 1} -> F {s.green == 1})")])
    weak, strong = trace["fair"]
    assert (weak["name"], weak["strong"], strong["name"], strong["strong"]) == ("blink", False, "serve", True)
    cycle = range(trace["loop"], len(trace["steps"]))
    labels = [trace["labels"][number]["text"] for number in trace["steps"]]
    assert weak["taken"] == [at + 1 for at in cycle if labels[at] == "blink"] != []
    assert (strong["taken"], strong["disabled"]) == ([], list(cycle))


def test_large_formulas_are_left_out(monkeypatch):
    monkeypatch.setattr("sweepcheck.report.formula_view.MOST_PARTS", 2)
    _, (trace,) = traces([ltl("large", "F ({s.green == 7} | G {s.red == 7})")])
    assert trace["formula"] is None
