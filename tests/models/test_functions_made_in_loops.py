"""Functions that read the variable of a loop in which they were declared: those that were to differ, and do not."""

from typing import Any

import pytest

from sweepcheck import Model, Net, SweepcheckError, check, colours, invariant, require


def counter() -> Model:
    m = Model("counter", n=0)

    @m.action
    def up(s: Any) -> None:
        require(s.n < 3)
        s.n += 1

    return m


def other_than(k: int) -> Any:
    return lambda s: s.n != k


def refused(*arguments: Any) -> bool:
    try:
        check(*arguments)
    except SweepcheckError as error:
        return error.code == "SC152"
    return False


def test_properties_of_a_model() -> None:
    m = counter()
    for k in range(2):
        m.invariant(f"not {k}", lambda s: s.n != k)  # noqa: B023
    assert refused(m)


def test_properties_that_are_asked() -> None:
    assert refused(counter(), [invariant(f"not {k}", lambda s: s.n != k) for k in range(5, 7)])  # noqa: B023


def test_constraints_and_predicates_of_formulas() -> None:
    m = counter()
    for k in (2, 1):
        m.constraint(f"below {k}", lambda s: s.n < k)  # noqa: B023
    assert refused(m)


def test_actions_with_names_of_their_own() -> None:
    m = Model("steps", n=0)
    for k in range(1, 3):

        def step(s: Any) -> None:
            require(s.n < 3)
            s.n += k  # noqa: B023

        step.__name__ = f"step_{k}"
        m.action(step)
    assert refused(m)


def test_a_function_inside() -> None:
    m = counter()
    for k in range(2):
        m.invariant(f"not {k}", lambda s: all(s.n != other for other in (9, k)))  # noqa: B023
    assert refused(m)


@pytest.mark.parametrize("number", [2, 3])
def test_what_is_no_mistake(number: int) -> None:
    m = counter()
    for k in range(7, 9):
        m.invariant(f"default {k}", lambda s, k=k: s.n != k)
    for k in range(7, 9):
        m.invariant(f"own {k}", other_than(k))
    limit = 9
    m.invariant("changed later", lambda s: s.n < limit)
    limit = number + 4

    def small(s: Any) -> bool:
        return bool(s.n < limit)

    m.invariant("one", small)
    m.reachable("two", small)
    assert not refused(m)


def test_other_models_of_one_loop() -> None:
    for k in range(4, 6):
        m = counter()
        m.invariant("not", lambda s: s.n != k)  # noqa: B023
        assert not refused(m)


def net_of(functions: Any, where: str = "guard") -> Net:
    """A net with a transition for each function: its guard, the tokens it puts, or how long it takes."""
    net = Net("net")
    before, after = net.place("Before", int, [0, 1]), net.place("After", colours.timed(int))
    for number, function in enumerate(functions):
        put = after.put(function) if where == "put" else after.put("n")
        more = {} if where == "put" else {where: function}
        net.transition(f"t{number}", before.take("n"), put, **more)
    return net


@pytest.mark.parametrize("where", ["guard", "put", "delay"])
def test_functions_in_nets(where: str) -> None:
    assert refused(net_of((lambda n: n + k for k in range(2)), where))  # noqa: B023
    assert not refused(net_of((lambda n, k=k: n + k for k in range(2)), where))


def test_a_module_that_is_used_twice_has_its_functions_once() -> None:
    def module(least: int) -> Net:
        net = Net("module")
        into, out = net.place("In", int, port="in"), net.place("Out", int, port="out")
        net.transition("Move", into.take("n"), out.put("n"), guard=lambda n: n >= least)
        return net

    net = Net("net")
    before, after = net.place("Before", int, [0, 1]), net.place("After", int)
    one = module(0)
    net.substitution("First", one, In=before, Out=after)
    net.substitution("Second", one, In=before, Out=after)
    net.substitution("Third", module(1), In=before, Out=after)
    assert not refused(net)
