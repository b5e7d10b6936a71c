"""The kit itself: the truth about a graph that can be told by heart, and models that shrink to something readable."""

import importlib
import sys
from contextlib import suppress
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import Phase, find, settings
from hypothesis.errors import NoSuchExample

from sweepcheck import Model, SweepcheckError, product, progress
from sweepcheck.core.verdict import Status
from sweepcheck.engines import native
from sweepcheck.models.adoption import adopt
from sweepcheck.testing import drawing
from sweepcheck.testing.conformance import check_acceptance, properties_about
from sweepcheck.testing.random_graphs import Graph, Members
from sweepcheck.testing.random_models import MEASURES, Source, sources
from sweepcheck.testing.random_processes import programs, random_program
from sweepcheck.testing.truth import TooLarge, survey

# 0 -> 1 <-> 2 -> 3 (dead), 0 -> 4 with a self loop; 5 is not reachable.
GRAPH = Graph(
    (0, 1, 2, 3, 4, 5),
    (0,),
    ((0, "a", 1), (0, "b", 1), (0, "a", 4), (1, "a", 2), (2, "a", 1), (2, "a", 3), (4, "a", 4), (5, "a", 0)),
)
TRUTH = survey(adopt(GRAPH))


def test_survey() -> None:
    assert TRUTH.distance == {0: 0, 1: 1, 4: 1, 2: 2, 3: 3}
    assert TRUTH.count_of_edges == 7
    assert TRUTH.dead == {3}
    with pytest.raises(TooLarge):
        survey(adopt(GRAPH), most=4)


@pytest.mark.parametrize(
    ("goal", "able", "bound"),
    [
        ({3}, {0, 1, 2, 3}, {3}),
        ({3, 4}, {0, 1, 2, 3, 4}, {3, 4}),
        ({1}, {0, 1, 2}, {1}),
        ({2, 4}, {0, 1, 2, 4}, {0, 1, 2, 4}),
        ({2, 3, 4}, {0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}),
        (set(), set(), set()),
    ],
)
def test_fixpoints(goal: set[int], able: set[int], bound: set[int]) -> None:
    assert TRUTH.able_to_reach(goal) == able
    assert TRUTH.bound_to_reach(goal) == bound


@pytest.mark.parametrize(
    ("members", "holding"),
    [
        (
            {0, 1, 2, 3, 4},
            {"invariant", "reachable", "deadlock unless final", "step", "always possible", "always eventually"},
        ),
        ({3, 4}, {"reachable", "deadlock unless final", "step", "always possible"}),
        ({2, 4}, {"reachable"}),
        ({5}, {"step"}),
    ],
)
def test_statuses(members: set[int], holding: set[str]) -> None:
    asked = properties_about(Members(frozenset(members)))
    assert {one.name for one in asked if TRUTH.status(one) is Status.HOLDS} == holding


def test_progress() -> None:
    measure = progress(lambda s: {0: 0, 1: 1, 2: 1, 3: 2, 4: 1}[s])
    assert list(TRUTH.regress_edges(measure)) == []
    assert TRUTH.ideal_peak(measure) == 4  # 1, 2, 4 and, found from them, 3
    assert TRUTH.largest_layer(measure) == 3
    backwards = product(lambda s: s)
    assert [(state, edge.target) for state, edge in TRUTH.regress_edges(backwards)] == [(2, 1)]


@pytest.mark.parametrize("order", [None, *MEASURES])
def test_random_models_cover_every_operation(order: str | None) -> None:
    """Each of these occurs in some random model; what is found is a model that can be built again from its text."""
    wanted = ["take()", "take(", "where=", "peek()", ".add(", ", 2)", ".clear()", ".put(", ".get()", "s.a[", "stay()"]
    wanted += ["@m.constraint", "@m.start", "m.initial("] if order is None else []
    structured = ["Set(", "Record(", "Map(", "shape=(2, 2)", ".discard(", "s.g[0] == s.g[1]", "s.r[0].w.add("]
    wanted += structured if order is None else []
    gone_through = [
        "any(",
        "all(",
        "sum(num(z) for z",
        "len([z for z",
        "max((num(z)",
        "{num(z) for z",
        "choose([z for z",
    ]
    wanted += [*gone_through, "for z in s.q:", "continue", "break", "z in s.e if"] if order is None else []
    wanted += ["choose(", "pick(", "require(", "@m.action(i=", "else:", "return", "capacity=2", "len(s.b)", ".count("]
    quickly = settings(max_examples=2000, phases=[Phase.generate], database=None, derandomize=True)
    first: dict[str, Source] = {}  # of those that have it

    def completes(drawn: Source) -> bool:
        for text in wanted:
            if text in drawn.text:
                first.setdefault(text, drawn)
        return len(first) == len(wanted)

    with suppress(NoSuchExample):
        find(sources(order, constrained=True), completes, settings=quickly)
    assert [text for text in wanted if text not in first] == []
    for source in {source.text: source for source in first.values()}.values():
        again = Source(source.text).case().model
        assert again.edges(again.initial_states()[0]) == source.case().model.edges(again.initial_states()[0])
        assert source.text in repr(source)


def test_random_programs_cover_the_syntax_of_processes() -> None:
    """Each of these occurs among a few hundred programs, and so do all measures."""
    texts = "".join(random_program(seed).text for seed in range(200))
    wanted = ["yield from ", 'yield "', "while True", "for ", "match ", "case ", "break", "continue", "else:", "elif "]
    wanted += ["require(", "choose(", "lambda", ":=", "try:", "return 1", "del z", "p=range(2)"]
    assert [text for text in wanted if text not in texts] == []
    quickly = settings(max_examples=200, phases=[Phase.generate], database=None, derandomize=True)
    for order, (_, growth, _) in MEASURES.items():
        grown = find(programs(order), lambda one, word=growth[0][:8]: word in one.text, settings=quickly)
        assert grown.case().model.measure is not None


def test_without_hypothesis_the_extra_is_named() -> None:
    try:
        with patch.dict(sys.modules, {"hypothesis": None}), pytest.raises(SweepcheckError) as caught:
            importlib.reload(drawing)
    finally:
        importlib.reload(drawing)
    assert caught.value.code == "SC405"
    assert caught.value.suggestion == 'pip install "hypothesis>=6.100"'


def test_a_model_without_end_is_left_alone() -> None:
    def endless() -> Model:
        m = Model("endless", n=0)

        @m.action
        def count(s: Any) -> None:
            s.n += 1

        return m

    check_acceptance(native.run, endless, engine="native")
