"""Predictions from all states of a small graph are what a sweep then stores, to the state."""

from random import Random

import pytest

from sweepcheck import Bag, Model, explore, require, state_graph
from sweepcheck.discovery.features import features_of
from sweepcheck.discovery.prediction import Formula, predicted
from sweepcheck.discovery.sample import Classes, Sample, points_of_graph
from sweepcheck.discovery.wording import formula_text


def jobs(most: int = 8) -> Model:
    m = Model("jobs", waiting=most, running=0, done=Bag(), phase="open")

    @m.action
    def start(s):
        require(s.waiting > 0 and s.phase == "open")
        s.waiting, s.running = s.waiting - 1, s.running + 1

    @m.action
    def finish(s):
        require(s.running > 0)
        s.running -= 1
        s.done.add("good")

    @m.action
    def fail(s):
        require(s.running > 0)
        s.running -= 1
        s.done.add("bad")

    @m.action
    def close(s):
        require(s.phase == "open")
        s.phase = "closed"

    return m


def learned():
    graph = state_graph(jobs())
    states = list(graph)
    features, classes = features_of(graph.system, states), Classes()
    points = points_of_graph(graph._graph, features, classes, len(states), Random(1))
    return graph.system, features, classes, Sample(points, len(features)), len(states)


def test_features_are_named_in_the_model_s_words() -> None:
    _, features, _, _, _ = learned()
    assert {one.text for one in features.all} == {
        *("waiting", "running", "len(done)", "done.count('bad')", "done.count('good')"),
        *("(phase == 'closed')", "(phase == 'open')"),
    }


@pytest.mark.parametrize("seed", range(12))
def test_a_monotone_sum_is_predicted_to_the_state(seed: int) -> None:
    system, features, classes, sample, states = learned()
    names = [one.text for one in features.all]
    random = Random(seed)
    weights = {names.index("waiting"): -random.randint(1, 3), names.index("len(done)"): random.randint(1, 5)}
    weights[names.index("(phase == 'closed')")] = random.randint(0, 2)
    formula = Formula.of(weights)
    told = predicted(sample, formula, classes.deltas)
    report = explore(system, measure=formula_text(formula, features), strategy="sweep")
    assert round(told * states) == report.statistics.peak


def test_what_is_gone_back_to_is_kept() -> None:
    _, features, classes, sample, _ = learned()
    names = [one.text for one in features.all]
    least = predicted(sample, Formula.of({names.index("len(done)"): 1}), classes.deltas)
    back = predicted(sample, Formula.of({names.index("running"): 1}), classes.deltas)
    assert least < 0.5 < back


def test_bands_are_coarser() -> None:
    _, features, classes, sample, _ = learned()
    at = [one.text for one in features.all].index("waiting")  # from -8 to 0
    peaks = [predicted(sample, Formula.of({at: -1}, band), classes.deltas) for band in (1, 3, 9)]
    assert peaks == sorted(peaks)
    assert peaks[-1] > 0.8
