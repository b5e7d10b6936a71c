"""Random processes are what real generators of Python do, and both engines say so."""

from typing import Any

from hypothesis import given, note, settings
from hypothesis import strategies as st

from sweepcheck import Limits, Model, always_eventually, check, explore
from sweepcheck.testing.random_processes import endless_program, random_program
from sweepcheck.testing.real_generators import check_program

MOST = 100  # states that the naive explorer is asked for


FEWER = settings(max_examples=settings.default.max_examples // 2)  # each is several programs


@FEWER
@given(st.integers(0, 2**32))
def test_a_process_does_what_its_generator_does(seed: int) -> None:
    program = random_program(seed)
    note(program.text)
    check_program(program, program.model(), MOST)


@FEWER
@given(st.integers(0, 2**32))
def test_both_engines_find_the_same_states(seed: int) -> None:
    model = random_program(seed).model()
    limits = Limits(states=3000)
    native, reference = (explore(model, engine=engine, limits=limits) for engine in ("native", "reference"))
    if reference.stop is None:
        assert native.statistics.states == reference.statistics.states
        assert native.statistics.edges == reference.statistics.edges
    else:
        assert native.stop is not None


def avoids(model: Model, fair: set[tuple[str, int]]) -> bool:
    """Whether some run of which all but a beginning has a != 1 ignores none of these processes for ever.

    By definition: a set of states that lead to each other, in which each process moves or is disabled somewhere.
    """
    edges: dict[Any, list[tuple[tuple[str, int], Any]]] = {}
    waiting = list(model.initial_states())
    while waiting:
        state = waiting.pop()
        if state not in edges:
            found = [(edge.label, edge.target) for edge in model.edges(state)]
            edges[state] = [((label.action.partition(":")[0], label.arguments[0][1]), to) for label, to in found]
            waiting += [target for _, target in found]
    bad = {state for state in edges if model.view(state).a != 1}

    def reached(state: Any) -> set[Any]:
        met: set[Any] = set()
        waiting = [state]
        while waiting:
            new = {target for _, target in edges[waiting.pop()] if target in bad} - met
            met |= new
            waiting += new
        return met

    reach = {state: reached(state) for state in bad}
    for state in bad:
        if not edges[state]:
            return True
        together = {other for other in reach[state] if state in reach[other]}
        moving = {who for one in together for who, target in edges[one] if target in together}
        resting = {who for who in fair for one in together if who not in {mover for mover, _ in edges[one]}}
        if together and fair <= moving | resting:
            return True
    return False


@FEWER
@given(st.integers(0, 2**32))
def test_fairness_of_steps_is_fairness_of_processes(seed: int) -> None:
    program = endless_program(seed)
    numbers = tuple(number for number in range(len(program.members)) if seed >> number & 1)
    model = program.model(numbers)
    if explore(model, limits=Limits(states=400)).stop is not None:
        return
    fair = {(f"p{number}", p) for number in numbers for p in range(program.members[number])}
    note(program.text)
    asked = always_eventually("one", lambda s: s.a == 1)
    for engine in ("native", "reference"):
        assert bool(check(model, [asked], engine=engine).verdicts[0]) is not avoids(model, fair)
