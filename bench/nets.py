"""The workloads that there are as coloured nets too: the same systems, with the same states and edges."""

from __future__ import annotations

from bench.models import example
from sweepcheck import Net


def philosophers(n=12):
    """See `models.philosophers`: a token for each philosopher and each fork."""
    net = Net("philosophers", n=n)
    seats = range(n)
    thinking, fork = net.place("Thinking", seats, seats), net.place("Fork", seats, seats)
    hungry, eating, leaving = (net.place(name, seats) for name in ("Hungry", "Eating", "Leaving"))
    net.transition("TakeLeft", thinking.take("i"), fork.take("i"), hungry.put("i"))
    net.transition("TakeRight", hungry.take("i"), fork.take("(i + 1) % n"), eating.put("i"))
    net.transition("PutLeft", eating.take("i"), fork.put("i"), leaving.put("i"))
    net.transition("PutRight", leaving.take("i"), fork.put("(i + 1) % n"), thinking.put("i"))
    return net


def stop_and_wait(packets=20, capacity=3):
    """See examples/stop_and_wait.py; room in the network is a place."""
    net = Net("stop-and-wait", packets=packets)
    number = range(1, packets + 2)
    sender, receiver = net.place("Sender", number, [1]), net.place("Receiver", number, [1])
    data, acks, room = net.place("Data", number), net.place("Acks", number), net.place("Room", initial=capacity)
    net.transition("Send", sender.test("n"), room.take("()"), data.put("n"), guard="n <= packets")
    net.transition(
        "Receive",
        data.take("n"), receiver.take("r"), receiver.put("k"), acks.put("k"),
        let={"k": "r + 1 if n == r else r"},
    )  # fmt: skip
    net.transition("ReceiveAck", acks.take("n"), sender.take("s"), sender.put("max(s, n)"), room.put())
    net.transition("LosePacket", data.take("n"), room.put())
    net.transition("LoseAck", acks.take("n"), room.put())
    net.progress(lambda m: (m.Sender.token, m.Receiver.token))
    return net


def communication_protocol(packets=10, capacity=3):
    """See examples/communication_protocol_net.py."""
    return example("communication_protocol_net")(packets, capacity)
