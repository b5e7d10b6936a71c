"""Networks mean what CSP's definitions say: random compositions against explicit products."""

import pytest
from hypothesis import given, settings
from naive_product import explicit, reachable_steps

from sweepcheck import LTS, Network, SweepcheckError, check, deadlock, explore, parallel
from sweepcheck.testing.random_networks import networks


def found_steps(network):
    """All steps of a network, by event; events that only differ in where they come from count once."""
    event_of = {action.name: action.rule.event for action in network.actions}
    assert len(event_of) == len(network.actions), "labels tell events apart"
    steps, unseen = set(), list(network.initial_states())
    seen = set(unseen)
    while unseen:
        state = unseen.pop()
        edges = network.edges(state)
        assert len(set(edges)) == len(edges)
        for label, target in edges:
            steps.add((state, event_of[label.action], target))
            if target not in seen:
                seen.add(target)
                unseen.append(target)
    return steps


@settings(max_examples=150, deadline=None)
@given(networks(3))
def test_a_network_does_what_the_operators_say(drawn):
    assert found_steps(drawn.network) == reachable_steps(explicit(drawn.description))


CELL = LTS([("empty", "put", "full"), ("full", "get", "empty")])


def test_shared_events_are_done_together_and_others_alone():
    buffer = Network("buffer", parallel(left=CELL.rename(get="mid"), right=CELL.rename(put="mid")))
    assert [(str(e.label), e.target) for e in buffer.edges(("full", "empty"))] == [("mid", ("empty", "full"))]
    assert [str(e.label) for e in buffer.edges(("full", "full"))] == ["get"]


def test_an_alphabet_can_refuse():
    gate = LTS([], "shut", alphabet=["put"])
    network = Network("gated", {"cell": CELL, "gate": gate})
    assert network.edges(network.initial_states()[0]) == ()
    assert network.alphabet == ("put", "get")


def test_hidden_events_cannot_be_joined_from_outside():
    inside = parallel(cell=CELL).hide("put")
    network = Network("hidden", parallel(inside, other=LTS([("x", "put", "y")])))
    assert [str(edge.label) for edge in network.edges(("empty", "x"))] == ["tau(put)", "put"]


def test_a_name_stands_for_all_events_that_continue_it():
    network = Network("wide", parallel(p=LTS([(0, "yes.1", 1), (1, "yes.2", 2), (2, "yesno", 0)])).hide("yes"))
    assert [action.name for action in network.actions] == ["tau(yes.1)", "tau(yes.2)", "yesno"]


def test_renaming_to_two_events_offers_both():
    network = Network("both", parallel(p=LTS([(0, "a", 1)])).rename({"a": ("b", "c")}))
    assert [str(edge.label) for edge in network.edges((0,))] == ["b", "c"]


def test_two_ways_to_one_event_are_two_edges():
    network = Network("twice", parallel(p=LTS([(0, "a", 0)]), q=LTS([(0, "b", 0)])).rename(a="e", b="e"))
    assert [str(edge.label) for edge in network.edges((0, 0))] == ["e(a)", "e(b)"]


@pytest.mark.parametrize("strategy", ["full", "column", "generalised"])
def test_very_wide_states(strategy):
    """Two hundred components in lock step: many words to a state, and more combinations than can be counted."""
    chain = LTS([(at, "all", at + 1) for at in range(4)])
    network = Network("wide", {f"p{i}": chain for i in range(200)})
    for engine in ("reference", "native"):
        numbers = explore(network, strategy=strategy, engine=engine).statistics
        assert (numbers.states, numbers.edges, numbers.dead_states) == (5, 4, 1)


def test_resting_components_are_no_deadlock():
    done = LTS([("busy", "work", "done")], final=["done"])
    stuck = LTS([("busy", "work", "done")])
    for engine in ("reference", "native"):
        assert check(Network("ends", {"p": done}), [deadlock()], engine=engine).exit_code == 0
        assert check(Network("ends", {"p": done, "q": stuck}), [deadlock()], engine=engine).exit_code == 1
    network = Network("ends", {"p": done})
    network.deadlock()
    assert check(network).exit_code == 0


def test_locations_may_be_numbers():
    network = Network("numbers", {"p": LTS([(0, "up", 1), (1, "up", 2)])})
    assert explore(network).statistics.states == 3


@pytest.mark.parametrize("members", [2, 6, 9])
def test_events_with_many_participants(members):
    """Nine participants with three locations each have thousands of combinations: no table is made of them."""

    def member(i):
        steps = [(at, f"step.{i}", (at + 1) % 3) for at in range(3)]
        return LTS([*steps, (0, "all", 1), (0, "all", 2), (1, "all", 1), (2, "all", 0)][: 7 if i < 3 else 6])

    network = Network("broadcast", {f"p{i}": member(i) for i in range(members)})
    found = [explore(network, strategy="full", engine=engine).statistics for engine in ("reference", "native")]
    assert found[0].states == 3**members
    one, other = ((numbers.states, numbers.edges, numbers.dead_states) for numbers in found)
    assert one == other
    assert found[1].table_bytes < 200_000


@pytest.mark.parametrize("strategy", ["sweep", "generalised", "column"])
def test_events_without_tables_move_what_their_participants_move(strategy):
    """Some go up, some go round, and one takes no part: what an event does to progress goes by who takes part."""

    def rises(i):
        return LTS([(at, event, to) for to in range(5) for at in range(to) for event in ("all", f"up.{i}")])

    def circles(i):
        return LTS(
            [(at, event, to) for at in range(4) for to in range(4) if to != at for event in ("all", f"round.{i}")]
        )

    odd = rises if strategy == "sweep" else circles
    members = {"p": rises(0), "q": odd(1), "r": rises(2), "s": odd(3)}  # at least ten ways for each
    network = Network("mixed", {**members, "apart": LTS([(0, "alone", 1)])})
    found = [explore(network, strategy=strategy, engine=engine).statistics for engine in ("reference", "native")]
    one, other = ((numbers.explored, numbers.edges, numbers.peak, numbers.dead_states) for numbers in found)
    assert one == other


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: LTS([(0, 1, 2)]), "SC610"),
        (lambda: LTS([([], "a", 2)]), "SC610"),
        (lambda: Network("n", {}), "SC611"),
        (lambda: Network("n", {"1a": CELL}), "SC611"),
        (lambda: parallel(CELL), "SC611"),
        (lambda: Network("n", parallel(parallel(a=CELL), a=CELL)), "SC611"),
        (lambda: Network("n", parallel(a=CELL).hide("pt")), "SC612"),
        (lambda: Network("n", parallel(a=CELL).rename(pt="x")), "SC612"),
    ],
)
def test_mistakes(make, code):
    with pytest.raises(SweepcheckError) as raised:
        make()
    assert raised.value.code == code
    assert raised.value.suggestion
