"""A sliding window over a network that loses packets and lets them overtake: how large must the numbers be?

Paper 0, section 2, describes such a protocol and prints its figures but not its net; this net is our own. Packets are
numbered modulo `modulus`. Beside each number the net keeps its generation, how often the numbers have started again: a
packet is a pair (generation, number). The protocol itself never looks at generations, so the receiver may accept a
packet that only looks like the one it waits for; then the place `Failure` is marked. Progress is the pair waited for.

    sweepcheck check examples/sliding_window.py

has a window of 2 and numbers modulo 5, which is safe.

    sweepcheck check examples/sliding_window.py -p modulus=4 --property "no failure"

has one number less. An old acknowledgement, overtaken by a newer one, is taken for one that is newer still; the sender
goes ahead, and the receiver accepts the wrong packet.

    sweepcheck check examples/sliding_window.py -p modulus=3 -p overtaking=0

shows that where nothing is overtaken, one number more than the window holds is enough.

    sweepcheck check examples/sliding_window.py -p packets=0
    sweepcheck check examples/sliding_window.py -p packets=0 -p modulus=4

have no last packet: packets and generations go on for ever. What the protocol does depends on how far the generations
are apart, never on how many there were; the sweep stops where it comes to a state that it has met before but for that.
"""

from sweepcheck import Bag, Net


def sliding_window(packets=10, window=2, modulus=5, overtaking=1):
    """At most `window` packets unacknowledged, each message overtaken at most `overtaking` times; 0 packets: no end."""

    def index(pair):
        generation, number = pair
        return generation * modulus + number

    def later(pair, steps=1):
        return divmod(index(pair) + steps, modulus)

    end = packets or float("inf")
    names = {"end": end, "window": window, "modulus": modulus, "overtaking": overtaking}
    names |= {"index": index, "later": later}
    generation = range(packets // modulus + 1) if packets else int
    pair, times = (generation, range(modulus)), range(overtaking + 1)
    data, ack = (pair, times), (range(modulus), times)  # messages, with how often they have been overtaken

    net = Net("sliding window")
    data_out, data_in = (net.place(name, data, capacity=1) for name in ("DataOut", "DataIn"))
    ack_out, ack_in = (net.place(name, ack, capacity=1) for name in ("AckOut", "AckIn"))
    net.substitution("Sender", sender_module(names, pair, data, ack), Data=data_out, Acks=ack_in)
    net.substitution(
        "Network", network_module(names, data, ack), DataOut=data_out, DataIn=data_in, AckOut=ack_out, AckIn=ack_in
    )
    net.substitution("Receiver", receiver_module(names, pair, data, ack), Data=data_in, Acks=ack_out)

    net.progress(lambda m: m.Receiver.NextRec.token)
    net.invariant("no failure", lambda m: len(m.Receiver.Failure) == 0)
    net.deadlock(final=lambda m: index(m.Sender.Unacknowledged.token) == end)
    if packets:
        net.always_possible("all received", lambda m: index(m.Receiver.NextRec.token) == end)
    else:
        net.cutoff(without_generations, when=lambda m: m.Receiver.NextRec.token[1] == 0)
    return net


def without_generations(m):
    """All that a marking says but in which generation it is: that of the pair waited for."""
    now, wanted = m.Receiver.NextRec.token

    def relative(pair):
        generation, number = pair
        return generation - now, number

    return (
        wanted,
        relative(m.Sender.Unacknowledged.token),
        relative(m.Sender.NextSend.token),
        Bag((relative(pair), times) for pair, times in m.DataOut),
        Bag((relative(pair), times) for pair, times in m.DataIn),
        m.AckOut,
        m.AckIn,
        len(m.Receiver.Failure),
    )


def sender_module(names, pair, data, ack):
    """Sends what the window allows, and the first unacknowledged packet as often as it likes."""
    net = Net("sender", **names)
    first = net.place("Unacknowledged", pair, [(0, 0)])
    next_send = net.place("NextSend", pair, [(0, 0)])
    out, acks = net.place("Data", data, port="out"), net.place("Acks", ack, port="in")
    net.transition(
        "Send",
        first.test("u"), next_send.take("n"), next_send.put("later(n)"), out.put("(n, 0)"),
        guard="index(n) < end and index(n) - index(u) < window",
    )  # fmt: skip
    net.transition("Resend", first.test("u"), next_send.test("n"), out.put("(u, 0)"), guard="u != n")
    net.transition(
        "ReceiveAck",  # the number wanted next: all before it have arrived, unless the acknowledgement is an old one
        acks.take("(a, _)"), first.take("u"), next_send.test("n"),
        first.put("later(u, steps) if steps <= index(n) - index(u) else u"),
        let={"steps": "(a - index(u)) % modulus"},
    )  # fmt: skip
    return net


def network_module(names, data, ack):
    """One way for packets and one for acknowledgements."""
    net = Net("network")
    data_out, ack_out = net.place("DataOut", data, port="inout"), net.place("AckOut", ack, port="inout")
    data_in, ack_in = net.place("DataIn", data, port="inout"), net.place("AckIn", ack, port="inout")
    net.substitution("Data", way_module(names, data), Out=data_out, In=data_in)
    net.substitution("Acks", way_module(names, ack), Out=ack_out, In=ack_in)
    return net


def way_module(names, message):
    """Carries messages from one buffer to the other, loses them, or lets one overtake the one before it."""
    net = Net("way", **names)
    here, there = net.place("Out", message, port="inout"), net.place("In", message, port="inout")
    net.transition("Transmit", here.take("x"), there.put("x"))
    net.transition("Lose", here.take("x"))
    net.transition(
        "Overtake",
        here.take("x"), there.take("(y, times)"), there.put("x"), here.put("(y, times + 1)"),
        guard="times < overtaking",
    )  # fmt: skip
    return net


def receiver_module(names, pair, data, ack):
    """Accepts the packet whose number it waits for, and answers every packet with the number it wants next."""
    net = Net("receiver", **names)
    next_rec, failure = net.place("NextRec", pair, [(0, 0)]), net.place("Failure")
    arrived, acks = net.place("Data", data, port="in"), net.place("Acks", ack, port="out")
    net.transition(
        "Accept",  # equal numbers n; it is right when the generations g and h are equal too
        arrived.take("((g, n), _)"), next_rec.take("(h, n)"), failure.inhibit(),
        next_rec.put("later((h, n))"), acks.put("((n + 1) % modulus, 0)"), failure.put("{} if g == h else ()"),
    )  # fmt: skip
    net.transition("Reject", arrived.take("((_, k), _)"), next_rec.test("(_, n)"), acks.put("(n, 0)"), guard="k != n")
    return net
