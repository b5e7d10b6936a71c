"""Choices between many alternatives, models with many variables: what is recognised or looked up must be the same."""

import pytest

from sweepcheck import Model, choose, explore, require

ENGINES = ("native", "reference")


def numbers(model: Model, engine: str) -> tuple[int | None, int]:
    found = explore(model, engine=engine).statistics
    return found.states, found.edges


# -- choices ---------------------------------------------------------------------------------------------------------

OUTSIDE = [5, 6, 7]


def chooses(how: str) -> Model:
    m = Model("chooses", x=0, y=0)

    @m.action
    def pick(s):
        require(s.y < 2)
        if how == "built":
            s.x = choose([s.x, s.x + 1, 3])
        elif how == "changed":
            own = [1, 2]
            first = choose(own)
            own[0] = first + 4
            s.x = choose(own) if s.y else choose(own[0], 9)
        elif how == "outside":
            s.x = choose(OUTSIDE)
        elif how == "nested":
            s.x = choose(range(choose(range(1, 4)))) + choose((0, s.x % 2))
        elif how == "texts":
            s.x = int(choose([str(s.x % 3), str(s.x % 2)]))
        elif how == "set":
            s.x = choose({s.x % 3, s.y + 1})
        s.y += 1

    return m


@pytest.mark.parametrize("how", ["built", "changed", "outside", "nested", "texts", "set"])
def test_what_is_chosen_from(how: str) -> None:
    assert numbers(chooses(how), "native") == numbers(chooses(how), "reference")


@pytest.mark.parametrize("engine", ENGINES)
def test_alternatives_that_are_equal_and_not_alike_are_not_mistaken_for_those_of_the_last_run(engine: str) -> None:
    m = Model("alike", x=0, kind="")

    @m.action
    def pick(s):
        require(s.x < 2)
        s.kind = type(choose([1, 2] if s.x == 0 else [True, 2])).__name__
        s.x += 1

    report = explore(m, engine=engine)
    assert (report.statistics.states, report.statistics.edges) == (1 + 1 + 2, 2 + 2)


# -- wide models -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_variables_by_names_that_are_put_together(engine: str) -> None:
    m = Model("wide", **{f"variable{i}": 0 for i in range(40)})

    @m.action(i=range(0, 40, 13))
    def step(s, i):
        require(getattr(s, "".join(["vari", f"able{i}"])) == 0)
        setattr(s, "".join(["vari", f"able{i}"]), 1)

    assert numbers(m, engine) == (16, 32)


def test_a_family_without_members_leaves_its_name() -> None:
    m = Model("families", x=0)

    @m.action(i=range(0))
    def step(s, i):
        s.x = i

    @m.action
    def other(s):
        s.x = 1

    def again(s):
        s.x = 2

    again.__name__ = "step"
    m.action(again)
    assert [str(one) for one in m.actions] == ["other", "step"]


def test_initial_states_in_the_order_in_which_their_values_are_given() -> None:
    m = Model("starts", x=0, y="a", z=None)
    m.initial(z=[2, 1], x=[True, False, True])
    assert m.initial_states() == ((True, "a", 2), (False, "a", 2), (True, "a", 1), (False, "a", 1))
    assert m.initial_states()[0][0] is True
