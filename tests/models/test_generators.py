"""Processes written as generator functions: places, labels, variables, what is put in, and what is refused."""

import linecache
import sys
from itertools import count
from types import ModuleType
from typing import Any

import pytest

from sweepcheck import Array, Model, Queue, SweepcheckError, check, choose, explore, require
from sweepcheck.models.generators import written
from sweepcheck.models.generators.values import UNSET

NUMBERS = count()


def loaded(text: str, **names: Any) -> dict[str, Any]:
    """The names of a text, as a file would give them."""
    filename = f"text{next(NUMBERS)}.py"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    found = {"require": require, "choose": choose, **names}
    exec(compile(text, filename, "exec"), found)
    return found


def process(text: str, before: str = "", **variables: Any) -> Model:
    """A model with one process, `p`; the first line of its body is line 3 if nothing stands before it."""
    m = Model("m", **(variables or {"n": 0}))
    body = "\n".join(f"    {line}" for line in text.splitlines())
    loaded(f"{before}@m.process\ndef p(s):\n{body}\n", m=m)
    return m


def states(m: Model) -> list[dict[str, object]]:
    """All states that can be reached, in the order found."""
    found = dict.fromkeys(m.initial_states())
    for state in (waiting := list(found)):
        for edge in m.edges(state):
            if edge.target not in found:
                found[edge.target] = None
                waiting.append(edge.target)
    reports = [explore(m, engine=engine).statistics for engine in ("native", "reference")]
    assert {one.states for one in reports} == {len(found)}
    assert reports[0].edges == reports[1].edges
    return [m.describe(state) for state in found]


def places(m: Model) -> list[object]:
    return [state["p"] for state in states(m)]


# -- places -----------------------------------------------------------------------------------------------------------


