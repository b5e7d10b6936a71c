"""A sweep-line model checker on one page, to be read from top to bottom.

It does what sweepcheck does, with nothing taken away but speed, comfort and good manners: it explores every
reachable state, checks a predicate in each, forgets the states behind the sweep, refuses a wrong progress measure, and
still finds its way back to the start when it has bad news.

    python toy_sweep.py
"""

from collections import deque
from typing import NamedTuple


class Result(NamedTuple):
    """What a sweep found: the counts, and the steps to a bad state (None if there is no bad state)."""

    states: int
    edges: int
    peak: int
    trace: list | None


def sweep(initial, successors, progress, bad, watch=None):
    """Explore everything reachable from `initial`, least progress first.

    `successors(state)` lists pairs (label, state); `progress(state)` never goes down along them; `bad(state)` is what
    must not happen. `watch` is told after every layer how many states are stored.
    """
    stored = {}  # progress value -> the states of this layer, each with its number; these are all we remember
    waiting = {}  # progress value -> the states of this layer whose successors are not yet known
    parents = []  # for state number n: the number of the state it was found from, and which edge led here
    edges = peak = 0

    def found(state, parent, edge):
        """Store a new state, and note where it came from. (The real one writes this note to a file.)"""
        stored.setdefault(progress(state), {})[state] = len(parents)
        waiting.setdefault(progress(state), deque()).append(state)
        parents.append((parent, edge))

    def total():
        return sum(map(len, stored.values()))

    def trace_to(number):
        """The way to a state: follow the notes back to the start, then replay the edges forward."""
        path = []
        while number != 0:
            number, edge = parents[number]
            path.append(edge)
        steps, state = [], initial
        for edge in reversed(path):
            label, state = successors(state)[edge]
            steps.append((label, state))
        return steps

    found(initial, 0, 0)
    if bad(initial):
        return Result(1, 0, 1, [])
    while waiting:
        value = min(waiting)  # the layer with the least progress: the sweep line stands here
        while waiting[value]:
            state = waiting[value].popleft()
            number = stored[value][state]
            for edge, (label, successor) in enumerate(successors(state)):
                edges += 1
                if progress(successor) < value:
                    raise ValueError(f"progress went down: {state} -{label}-> {successor}")
                if successor not in stored.get(progress(successor), {}):
                    found(successor, number, edge)
                    if bad(successor):
                        return Result(len(parents), edges, max(peak, total()), trace_to(len(parents) - 1))
        peak = max(peak, total())
        if watch is not None:
            watch(value, total())
        # The layer is done. All waiting states have more progress, and no step loses any: nothing that is still to
        # come can lead back here, so nobody will ever ask again whether a state of this layer was seen before.
        del waiting[value], stored[value]
    return Result(len(parents), edges, peak, None)


# -- a system to sweep through -----------------------------------------------------------------------------------------

PACKETS = 6
EMPTY = 0


class State(NamedTuple):
    """A sender and a receiver, and one place for a packet and one for an acknowledgement between them."""

    sender: int = 1  # the packet being sent
    receiver: int = 1  # the packet wanted next
    packet: int = EMPTY
    ack: int = EMPTY


def successors(s):
    """Every step that can be taken, with its name."""
    steps = []
    if s.sender <= PACKETS and s.packet == EMPTY:
        steps.append(("send", s._replace(packet=s.sender)))
    if s.packet != EMPTY:
        wanted = s.receiver + (s.packet == s.receiver)
        steps.append(("lose packet", s._replace(packet=EMPTY)))
        if s.ack == EMPTY:
            steps.append(("receive packet", s._replace(receiver=wanted, packet=EMPTY, ack=wanted)))
    if s.ack != EMPTY:
        steps.append(("lose ack", s._replace(ack=EMPTY)))
        steps.append(("receive ack", s._replace(sender=max(s.sender, s.ack), ack=EMPTY)))
    return steps


def progress(s):
    """How far the two are. Neither ever goes back."""
    return s.sender, s.receiver


def main():
    """Sweep, and draw one line per layer: how many states are stored when the layer is done."""
    bar = "{}  {:3} stored  {}".format
    result = sweep(
        State(), successors, progress, lambda s: s.sender > s.receiver, lambda v, n: print(bar(v, n, "#" * n))
    )
    print(f"{result.states} states, {result.edges} edges, never more than {result.peak} stored at once")
    result = sweep(State(), successors, progress, lambda s: s.receiver == 3)
    print("how packet 2 is received:", ", ".join(label for label, _ in result.trace))


if __name__ == "__main__":
    main()
