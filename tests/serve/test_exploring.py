"""The live page's answers about models that fail on the way, and about states with very many steps."""

from sweepcheck import Model, choose, require
from sweepcheck.serve.explorer import MOST_EDGES, Explorer


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


def test_random_steps_stay_where_the_model_fails():
    found = Explorer(failing()).answer(asked(random={"steps": 20, "seed": 1}))
    assert found["labels"] == ["up"] * 4
    assert found["ended"] == "the model fails there"
    *before, last = found["states"]
    assert [state["failed"] for state in before] == [None] * 4
    assert "four" in last["failed"]


def test_of_very_many_steps_some_are_offered_and_all_are_counted():
    (state,) = Explorer(wide(MOST_EDGES + 70)).answer(asked())["states"]
    assert (len(state["enabled"]), state["more"]) == (MOST_EDGES, 70)


def test_what_is_possible_in_a_state_is_asked_once():
    system, calls = wide(3), []
    plain = system.edges
    system.edges = lambda state: calls.append(state) or plain(state)
    explorer = Explorer(system)
    explorer.answer(asked())
    explorer.answer(asked(labels=["jump(2)"], have=1))
    assert len(calls) == len(set(calls)) == 2