def test_the_text_of_a_process_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of its steps had it read again, to see whether somebody else moves the process."""
    m = process("while s.n < 9:\n    s.n += 1\n    yield\n    s.n += 1\n    yield 'waiting'")
    monkeypatch.setattr(written, "tree_of", None)
    assert explore(m).statistics.states == 12


def test_places_are_called_by_their_label_or_by_the_line_where_the_process_goes_on():
    assert places(process('s.n = 1\nyield\ns.n = 2\nyield "waiting"\ns.n = 3')) == [
        "line 3",
        "line 5",
        "waiting",
        "ended",
    ]


def test_a_yield_before_anything_else_is_where_the_process_begins():
    assert places(process('yield "idle"\ns.n = 1')) == ["idle", "ended"]


def test_nothing_is_left_to_do_after_a_last_yield():
    assert places(process("s.n = 1\nyield")) == ["line 3", "ended"]
    assert places(process('s.n = 1\nyield "done"')) == ["line 3", "done", "ended"]


def test_yields_with_one_label_that_go_on_at_one_point_are_one_place():
    m = process('while True:\n    s.n = choose(0, 1)\n    if s.n:\n        yield "a"\n    else:\n        yield "a"')
    assert places(m) == ["line 4", "a", "a"]
    assert m.variables == ("n", "p")


def test_yields_with_one_label_that_go_on_elsewhere_are_told_apart_by_the_line():
    m = process('s.n = 1\nyield "a"\ns.n = 2\nyield "a"\ns.n = 3')
    assert [(state["p"], state["p_line"]) for state in states(m)] == [
        ("line 3", UNSET),
        ("a", "line 5"),
        ("a", "line 7"),
        ("ended", UNSET),
    ]
    assert [one.name for one in m.actions] == ["p:line 3", "p:a, line 5", "p:a, line 7"]


def test_edges_are_labelled_by_process_and_place_with_parameters_and_choices():
    m = Model("m", n=0)
    loaded(
        "@m.process(k=range(2))\ndef p(s, k):\n    colour = choose('red', 'blue')\n    yield 'chosen'\n    s.n = 1\n",
        m=m,
    )
    (first, *_) = m.edges(m.initial_states()[0])
    assert str(first.label) == "p:line 3(k=0, colour='red')"
    assert "p:chosen(k=0)" in [str(edge.label) for edge in m.edges(first.target)]
    assert [m.locate(one.label).partition(":")[2] for one in m.actions] == ["3", "3", "5", "5"]


def test_every_piece_is_an_edge_even_if_nothing_changes():
    m = process("while s.n == 0:\n    yield")
    (edge,) = m.edges(m.initial_states()[0])
    assert edge.target == m.initial_states()[0]


def test_a_process_can_be_asked_for_in_predicates_and_actions():
    m = process('yield "idle"\nrequire(s.n == 1)\nyield "working"')

    @m.action
    def begin(s):
        require(s.p == "idle" and s.n == 0)
        s.n = 1

    m.reachable("works", lambda s: s.p == "working")
    m.invariant("not before", lambda s: s.p != "working" or s.n == 1)
    for engine in ("native", "reference"):
        assert check(m, engine=engine)


# -- variables --------------------------------------------------------------------------------------------------------


def test_variables_that_nobody_reads_any_more_are_unset():
    m = process("x = choose(range(5))\nyield\ns.n = x\nyield\ns.n = 0\nyield")
    assert [state["p_x"] for state in states(m)] == [UNSET, 0, 1, 2, 3, 4, *[UNSET] * 6]


def test_variables_within_one_step_are_no_part_of_the_state():
    assert process("x = s.n + 1\nfor y in range(3):\n    x += y\ns.n = x\nyield").variables == ("n", "p")


def test_variables_written_before_they_are_read_in_each_turn_are_no_part_of_the_state():
    m = process(
        "while True:\n    x = (s.n + 1) % 3\n    if (y := x) > 1 and y < 9:\n        s.n = 0\n    s.n = x\n    yield"
    )
    assert m.variables == ("n", "p")


def test_a_loop_over_known_numbers_keeps_its_number_alone():
    m = process("for i in range(2, 8, 2):\n    s.n = i\n    yield", before="")
    assert [(state["p"], state["p_i"]) for state in states(m)] == [
        ("line 3", UNSET),
        ("line 3 #2", 2),
        ("line 3 #2", 4),
        ("line 3 #2", 6),
        ("ended", UNSET),
    ]


@pytest.mark.parametrize("items", ["(1, 2)", "[1, 2]", "{2, 1}", "range(1, s.n + 3)", "(i + 1 for i in range(2))"])
def test_loops_keep_the_items_that_are_left(items):
    m = process(f"for i in {items}:\n    yield\n    s.n = i")
    assert [state["n"] for state in states(m)] == [0, 0, 1, 2]
    assert m.variables == ("n", "p", "p_i", "p_left")


def test_a_range_that_is_not_pythons_own_is_kept_as_a_list():
    m = process("for i in range(2):\n    yield\n    s.n += i", "def range(n):\n    return [n, 1, n]\n\n")
    assert [state["n"] for state in states(m)] == [0, 0, 2, 3, 5]
    assert "p_left" in m.variables


def test_loops_within_loops():
    m = process("for a in (1, 2):\n    for b in (a, 5):\n        s.n = (a, b)\n        yield\nelse:\n    s.n = None")
    assert [state["n"] for state in states(m)] == [0, (1, 1), (1, 5), (2, 2), (2, 5), None]
    assert "p_left_2" in m.variables


def test_parameters_may_be_assigned():
    m = Model("m", n=0)
    loaded(
        "@m.process(k=(3, 5))\ndef p(s, k, step=2):\n"
        "    while k > 0:\n        k -= step\n        yield\n    s.n += 1\n",
        m=m,
    )
    first, *_, last = states(m)
    assert first["p_k"] == Array([3, 5])
    assert last == {"n": 2, "p": Array(["ended", "ended"]), "p_k": Array([UNSET, UNSET])}


def test_a_variable_that_was_never_assigned_raises_what_python_raises():
    m = process("if s.n:\n    x = 1\nyield\ns.n = x")
    for engine in ("native", "reference"):
        with pytest.raises(SweepcheckError, match="UnboundLocalError") as caught:
            explore(m, engine=engine)
        assert caught.value.where is not None
        assert ":6, action p:line 6" in caught.value.where


def test_several_starting_states_before_and_after_the_process():
    for first in (True, False):
        m = Model("m", n=0)
        if first:
            m.initial(n=[0, 5])
        loaded("@m.process\ndef p(s):\n    s.n += 1\n    yield\n", m=m)
        if not first:
            m.initial(n=[0, 5])
        assert len(states(m)) == 4


def test_a_process_cannot_be_started_elsewhere():
    m = process("s.n = 1\nyield")
    with pytest.raises(SweepcheckError) as caught:
        m.initial(p=["ended"])
    assert caught.value.code == "SC116"


# -- what is put in ---------------------------------------------------------------------------------------------------

LOCK = """
def lock(s, mine, other=9):
    x = mine
    yield "waiting"
    require(s.free)
    s.free = False
    return x + other

