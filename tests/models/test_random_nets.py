"""Random nets against the token game: in every marking the same can happen, and leads to the same markings."""

import os
from dataclasses import replace

import pytest
from agreement import Disagreement, Player, play
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from token_game import TokenGame, values

from sweepcheck import Bag
from sweepcheck.models.adoption import adopt
from sweepcheck.testing.net_sketch import (
    NUMBER,
    ArcSketch,
    NetSketch,
    PlaceSketch,
    Term,
    TransitionSketch,
    Use,
)
from sweepcheck.testing.random_nets import DrawnNet, nets

NETS = {
    "plain": nets(),
    "modules": nets(modules=True),
    "timed": nets(timed=True),
    "timed modules": nets(timed=True, modules=True),
}


# Fewer than of what is drawn more quickly, and not made smaller, which takes minutes and gains little.
FEWER = settings(max_examples=settings.default.max_examples // 3, phases=[Phase.generate])


@pytest.mark.parametrize("kind", NETS)
def test_the_model_and_the_game_agree(kind: str) -> None:
    @FEWER
    @given(NETS[kind])
    def examples(drawn: DrawnNet) -> None:
        play(drawn)

    examples()


@FEWER
@given(st.one_of(*NETS.values()))
def test_markings_show_what_the_game_has(drawn: DrawnNet) -> None:
    player = Player(drawn)
    play(player, most=8)
    for marking, state in player.states.items():
        view = player.model.view(state)
        for place in player.game.places:
            seen, tokens = view[place], marking.of(place)
            assert Bag(seen) == Bag(dict(values(tokens)))
            assert len(seen) == tokens.total()
            assert all(value in seen and seen.count(value) == n for value, n in values(tokens).items())
            if player.game.places[place].timed:
                assert sorted(seen.times(), key=repr) == sorted(tokens.elements(), key=repr)
        if player.game.timed:
            assert view.clock == marking.clock


# -- a comparison that accepts everything proves nothing -------------------------------------------------------------


class OldestFirst(TokenGame):
    """Of equal tokens the oldest leaves."""

    def leaving(self, tokens, value, time):
        return super().leaving(tokens, value, time)[::-1]


class EarlyTokens(TokenGame):
    """Takes tokens whose time has not come."""

    def leaving(self, tokens, value, time):
        return super().leaving(tokens, value, time + 1)


class ReservingTests(TokenGame):
    """Two test arcs need two tokens."""

    def passes_tests(self, element, before, rest, time):
        together: dict[str, list] = {}
        for place, needed in element.tests:
            together.setdefault(place, []).extend(needed.elements())
        return all(
            len(self.leaving(rest[place], value, time)) >= tokens.count(value)
            for place, tokens in together.items()
            for value in tokens
        )


class TestsThatShare(TokenGame):
    """A test arc is content with a token that is taken."""

    __test__ = False  # the name is not meant for pytest

    def passes_tests(self, element, before, rest, time):
        return super().passes_tests(element, before, before, time)


class LateInhibitors(TokenGame):
    """Inhibitor arcs look at what is left when tokens have been taken."""

    def is_inhibited(self, element, before, rest):
        return super().is_inhibited(element, rest, rest)


class RoomForOneMore(TokenGame):
    """A place holds one token more than its capacity."""

    def is_overfull(self, tokens, capacity):
        return super().is_overfull(tokens, capacity + 1)


class NoResets(TokenGame):
    """Reset arcs do nothing."""

    def occur(self, element, before, time):
        return super().occur(replace(element, resets=set()), before, time)


class Unfused(TokenGame):
    """Ports of the modules inside modules are places of their own."""

    def _add(self, whole: NetSketch, net: NetSketch, prefix: str, ports: dict[str, str]) -> None:
        super()._add(whole, net, prefix, {} if "." in prefix.rstrip(".") else ports)


def net_of(*arcs: ArcSketch, initial: tuple[tuple[int, int], ...] = ((0, 0),), timed: bool = False) -> NetSketch:
    """A net with one transition between two places of numbers, of which the first holds tokens."""
    variables = {name: NUMBER for arc in arcs for text in arc.expressions() for name in text if name in "nk"}
    places = (
        PlaceSketch("A", NUMBER, timed, initial),
        PlaceSketch("B", NUMBER, timed, capacity=1),
    )
    return NetSketch("net", places, (TransitionSketch("T", arcs, variables),))


def arc(kind: str, place: str, *tokens: str) -> ArcSketch:
    return ArcSketch(kind, place, tuple(map(Term, tokens)) if tokens else None)


SOCKETS = {"X": "A", "Y": "B"}
PORTS = tuple(PlaceSketch(name, NUMBER, port="inout") for name in "XY")
INNER = NetSketch(
    "Inner", PORTS, (TransitionSketch("T", (arc("take", "X", "n"), arc("put", "Y", "n")), {"n": NUMBER}),)
)
OUTER = NetSketch("Outer", PORTS, (), (Use("In", "Inner", {"X": "X", "Y": "Y"}),))

# For every fault a net on which it shows.
BROKEN: dict[type[TokenGame], NetSketch] = {
    OldestFirst: net_of(arc("take", "A", "n", "2"), initial=((0, 0), (0, 1), (2, 1)), timed=True),
    EarlyTokens: net_of(arc("take", "A", "n"), initial=((0, 0), (1, 1)), timed=True),
    ReservingTests: net_of(arc("test", "A", "n"), arc("test", "A", "k"), arc("put", "B", "n")),
    TestsThatShare: net_of(arc("take", "A", "n"), arc("test", "A", "n")),
    LateInhibitors: net_of(arc("take", "A", "n"), arc("inhibit", "A", "n", "n"), initial=((0, 0), (0, 0), (1, 0))),
    RoomForOneMore: net_of(arc("take", "A", "n"), arc("put", "B", "n"), initial=((0, 0), (1, 0))),
    NoResets: net_of(arc("take", "A", "n"), arc("reset", "A"), initial=((0, 0), (1, 0))),
    Unfused: replace(net_of(), transitions=(), uses=(Use("Out", "Outer", SOCKETS),), modules=(INNER, OUTER)),
}


@pytest.mark.parametrize("fault", BROKEN, ids=lambda fault: fault.__name__)
def test_a_broken_game_is_rejected(fault: type[TokenGame]) -> None:
    drawn = DrawnNet(BROKEN[fault], None, "bool")
    markings, _ = play(drawn)
    assert markings > 1 or fault is TestsThatShare
    with pytest.raises(Disagreement):
        play(Player(drawn, fault))


@pytest.mark.skipif(os.environ.get("SWEEPCHECK_SLOW") != "1", reason="takes minutes")
@pytest.mark.parametrize("fault", BROKEN, ids=lambda fault: fault.__name__)
def test_random_nets_find_a_broken_game(fault: type[TokenGame]) -> None:
    kind = {OldestFirst: "timed", EarlyTokens: "timed", Unfused: "modules"}.get(fault, "plain")

    @settings(max_examples=3000, phases=[Phase.generate], report_multiple_bugs=False)
    @given(NETS[kind])
    def examples(drawn: DrawnNet) -> None:
        play(Player(drawn, fault), most=10)

    with pytest.raises(Disagreement):
        examples()


# -- the nets themselves ---------------------------------------------------------------------------------------------

WANTED = {
    "plain": [
        *(".test(", ".inhibit()", ".inhibit('", ".reset()", " ++ ", "2*(", " if ", "lambda ", "capacity=", "fusion="),
        *("guard='", "guard=[", "let=", "free=", "_", "Pair(", "Message.data(", "*tail", "Letter.A", "{}"),
        *(" == ", "1 + "),
    ],
    "timed modules": [
        *("net.substitution('U2'", "'Inner', Low", "port='inout'", "port='out'"),
        *("colours.timed(", "@+", "delay=", "at(2, "),
    ],
}


class Complete(Exception):
    """Nothing is missing any more."""


@pytest.mark.parametrize("kind", WANTED)
def test_random_nets_have_everything(kind: str) -> None:
    missing = set(WANTED[kind])

    # Until all was there: some of it is drawn rarely, and what is drawn depends on which modules are loaded.
    @settings(max_examples=3000, phases=[Phase.generate], derandomize=True)
    @given(NETS[kind])
    def examples(drawn: DrawnNet) -> None:
        text = drawn.text.split("\n\n", 1)[1]  # without the colours, which are the same in all
        missing.difference_update([wanted for wanted in missing if wanted in text])
        assert drawn.text in repr(drawn)
        if not missing:
            raise Complete

    with pytest.raises(Complete):
        examples()


def test_random_nets_measure_what_they_have() -> None:
    """A net that may have time need not have drawn a timed place; then there is no clock to measure."""
    clocks: list[bool] = []

    @settings(max_examples=40, phases=[Phase.generate], derandomize=True)
    @given(nets(timed=True, order="number"))
    def examples(drawn: DrawnNet) -> None:
        system = adopt(drawn.case().model)
        clocks.append("clock" in system.variables)
        for function in (system.measure.function, drawn.case().predicate):
            function(system.view(system.initial_states()[0]))

    examples()
    assert {True, False} == {*clocks}
