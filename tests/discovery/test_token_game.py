"""Firing backwards finds every transition that led to a marking, and samples have reachable markings alone."""

from array import array
from random import Random

import pytest

from sweepcheck.core.counting import ArcKind, CountNet
from sweepcheck.discovery.sample import particles, walked
from sweepcheck.discovery.token_game import Counts, TokenGame

SEEDS = range(60)


def drawn(seed: int) -> TokenGame:
    """A net of five places, with weights and inhibitors."""
    random, arcs = Random(seed), array("I")
    transitions = random.randint(2, 6)
    for transition in range(transitions):
        for kind, least in ((ArcKind.TAKE, 1), (ArcKind.PUT, 0)):
            for place in sorted(random.sample(range(5), random.randint(least, 2))):
                arcs.extend((transition, kind, place, random.choice([1, 1, 2])))
        if random.random() < 0.3:
            arcs.extend((transition, ArcKind.INHIBIT, random.randrange(5), random.randint(1, 2)))
    initial = tuple(random.randint(0, 2) for _ in range(5))
    return TokenGame(CountNet(tuple("abcde"), initial, range(transitions), arcs.tobytes()))


def reached(game: TokenGame, most: int = 300) -> dict[Counts, set[tuple[int, Counts]]]:
    """Markings with what led to them."""
    found: dict[Counts, set[tuple[int, Counts]]] = {game.initial: set()}
    waiting = [game.initial]
    while waiting and len(found) < most:
        counts = waiting.pop(0)
        for number, after in game.successors(counts):
            if after not in found:
                waiting.append(after)
            found.setdefault(after, set()).add((number, counts))
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_no_transition_that_led_to_a_marking_is_missed(seed: int) -> None:
    game = drawn(seed)
    for counts, sources in reached(game).items():
        told = game.predecessors(counts, known=0)
        assert {number for number, _ in sources} <= set(told)
        for number in told:
            before = list(counts)
            for place, d in game.deltas[number]:
                before[place] -= d
            assert (number, counts) in set(game.successors(tuple(before)))


@pytest.mark.parametrize("seed", SEEDS)
def test_places_seen_together_leave_no_real_predecessor_out(seed: int) -> None:
    game = drawn(seed)
    found = reached(game)
    for counts in found:
        game.see(counts)
    everything = (1 << 5) - 1
    for counts, sources in found.items():
        if all(before in found for _, before in sources):
            assert {number for number, _ in sources} <= set(game.predecessors(counts, everything))


@pytest.mark.parametrize("seed", range(10))
def test_samples_are_reachable_and_the_same_again(seed: int) -> None:
    game = drawn(seed)
    found = set(reached(game, 5000))
    if len(found) < 5000:
        assert set(walked(game, 200, Random(1))) <= found
        assert {counts for _, counts in particles(game, [game.initial], 10, 20, Random(1))} <= found
    assert particles(drawn(seed), [game.initial], 10, 20, Random(1)) == particles(
        drawn(seed), [game.initial], 10, 20, Random(1)
    )
