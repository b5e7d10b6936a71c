"""What is asked about cycles, where their states lie with several sites: layer by layer one of them decides it."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sweepcheck import (
    Limits,
    Model,
    always_eventually,
    always_possible,
    check,
    choose,
    ctl,
    leads_to,
    load,
    ltl,
    require,
    stay,
)
from sweepcheck.cluster import driver
from sweepcheck.cluster.driver import LostError
from sweepcheck.cluster.local import LocalSites
from sweepcheck.cluster.owners import Sample
from sweepcheck.cluster.source import packed, unpacked
from sweepcheck.core.observer import Silence
from sweepcheck.core.plan import Outcome, Plan
from sweepcheck.core.property import Property
from sweepcheck.core.request import Request
from sweepcheck.core.verdict import Status
from sweepcheck.engines import native
from sweepcheck.engines.replay import replay
from sweepcheck.errors import MeasureError, RequestError
from sweepcheck.models.adoption import adopt
from sweepcheck.planner import plan
from sweepcheck.properties.expression import expression
from sweepcheck.testing.random_models import Source, sources

FORMULAS = ("G F {%s == 0}", "F G {%s == 0} | G F {%s == 1}", "G F {%s == 0} -> G F {%s == 1}", "G F last(one)")


def carousel(turns: int = 4, stays: bool = False) -> Model:
    """A wheel that turns in every layer, and a switch that only one position of one layer has."""
    m = Model("carousel", t=0, x=0, y=0)

    @m.action
    def go(s):
        require(s.t < 5)
        s.t += 1

    @m.action
    def turn(s):
        require(not stays or s.t < 5)
        s.x = (s.x + 1) % turns

    @m.action
    def switch(s):
        require(s.x == 2 and s.t == 3)
        s.y = 1

    m.progress(lambda s: s.t)
    return m


def asked(model: Model, properties: Sequence[Property], **options: Any) -> Plan:
    return plan(adopt(model), Request(properties, strategy="sweep", engine="native", keep_going=True, **options))


def statuses(outcome: Outcome) -> list[Status | None]:
    return [one.status for one in outcome.decisions]


def agrees(decided: Plan, sites: LocalSites) -> Outcome:
    """What sites find, if it is what one process finds and each trace shows it."""
    shared = driver.run(decided, Silence(), sites)
    assert statuses(shared) == statuses(native.run(decided, Silence()))
    for one in shared.decisions:
        replay(decided.system, one, decided.runs)
        assert one.status is None or one.trace is not None
    return shared


@pytest.mark.parametrize("sites", [1, 2, 3])
@pytest.mark.parametrize("stays", [False, True])
@pytest.mark.parametrize("turns", [4, 150])  # more than are processed together
def test_layers_are_decided(turns: int, stays: bool, sites: int) -> None:
    decided = asked(
        carousel(turns, stays),
        [
            always_possible("back", lambda s: s.x == 0),
            always_possible("begin", lambda s: s.t == 0),
            always_possible("off", lambda s: s.y == 0 or s.t < 4),
            always_eventually("one", lambda s: s.x == 1),
            always_eventually("round", lambda s: s.x == 1 or s.t == 3),
            always_eventually("on", lambda s: s.y == 1),
            ltl("again", "G F {x == 1}"),
            ltl("or for good", "G F {x == 1} | F G {y == 1}"),
        ],
    )
    outcome = agrees(decided, LocalSites(decided, sites))
    assert Status.VIOLATED in statuses(outcome)


@pytest.mark.parametrize("fair", [["go"], ["turn"], ["strong switch"], ["go + turn", "strong switch"]])
def test_runs_are_fair(fair: list[str]) -> None:
    decided = asked(
        carousel(),
        [always_eventually("end", lambda s: s.t == 5), always_eventually("on", lambda s: s.y == 1 or s.t != 3)],
        fair=fair,
    )
    agrees(decided, LocalSites(decided, 2))


class Dying(LocalSites):
    """A site dies in a superstep."""

    left = 9

    def step(self, *given: Any) -> Any:
        self.left -= 1
        if self.left == 0:
            raise LostError("killed")
        return super().step(*given)


def test_nothing_that_is_open_is_lost_with_a_site(tmp_path: Path) -> None:
    properties = [always_possible("off", lambda s: s.y == 0 or s.t < 4), always_possible("back", lambda s: s.x == 0)]
    decided = asked(carousel(), properties)
    sites = Dying(decided, 3)
    shared = driver.run(decided, Silence(), sites, tmp_path, every=0)
    assert sites.left < 0
    assert statuses(shared) == [Status.VIOLATED, None]
    assert shared.decisions[0].trace is not None
    assert list(tmp_path.iterdir()) == []


@given(st.sampled_from(["number", "lexicographic"]), st.data(), st.integers(1, 4), st.randoms(use_true_random=False))
def test_random_models(order: str, data: st.DataObject, sites: int, draw: Random) -> None:
    drawn: Source = data.draw(sources(order))
    case = drawn.case()
    system, predicate = adopt(case.model), case.kit["predicate"]
    properties = [always_possible("possible", predicate), always_eventually("eventually", predicate)]
    formula = draw.choice(FORMULAS)
    plain = [name for name in system.variables if name.isidentifier()]
    properties.append(ltl("formula", formula % tuple(draw.choice(plain) for _ in range(formula.count("%")))))
    names = [str(action) for action in system.actions]
    fair = draw.choice([[], [names[0]], [f"strong {draw.choice(names)}"], names[:2]])
    try:
        decided = plan(
            system,
            Request(properties, measure=case.kit.get("measure"), strategy="sweep", keep_going=True, fair=fair,
                    engine="native", limits=Limits(states=2000)),
        )  # fmt: skip
        assume(native.run(decided, Silence()).stop is None)
    except MeasureError:
        assume(False)
    fields = list(Sample(decided).fields)
    agrees(decided, LocalSites(decided, sites, draw.sample(fields, draw.randrange(len(fields) + 1))))


MODEL = """
from sweepcheck import Model, require
m = Model("wheel", t=0, x=0)
@m.action
def go(s):
    require(s.t < 2)
    s.t += 1
