"""The communication protocol of paper 4 as a hierarchical net: the network is one module, used twice.

                Data (Network)
             /                  \\
    Sender                        Receiver
             \\                  /
                Acks (Network)

Each instance of `Network` has places and transitions of its own, called `Data.Transmit` and `Acks.Transmit`. What the
two share is room for `capacity` packets and acknowledgements: a place of the fusion set `Room`, which is one place in
all modules that name it.

    sweepcheck explore examples/communication_protocol_net.py -p packets=20 -p capacity=3
    sweepcheck check examples/communication_protocol_net.py --keep-going

The first counts the states, edges and peak of the paper's table 1, and those of examples/communication_protocol.py,
which is the same system with actions instead of transitions. The second decides the paper's properties: P1 and P2 hold,
P3 is violated.
"""

from sweepcheck import Net


def communication_protocol_net(packets=10, capacity=3, expected_only=False):
    """`packets` data packets, at most `capacity` packets and acknowledgements under way.

    With `expected_only` the receiver acknowledges only the packet it expects, and the protocol can get stuck.
    """
    number = range(1, packets + 2)
    net = Net("communication protocol")
    data_out, data_in = net.place("DataOut", number), net.place("DataIn", number)
    ack_out, ack_in = net.place("AckOut", number), net.place("AckIn", number)
    network = network_module(number, capacity)
    net.substitution("Sender", sender_module(number, capacity, packets), Data=data_out, Acks=ack_in)
    net.substitution("Data", network, In=data_out, Out=data_in)
    net.substitution("Acks", network, In=ack_out, Out=ack_in)
    net.substitution("Receiver", receiver_module(number, capacity, expected_only), Data=data_in, Acks=ack_out)

    net.progress(
        lambda m: (m.Sender.Started.token, m.Sender.NextSend.token, m.Receiver.NextRec.token),
        span=((True, 1, 1), (True, packets + 1, packets + 1)),
    )
    net.invariant(
        "receiver never behind sender", lambda m: m.Receiver.NextRec.token - m.Sender.NextSend.token in (0, 1)
    )
    net.deadlock(final=lambda m: m.Sender.NextSend.token > packets)
    net.always_possible("all received", lambda m: m.Receiver.NextRec.token > packets)
    net.always_eventually(
        "packet sent or all received", lambda m: len(m.DataOut) > 0 or m.Receiver.NextRec.token > packets
    )
    net.always_eventually("acknowledgement sent", lambda m: len(m.AckOut) > 0)
    return net


def sender_module(number, capacity, packets):
    """Sends the packet whose number is wanted, as often as there is room."""
    net = Net("sender", packets=packets)
    started = net.place("Started", bool, [False])
    next_send = net.place("NextSend", number, [1])
    room = net.place("Room", initial=capacity, fusion="Room")
    data, acks = net.place("Data", number, port="out"), net.place("Acks", number, port="in")
    net.transition("Start", started.take("False"), started.put("True"))
    net.transition(
        "SendPacket", started.test("True"), next_send.test("n"), room.take("()"), data.put("n"), guard="n <= packets"
    )
    net.transition("ReceiveAck", acks.take("n"), next_send.take("s"), next_send.put("max(s, n)"), room.put("()"))
    return net


def network_module(number, capacity):
    """Carries what it gets, in any order, or loses it."""
    net = Net("network")
    room = net.place("Room", initial=capacity, fusion="Room")
    here, there = net.place("In", number, port="in"), net.place("Out", number, port="out")
    net.transition(
        "Transmit",
        here.take("n"), there.put("n if arrives else {}"), room.put("{} if arrives else ()"),
        free={"arrives": bool},
    )  # fmt: skip
    return net


def receiver_module(number, capacity, expected_only):
    """Answers with the number it wants next."""
    net = Net("receiver", expected_only=expected_only)
    next_rec = net.place("NextRec", number, [1])
    room = net.place("Room", initial=capacity, fusion="Room")
    data, acks = net.place("Data", number, port="in"), net.place("Acks", number, port="out")
    net.transition(
        "ReceivePacket",
        data.take("n"), next_rec.take("r"), next_rec.put("k"),
        acks.put("k if n == r or not expected_only else {}"),
        room.put("{} if n == r or not expected_only else ()"),
        let={"k": "r + 1 if n == r else r"},
    )  # fmt: skip
    return net
