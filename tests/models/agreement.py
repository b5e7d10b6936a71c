"""A net played twice: by the model that engines run, and by the token game. They must agree on every marking."""

from collections import Counter
from typing import Any

from token_game import Label, Marking, TokenGame

from sweepcheck.core import model as core
from sweepcheck.models.adoption import adopt
from sweepcheck.testing.random_nets import DrawnNet


class Disagreement(AssertionError):
    """The model and the game do not have the same moves."""


class Player:
    """A net on both sides, and the states of the model by their markings."""

    def __init__(self, drawn: DrawnNet, game: type[TokenGame] = TokenGame) -> None:
        self.model: Any = adopt(drawn.case().model)
        self.game = game(drawn.sketch)
        self.states: dict[Marking, core.State] = {}

    def marking(self, state: core.State) -> Marking:
        """A state of the model as the game writes it down; no other state is written like it."""
        described = self.model.describe(state)
        clock = described.pop("clock", 0)
        found = set()
        for place, tokens in described.items():
            for token, number in tokens.items():
                stamped = (token.token, token.time) if self.model.kinds[place] == "timed" else (token, 0)
                found.add((place, stamped, number))
        marking = Marking(clock, frozenset(found))
        if self.states.setdefault(marking, state) != state:
            raise Disagreement(f"two states for {marking}: {state}, {self.states[marking]}")
        return marking


def written(label: core.Label) -> Label:
    """A label of the model as the game writes it down."""
    named = frozenset((name, value) for name, value in label.arguments if name is not None)
    unnamed = Counter(value for name, value in label.arguments if name is None)
    return label.action, named, frozenset(unnamed.items())


def play(drawn: DrawnNet | Player, most: int = 25) -> tuple[int, int]:
    """Walk through up to so many markings, breadth first; how many there were, and how many edges they have."""
    player = drawn if isinstance(drawn, Player) else Player(drawn)
    waiting = [player.marking(state) for state in player.model.initial_states()]
    if waiting != [player.game.initial()]:
        raise Disagreement(f"initial marking\n  model {waiting}\n  game  {player.game.initial()}")
    edges = 0
    for marking in waiting:  # grows while it is walked
        found = player.model.edges(player.states[marking])
        ours = Counter((written(edge.label), player.marking(edge.target)) for edge in found)
        theirs = Counter(player.game.edges(marking))
        if ours != theirs:
            raise Disagreement(f"{marking}\n  only the model {ours - theirs}\n  only the game  {theirs - ours}")
        edges += len(found)
        waiting += [after for after in dict.fromkeys(after for _, after in ours) if after not in waiting]
        del waiting[most:]
    return len(waiting), edges