"""


def test_functions_are_put_in_with_variables_of_their_own():
    m = process("x = 1\na = yield from lock(s, 5)\ns.n = (x, a)\nyield\ns.free = True", LOCK, n=0, free=True)
    assert [state["n"] for state in states(m)] == [0, 0, (1, 14), (1, 14)]
    assert m.variables == ("n", "free", "p", "p_lock_x", "p_x")


def test_a_function_that_is_put_in_first_adds_no_place():
    before = "def lock(s):\n    x = s.n\n    yield 'waiting'\n    s.n = 1 - x\n\n"
    m = process("while True:\n    yield from lock(s)\n    yield", before)
    assert places(m) == ["line 2, called in line 9", "waiting"] * 2
    before = "def lock(s):\n    yield 'waiting'\n    x = s.n\n    yield\n    s.n = 1 - x\n\n"
    assert places(process("yield from lock(s)", before)) == ["waiting", "line 5, called in line 9", "ended"]


def test_a_function_that_is_put_in_twice():
    text = "a = yield from lock(s, s.n, other=1)\ns.free = True\nyield\na = yield from lock(s, 3)\ns.n = a"
    m = process(text, LOCK, n=0, free=True)
    assert [state["p"] for state in states(m)].count("waiting") == 2
    assert states(m)[-1]["n"] == 12


def test_a_function_that_is_put_in_knows_nothing_of_the_last_time():
    before = "def f(s, first):\n    if first:\n        x = 1\n    yield\n    s.n = x\n\n"
    m = process("yield from f(s, s.n == 0)\nyield from f(s, s.n == 0)", before)
    with pytest.raises(SweepcheckError, match="UnboundLocalError"):
        states(m)


def test_a_function_of_another_module_keeps_its_names():
    module = ModuleType("other")
    vars(module).update(loaded("N = 7\ndef f(s):\n    s.n = N\n    yield 'there'\n    s.n = len(str(N))\n"))
    sys.modules["other_module"] = module
    try:
        m = Model("m", n=0)
        loaded(
            "N = 1\n@m.process\ndef p(s):\n    len = 5\n    yield from other.f(s)\n    s.n += len + N\n",
            m=m,
            other=module,
        )
        assert [state["n"] for state in states(m)] == [0, 7, 7]
    finally:
        del sys.modules["other_module"]


def test_closures_are_what_they_were():
    def make(step):
        m = Model("m", n=0)

        def up(s, times):
            for _ in range(times):
                s.n += step
                yield

        @m.process
        def p(s):
            yield from up(s, 2)
            s.n += later()

        def later():
            return 100 * step

        return m

    assert [state["n"] for state in states(make(3))] == [0, 3, 6, 306]


# -- structure --------------------------------------------------------------------------------------------------------


def test_cases_with_yields():
    text = (
        "match s.n:\n"
        "    case (0, y) if y > 5:\n        yield\n"
        "    case (0, y):\n        yield\n        s.n = y\n"
        "    case _:\n        return"
    )
    assert [state["n"] for state in states(process(text, n=(0, 3)))] == [(0, 3), (0, 3), 3]


def test_queues_and_capacities_work_as_in_actions():
    m = process("for i in range(3):\n    s.q.put(i)\n    yield\ns.q.get()", q=Queue(capacity=2))
    assert len(states(m)) == 3  # the third has no room


def test_fairness_is_that_of_the_process_as_a_whole():
    def model(fair):
        m = Model("m", n=0, x=0)
        loaded(
            "@m.process\ndef noise(s):\n    while True:\n        s.x = 1 - s.x\n        yield\n"
            "@m.process(fair=fair, k=range(1))\ndef p(s, k):\n    yield\n    yield\n    s.n = 1\n",
            m=m,
            fair=fair,
        )
        m.always_eventually("done", lambda s: s.n == 1)
        return m

    for engine in ("native", "reference"):
        assert check(model(True), engine=engine)
        assert not check(model(False), engine=engine).verdicts[0]
        assert check(model(False), engine=engine, fair=["p"])
        assert check(model(False), engine=engine, fair=["p(k=0)"])


def test_a_family_without_members_does_nothing():
    m = Model("m", n=0)
    loaded("@m.process(k=())\ndef p(s, k):\n    s.n = 1\n    yield\n", m=m)
    assert states(m) == [{"n": 0, "p": Array(())}]


def test_functions_of_processes_do_the_same_when_run_again():
    m = process("for i in (1, 2, 3):\n    s.n = choose(range(i))\n    yield\n    x = i\n    yield\n    s.n += x")
    for engine in ("native", "reference"):
        assert explore(m, engine=engine, verify_actions=True).stop is None


# -- refusals ---------------------------------------------------------------------------------------------------------

REFUSED = {
    "x = yield": "value of a yield",
    "s.n = (yield) + 1": "value of a yield",
    "yield s.n": "not a label",
    'yield "ended"': "'ended'",
    "try:\n    yield\nexcept ValueError:\n    pass": "inside try",
    "with s.n:\n    yield": "inside with",
    "while True:\n    with s.n:\n        break\n    yield": "jumps out",
    "def f():\n    yield\nyield": "another generator",
    "def f():\n    return 1\nyield\ns.n = f()": "in one step and uses it in another",
    "global x\nx = 1\nyield": "outside the state",
    "class C:\n    pass\nyield": "class 'C'",
    "import math\nyield": "imports",
    "yield\nreturn 1": "returns a value",
    "s = 1\nyield": "its state",
    "yield from (1, 2)": "not a call",
    "yield from len(s)": "no generator function",
    "yield from nobody(s)": "known",
    "yield from again(s)": "calls itself (p -> again -> again)",
    "yield from again()": "wrong arguments",
    "yield from again(5)": "without giving it the state",
    "yield from again(*[s])": "star",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_cannot_be_a_process_is_refused_with_its_line(text):
    with pytest.raises(SweepcheckError) as caught:
        process(text, "def again(s):\n    yield from again(s)\n")
    assert caught.value.code == "SC119"
    assert REFUSED[text] in caught.value.what
    assert ":" in (caught.value.where or "")
    assert caught.value.suggestion


@pytest.mark.parametrize(
    ("declare", "code"),
    [
        (lambda m: m.process(print), "SC119"),
        (lambda m: m.process(lambda s: (yield)), "SC119"),
        (lambda m: m.process(k=range(2))(loaded("def p(s):\n    yield\n")["p"]), "SC119"),
        (lambda m: m.process(loaded("def p(s, k):\n    yield\n")["p"]), "SC119"),
        (lambda m: m.process(loaded("def p():\n    yield\n")["p"]), "SC119"),
        (lambda m: m.process(fair="no")(loaded("def p(s):\n    yield\n")["p"]), "SC119"),
        (lambda m: m.process(loaded("async def p(s):\n    yield\n")["p"]), "SC119"),
        (lambda m: m.process(loaded("def n(s):\n    yield\n")["n"]), "SC112"),
        (lambda m: m.process(loaded("import random\ndef p(s):\n    yield\n    s.n = random.random()\n")["p"]), "SC115"),
        (lambda m: m.process(eval("(lambda: (yield))", {})), "SC119"),
    ],
)
def test_mistaken_declarations(declare, code):
    with pytest.raises(SweepcheckError) as caught:
        declare(Model("m", n=0))
    assert caught.value.code == code


def test_only_the_process_itself_moves():
    m = process("s.n = 1\nyield")

    @m.action
    def push(s):
        s.p = "ended"

    with pytest.raises(SweepcheckError, match="belongs to a process"):
        explore(m)


def test_values_that_cannot_be_part_of_a_state():
    for engine in ("native", "reference"):
        with pytest.raises(SweepcheckError, match="p_x") as caught:
            explore(process("x = [1]\nyield\ns.n = x[0]"), engine=engine)
        assert caught.value.code == "SC203"
        assert ":4, action p:line 3" in (caught.value.where or "")
