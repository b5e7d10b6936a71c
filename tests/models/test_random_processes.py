"""Random processes are what real generators of Python do, and both engines say so."""

from hypothesis import given, note
from hypothesis import strategies as st
from process_programs import Program, pairs, random_program

from sweepcheck import Array, Limits, Model, choose, explore, require

MOST = 100  # states that the naive explorer is asked for


def model_of(program: Program) -> Model:
    """The program as a model."""
    m = Model("program", a=0, b=0, c=Array([0, 0]))
    program.run(process=lambda number, p: m.process(p=p), require=require, choose=choose)
    return m


@given(st.integers(0, 2**32))
def test_a_process_does_what_its_generator_does(seed: int) -> None:
    program = random_program(seed)
    model = model_of(program)
    names = [(f"p{number}", p) for number, size in enumerate(program.members) for p in range(size)]
    note(program.text)
    for state, run in pairs(program, model, MOST):
        view = model.view(state)
        assert (view.a, view.b, tuple(view.c)) == run.values()
        for (name, p), told in zip(names, run.told, strict=True):
            place = getattr(view, name)[p]
            assert place == told if told is not None else place.startswith("line ")


@given(st.integers(0, 2**32))
def test_both_engines_find_the_same_states(seed: int) -> None:
    model = model_of(random_program(seed))
    limits = Limits(states=3000)
    native, reference = (explore(model, engine=engine, limits=limits) for engine in ("native", "reference"))
    if reference.stop is None:
        assert native.statistics.states == reference.statistics.states
        assert native.statistics.edges == reference.statistics.edges
    else:
        assert native.stop is not None
