"""The live page's answers about models that fail on the way, and about states with very many steps."""

import pytest

from sweepcheck import Model, choose, require
from sweepcheck.errors import ModelError, TraceError
from sweepcheck.serve.explorer import MOST_EDGES, MOST_LOOKED, Explorer


def asked(**more):
    return {"root": None, "labels": [], "known": 0, "have": 0, **more}


def failing():
    m = Model("failing", n=0)

    @m.action
    def up(s):
        if s.n == 4:
            raise ValueError("four")
        s.n += 1

    return m


def wide(many):
    m = Model("wide", n=0, done=False)

    @m.action
    def jump(s):
        require(not s.done)
        s.n = choose(range(many))
        s.done = True

    return m


def counting(step=1, start=0, **more):
    m = Model("counting", n=start, **more)

    @m.action(by=(step, step + 1))
    def add(s, by):
        s.n += by

    return m


def test_random_steps_stay_where_the_model_fails():
    found = Explorer(failing()).answer(asked(random={"steps": 20, "seed": 1}))
    assert found["labels"] == ["up"] * 4
    assert found["ended"] == "the model fails there"
    assert "four" in found["offers"]["failed"]


def test_of_very_many_steps_some_are_offered_and_all_are_counted():
    offers = Explorer(wide(MOST_EDGES + 70)).answer(asked())["offers"]
    assert (len(offers["enabled"]), offers["more"], offers["many"]) == (MOST_EDGES, 70, False)


def test_of_millions_of_steps_nobody_waits_for_all():
    explorer = Explorer(wide(MOST_LOOKED * 3))
    offers = explorer.answer(asked())["offers"]
    assert (len(offers["enabled"]), offers["more"], offers["many"]) == (MOST_EDGES, MOST_LOOKED - MOST_EDGES, True)
    found = explorer.answer(asked(labels=[f"jump({MOST_LOOKED * 3 - 1})"]))  # one that was not looked at is found
    assert len(found["states"]) == 2


def test_edges_that_are_not_asked_for_are_not_made():
    m = Model("late failure", n=0)

    @m.action
    def jump(s):
        n = choose(range(10))
        if n == 7:
            raise ValueError("seven")
        s.n = n + 1

    state = m.initial_states()[0]
    assert len(m.some_edges(state, 5)) == 5
    with pytest.raises(ModelError, match="seven"):
        m.edges(state)


def test_what_is_possible_in_a_state_is_asked_once():
    system, calls = wide(3), []
    plain = system.some_edges
    system.some_edges = lambda state, most: calls.append(state) or plain(state, most)
    explorer = Explorer(system)
    explorer.answer(asked())
    explorer.answer(asked(labels=["jump(2)"], have=1))
    assert len(calls) == len(set(calls)) == 2


def test_long_walks_are_no_burden():
    explorer = Explorer(counting())
    found = explorer.answer(asked(random={"steps": 5000, "seed": 1}))
    assert len(found["states"]) == 5001
    more = explorer.answer(asked(labels=[*found["labels"], "add(by=1)"], have=5001, known=len(found["values"])))
    assert len(more["states"]) == len(more["steps"]) == 1


def test_a_way_through_another_model_is_kept_as_far_as_it_goes():
    labels = ["add(by=2)", "add(by=1)", "add(by=2)"]
    found = Explorer(counting(step=2)).answer(asked(labels=labels, as_far=True))
    assert found["labels"] == ["add(by=2)"]
    assert found["ended"] == "step 2, add(by=1), is not possible any more: the way is kept up to there"
    assert len(found["states"]) == 2
    found = Explorer(failing()).answer(asked(labels=["up"] * 9, as_far=True))
    assert found["labels"] == ["up"] * 4
    assert found["ended"] == "the model fails before step 5, up: the way is kept up to there"


def test_a_way_is_kept_when_a_variable_is_new():
    root = {"n": "0"}
    found = Explorer(counting(log=())).answer(asked(root=root, labels=["add(by=1)"], as_far=True))
    assert (found["labels"], found["ended"]) == (["add(by=1)"], None)
    with pytest.raises(TraceError, match="no such initial state"):
        Explorer(counting(log=())).answer(asked(root=root))


def test_values_of_another_process_are_not_taken_for_known():
    first = Explorer(counting()).answer(asked())
    other = Explorer(counting(start=5))
    assert other.answer(asked(known=len(first["values"]), of=first["process"])) == {"again": True}
    found = other.answer(asked(of=None))
    assert other.answer(asked(of=found["process"]))["process"] == found["process"]
