"""Mistakes in the declaration of a symmetry, and symmetries that are none."""

from typing import Any

import pytest

from sweepcheck import Array, Model, SweepcheckError, check, require


def ring(n: int = 3) -> Model:
    m = Model("ring", token=Array([i == 0 for i in range(n)]), at=Array(["idle"] * n), last=None)

    @m.action(i=range(n))
    def pass_on(s: Any, i: int) -> None:
        require(s.token[i])
        s.token[i] = False
        s.token[(i + 1) % n] = True
        s.last = i

    return m


def working_ring(n: int = 4) -> Model:
    """Here it makes a difference who is the neighbour of whom, and where the token is."""
    m = ring(n)

    @m.action(i=range(n))
    def work(s: Any, i: int) -> None:
        require(s.token[i] and s.at[i] == "idle" and s.last == (i - 1) % n)
        s.at[i] = "busy"

    @m.action(i=range(n))
    def rest(s: Any, i: int) -> None:
        require(s.at[i] == "busy" and s.at[(i + 1) % n] == "busy")
        s.at[i] = "idle"

    return m


@pytest.mark.parametrize(
    ("declaration", "words"),
    [
        ({"arrays": ["tokn"]}, ["'tokn'", "did you mean 'token'?"]),
        ({"arrays": ["last"]}, ["'last' is no array"]),
        ({"arrays": "token", "members": range(4)}, ["'token' has 3 elements", "4 members"]),
        ({"values": ["lst"]}, ["'lst'", "'last'"]),
        ({}, ["nowhere in the state"]),
        ({"arrays": ["token"], "rotation": "yes"}, ["rotation", "'yes'"]),
        ({"arrays": ["token"], "members": 3}, ["3 is not a list"]),
        ({"arrays": ["token"], "members": [[1], 2, 3]}, ["[1]", "cannot be hashed"]),
        ({"arrays": [1]}, ["1 is not text"]),
        ({"values": {"last": 5}}, ["5 does not say where members are"]),
        ({"arrays": ["token", "token"]}, ["'token' is named twice"]),
        ({"values": ["last"], "members": [1, 1.0]}, ["equal and not alike"]),
    ],
)
def test_a_declaration_that_cannot_be_meant(declaration: dict[str, Any], words: list[str]) -> None:
    members = declaration.pop("members", range(3))
    with pytest.raises(SweepcheckError) as caught:
        ring().symmetric(members, **declaration)
    assert caught.value.code in ("SC118", "SC215")
    for word in words:
        assert word in str(caught.value)


def test_a_value_of_two_sets_must_tell_which() -> None:
    m = ring()
    m.symmetric(range(3), values=["last"])
    with pytest.raises(SweepcheckError, match="could be a member of two symmetric sets"):
        m.symmetric([2, 3, 4], values=["last"])


@pytest.mark.parametrize(
    ("declaration", "code"),
    [
        ({"arrays": ["token", "at"], "values": ["last"], "rotation": True}, None),
        ({"arrays": ["token", "at"], "values": ["last"]}, "SC233"),  # a neighbour is no name
        ({"arrays": ["token"], "rotation": True}, "SC233"),  # `last` is left out
        ({"arrays": ["at"], "values": ["last"], "rotation": True}, "SC233"),
    ],
)
def test_a_symmetry_that_is_none_is_found_before_the_run(declaration: dict[str, Any], code: str | None) -> None:
    m = working_ring()
    m.symmetric(range(4), **declaration)
    if code is None:
        assert check(m, verify_equivalence=True).statistics.states < check(m, equivalence=False).statistics.states / 3
        return
    with pytest.raises(SweepcheckError) as caught:
        check(m)
    assert caught.value.code == code
    assert "the members are not symmetric" in str(caught.value)


def test_a_question_about_one_member_is_refused() -> None:
    m = ring()
    m.symmetric(range(3), arrays=["token", "at"], values=["last"], rotation=True)
    m.reachable("the last one has it", lambda s: s.token[2])
    with pytest.raises(SweepcheckError) as caught:
        check(m)
    assert caught.value.code == "SC232"
    assert "names of members" in str(caught.value)


def test_fairness_to_members_is_refused() -> None:
    m = ring()
    m.symmetric(range(3), arrays=["token", "at"], values=["last"], rotation=True)
    m.always_eventually("moves", lambda s: s.last is not None)
    with pytest.raises(SweepcheckError) as caught:
        check(m, fair=["pass_on"])
    assert caught.value.code == "SC404"


def test_a_loop_of_classes_is_shown_as_a_loop_of_states() -> None:
    """In one step the token comes back to its class, and in three to its place."""
    m = ring()
    m.symmetric(range(3), arrays=["token", "at"], values=["last"], rotation=True)
    m.always_eventually("never", lambda s: "busy" in s.at)
    verdict = check(m).verdicts[0]
    assert verdict.status == "violated"
    assert verdict.trace is not None
    assert verdict.trace.loop is not None
    assert verdict.trace.states[verdict.trace.loop] == verdict.trace.states[-1]
    assert len(verdict.trace.steps) - verdict.trace.loop == 3


def test_an_initial_state_need_not_be_symmetric() -> None:
    """A token that starts anywhere and one that starts with the first have the same classes."""
    anywhere = ring()
    anywhere.initial(token=[Array(i == first for i in range(3)) for first in range(3)])
    for m in (ring(), anywhere):
        m.symmetric(range(3), arrays=["token", "at"], values=["last"], rotation=True)
    assert check(ring()).statistics.states == 4
    assert {check(m, equivalence=True).statistics.states for m in (anywhere,)} == {2}


def test_a_value_that_is_not_as_described() -> None:
    pids, m = range(3), ring()
    m.symmetric(pids, arrays=["token", "at"], values={"last": (pids, None)}, rotation=True)
    with pytest.raises(SweepcheckError, match="was to be a tuple of 2") as caught:
        check(m)
    assert caught.value.code == "SC118"
