"""State spaces counted again: the systems of the table on bare tuples, with nothing of the package in it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import comb

Successors = Callable[[tuple], list[tuple]]


@dataclass(frozen=True)
class Counted:
    """A whole state space: for every state its successors, one for each edge."""

    graph: dict[tuple, list[tuple]]

    @property
    def states(self) -> int:
        return len(self.graph)

    @property
    def edges(self) -> int:
        return sum(map(len, self.graph.values()))

    def peak(self, measure: Callable[[tuple], object]) -> int:
        """The most states that a sweep with deletion after every layer stores.

        At the end of a layer these are the layer itself and all states ahead that an edge from the layer or from
        an earlier one leads to.
        """
        first_found = {state: measure(state) for state in self.graph}
        for state, targets in self.graph.items():
            for target in targets:
                first_found[target] = min(first_found[target], measure(state))
        values = {measure(state) for state in self.graph}
        return max(sum(first_found[state] <= v <= measure(state) for state in self.graph) for v in values)


def count(initial: tuple, successors: Successors) -> Counted:
    graph: dict[tuple, list[tuple]] = {}
    waiting = [initial]
    while waiting:
        state = waiting.pop()
        if state not in graph:
            graph[state] = successors(state)
            waiting += graph[state]
    return Counted(graph)


def without(tokens: tuple, token: object) -> tuple:
    index = tokens.index(token)
    return tokens[:index] + tokens[index + 1 :]


@cache
def stop_and_wait(packets: int, capacity: int) -> Counted:
    def successors(state: tuple) -> list[tuple]:
        sender, receiver, data, acks = state
        found = []
        if sender <= packets and len(data) + len(acks) < capacity:
            found.append((sender, receiver, tuple(sorted((*data, sender))), acks))
        for packet in set(data):
            wanted = receiver + (packet == receiver)
            found.append((sender, wanted, without(data, packet), tuple(sorted((*acks, wanted)))))
            found.append((sender, receiver, without(data, packet), acks))
        for ack in set(acks):
            found.append((max(sender, ack), receiver, data, without(acks, ack)))
            found.append((sender, receiver, data, without(acks, ack)))
        return found

    return count((1, 1, (), ()), successors)


@cache
def leader_election(identities: tuple[int, ...]) -> Counted:
    n = len(identities)

    def step(state: tuple, i: int, receives: bool) -> tuple:
        awake, leader, inboxes = list(state[0]), state[1], [list(box) for box in state[2]]
        mine, message = identities[i], None
        if receives:
            message = inboxes[i].pop(0)
        if message == mine:
            leader = mine
        elif message is not None and message > mine:
            inboxes[(i + 1) % n].append(message)
        elif not awake[i]:
            inboxes[(i + 1) % n].append(mine)
        awake[i] = True
        return tuple(awake), leader, tuple(map(tuple, inboxes))

    def successors(state: tuple) -> list[tuple]:
        woken = [step(state, i, False) for i in range(n) if not state[0][i]]
        return woken + [step(state, i, True) for i in range(n) if state[2][i]]

    return count(((False,) * n, None, ((),) * n), successors)


def journeys(identities: tuple[int, ...]) -> Callable[[tuple], int]:
    """The progress measure of the leader election, on bare tuples."""
    n = len(identities)

    def measure(state: tuple) -> int:
        total = 0
        for start in range(n):
            where = [box for box in range(n) if identities[start] in state[2][box]]
            if where:
                total += (where[0] - start - 1) % n + 1
            elif state[0][start]:
                total += n + 1
        return total

    return measure


def philosophers(n: int, left_handed: bool) -> tuple[int, int]:
    """States and edges: all words over thinking, waiting and eating in which no fork is held twice.

    Every such word is reachable: first those who eat take their forks, then those who wait take one.
    """

    def forks(i: int) -> tuple[int, int]:
        return ((i + 1) % n, i) if left_handed and i == n - 1 else (i, (i + 1) % n)

    states = edges = 0
    for word in product(range(3), repeat=n):  # how many forks each one holds
        held = [fork for i, holds in enumerate(word) for fork in forks(i)[:holds]]
        if len(held) == len(set(held)):
            states += 1
            edges += sum(holds == 2 or forks(i)[holds] not in held for i, holds in enumerate(word))
    return states, edges


def layer_sizes(counters: int, top: int) -> list[int]:
    """How many states of a counter grid have each sum, by inclusion and exclusion."""
    return [
        sum(
            (-1) ** j * comb(counters, j) * comb(total - j * (top + 1) + counters - 1, counters - 1)
            for j in range(total // (top + 1) + 1)
        )
        for total in range(counters * top + 1)
    ]


def stop_and_wait_net(packets: int) -> Counted:
    """The protocol of papers 0 and 1, with three buffers each way."""

    def successors(state: tuple) -> list[tuple]:
        send, frame, receive, *ring = state
        found = []
        if frame == 0:
            found.append((send, 1, receive, *ring))
        elif ring[0] is None:
            found.append((send, frame, receive, frame, *ring[1:]))
        for hop in (0, 1, 3, 4):
            if ring[hop] is not None and ring[hop + 1] is None:
                gone = [*ring[:hop], None, *ring[hop + 1 :]]
                found += [(send, frame, receive, *gone), (send, frame, receive, *gone)]
                found[-1] = (*found[-1][: hop + 4], ring[hop], *found[-1][hop + 5 :])
        if ring[2] is not None and ring[3] is None:
            wanted = receive + (ring[2] == receive)
            found.append((send, frame, wanted, *ring[:2], None, wanted, *ring[4:]))
        if ring[5] is not None:
            moved = ring[5] == send + 1
            frame = ring[5] if moved and ring[5] <= packets else frame
            found.append((send + moved, frame, receive, *ring[:5], None))
        return found

    return count((1, 0, 1, *[None] * 6), successors)


def sliding_window(packets: int, window: int, modulus: int, overtaking: int) -> Counted:
    """Packets by their index; whoever compares two of them compares remainders."""

    def successors(state: tuple) -> list[tuple]:
        first, send, receive, failed, data, ack = state  # a way: what is in its first and its second buffer
        found = []
        if data[0] is None and send < packets and send - first < window:
            found.append((first, send + 1, receive, failed, ((send, 0), data[1]), ack))
        if data[0] is None and first != send:
            found.append((first, send, receive, failed, ((first, 0), data[1]), ack))
        if ack[1] is not None:
            steps = (ack[1][0] - first) % modulus
            found.append((first + steps * (steps <= send - first), send, receive, failed, data, (ack[0], None)))
        found += [(first, send, receive, failed, way, ack) for way in network(data)]
        found += [(first, send, receive, failed, data, way) for way in network(ack)]
        if data[1] is not None and ack[0] is None:
            arrived = data[1][0]
            accepted = (arrived - receive) % modulus == 0
            if not (accepted and failed):
                wanted, wrong = receive + accepted, failed or (accepted and arrived != receive)
                answer = ((wanted % modulus, 0), ack[1])
                found.append((first, send, wanted, wrong, (data[0], None), answer))
        return found

    def network(way: tuple) -> list[tuple]:
        near, far = way
        if near is None:
            return []
        found = [(None, far)]
        if far is None:
            found.append((None, near))
        elif far[1] < overtaking:
            found.append(((far[0], far[1] + 1), near))
        return found

    return count((0, 0, 0, False, (None, None), (None, None)), successors)


def resource_allocation(r: int, s: int, t: int) -> Counted:
    """Two processes of kind p and three of kind q; a state is what each place holds, p and q apart."""
    costs = {  # at each step: what p takes of r, s and t, and what q takes
        "T2": ((0, 2, 0), (0, 1, 0)),
        "T3": ((0, 0, 1), (-1, 0, 1)),
        "T4": ((0, 0, 1), (0, 0, 0)),
        "T5": ((0, -2, -2), (0, -2, -1)),
    }

    def successors(state: tuple) -> list[tuple]:
        places, free = state
        moves = [("q", 0, 1, (1, 1, 0))]
        for at, (of_p, of_q) in enumerate(costs.values(), start=1):
            moves += [("p", at, 1 if at == 4 else at + 1, of_p), ("q", at, 0 if at == 4 else at + 1, of_q)]
        found = []
        for kind, source, target, cost in moves:
            left = tuple(have - take for have, take in zip(free, cost, strict=True))
            if (kind, source) in places and min(left) >= 0:
                moved = list(places)
                moved.remove((kind, source))
                found.append((tuple(sorted([*moved, (kind, target)])), left))
        return found

    return count(((("p", 1), ("p", 1), ("q", 0), ("q", 0), ("q", 0)), (r, s, t)), successors)