@m.action
def turn(s):
    s.x = (s.x + 1) % 3
m.progress(lambda s: s.t)
"""


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"properties": [ctl("tree", "EG {x == 0}")]}, "needs all edges"),
        ({"properties": [leads_to("lead", lambda s: s.x == 1, lambda s: s.x == 2)]}, "a memory in every state"),
        ({"properties": [ltl("until", "{x == 0} U {x == 1}")]}, "a memory in every state"),
        ({"properties": [always_possible("back", lambda s: s.x == 0)], "strategy": "full"}, "progress measure"),
        ({"properties": [always_possible("back", lambda s: s.x == 0)]}, "is a function"),
        ({"strategy": "caching"}, "no layers that all work on"),
        ({"engine": "reference"}, "each of them runs the native engine"),
        ({"measure": lambda s: s.t}, "the measure is given as a function"),
        ({"up_to": 3, "strategy": "full"}, "a bound on steps"),
        ({"checkpoint": "run"}, "those of one process"),
        ({"workers": 2}, "each process has one worker"),
    ],
)
def test_all_else_is_refused(options: dict[str, Any], why: str, tmp_path: Path) -> None:
    path = tmp_path / "wheel.py"
    path.write_text(MODEL)
    with pytest.raises(RequestError, match=why) as raised:
        check(str(path), **options, cluster="local", processes=2)
    assert raised.value.code == "SC419"
    assert "or leave cluster= out" in str(raised.value.suggestion)


def test_what_is_asked_gets_there(tmp_path: Path) -> None:
    path = tmp_path / "wheel.py"
    path.write_text(MODEL)
    system = load(str(path))
    texts = ((always_possible, "x == 0"), (always_eventually, "x == 1"))
    states = [make(text, expression(system, text)) for make, text in texts]
    formulas = [ltl("G F {x == 0}", "G F {x == 0}"), ctl("AG EF {x == 0}", "AG EF {x == 0}")]
    decided = plan(system, Request([*states, *formulas], fair=["strong turn"], cluster="local", processes=2))
    there = unpacked(packed(decided))
    assert [(one.kind, one.name) for one in there.properties] == [(one.kind, one.name) for one in decided.properties]
    assert there.fair == decided.fair != ()
    outcome = driver.run(there, Silence(), LocalSites(there, 2))
    assert outcome.stop is None
    assert statuses(outcome) == [None] * 4


@pytest.mark.parametrize("sites", range(1, 9))
def test_a_property_that_one_site_has_decided_is_looked_for_by_no_other(sites: int) -> None:
    """The first layer decides "middle". The owner of 3 knew that, and another site looked at the last layer."""
    model = Model("way", x=0)

    @model.action(fair=True)
    def stand(s):
        require(s.x in (0, 2))
        stay()

    @model.action(fair=True)
    def walk(s):
        require(s.x in (0, 1, 2))
        s.x = choose([n for n in (0, 2, 3) if n >= s.x]) if s.x == 0 else 3

    model.progress(lambda s: min(s.x, 2))
    middle = always_eventually("middle", lambda s: s.x in (1, 2))
    ends = always_eventually("ends", lambda s: s.x in (0, 3))
    decided = asked(model, [middle, ends])
    assert statuses(agrees(decided, LocalSites(decided, sites))) == [Status.VIOLATED, None]


@given(st.integers(0, 1 << 32), st.integers(1, 8), st.booleans())
def test_random_cycles_with_fairness(seed: int, sites: int, trace: bool) -> None:
    """Few states and many sites, some of which own none; several properties, and fair actions."""
    random = Random(seed)
    layers = sorted(random.randrange(3) for _ in range(random.randint(1, 6)))
    model = Model("graph", x=0)
    for name in "abc"[: random.randint(1, 3)]:
        model.action(fair=random.choice([False, True, "strong"]))(walker(name, layers, random))
    model.progress(lambda s: layers[s.x])
    wanted = [frozenset(x for x in range(len(layers)) if random.random() < 0.4) for _ in range(random.randint(1, 3))]
    kinds = [random.choice([always_eventually, always_eventually, always_possible]) for _ in wanted]
    properties = [kind(f"{n}", lambda s, w=w: s.x in w) for n, (kind, w) in enumerate(zip(kinds, wanted, strict=True))]
    decided = asked(model, properties, trace=trace)
    if trace:
        agrees(decided, LocalSites(decided, sites))
    else:
        assert statuses(driver.run(decided, Silence(), LocalSites(decided, sites))) == statuses(
            native.run(decided, Silence())
        )


def walker(name: str, layers: list[int], random: Random) -> Any:
    """An action that goes from each number to some others of its layer or a later one."""
    count = range(len(layers))
    ways = [[n for n in count if layers[n] >= layers[x] and random.random() < 0.4] for x in count]

    def walk(s):
        require(ways[s.x])
        s.x = choose(ways[s.x])
        stay()

    walk.__name__ = name
    return walk
