"""Nets with everything that can be drawn."""

from sweepcheck import Net, at, colours

Packet = colours.record("Packet", number=int, text=str)


def everything():
    """Every kind of arc, and all that a place and a transition can carry."""
    net = Net("everything", limit=3, Packet=Packet)
    a = net.place("A", range(5), [1, 1, 2], capacity=4)
    b = net.place("B", colours.timed(str), ["x", at(3, "y")])
    c = net.place("C")
    net.transition(
        "T",
        a.take("n"),
        b.put("k", delay="n"),
        c.test(),
        guard="n < limit and m > 1",
        let={"m": "n + 1"},
        free={"k": {"p", "q"}},
        delay=2,
    )
    net.transition("U", a.inhibit("n"), b.inhibit(), b.reset(), c.take("2*()"), free={"n": range(2)})
    return net


def channel(name="channel"):
    """A module with ports and a fusion place."""
    net = Net(name)
    source, target = net.place("From", Packet, port="in"), net.place("To", Packet, port="out")
    budget = net.place("Budget", port="inout")
    lost = net.place("Lost", Packet, fusion="Waste")
    net.transition("Transmit", source.take("p"), target.put("p"))
    net.transition("Lose", source.take("p"), budget.take("()"), lost.put("p"))
    return net


def protocol():
    """Three levels, two instances of the lowest module."""
    middle = Net("network")
    ends = {
        name: middle.place(name, Packet, port=port)
        for name, port in (("Out", "in"), ("There", "out"), ("Back", "in"), ("In", "out"))
    }
    budget = middle.place("Budget", port="inout")
    middle.substitution("Packets", channel(), From=ends["Out"], To=ends["There"], Budget=budget)
    middle.substitution("Acks", channel(), From=ends["Back"], To=ends["In"], Budget=budget)
    net = Net("protocol", Packet=Packet)
    a, b, c, d = (net.place(name, Packet) for name in "ABCD")
    losses = net.place("Losses", initial=2)
    send = net.place("Send", int, [1])
    net.transition("Send packet", send.take("n"), a.put("Packet(n, 'data')"))
    net.transition("Receive", b.take("Packet(n, _)"), c.put("Packet(n, 'ack')"))
    net.transition("Next", d.take("Packet(n, _)"), send.put("n + 1"), guard="n < 3")
    net.substitution("Network", middle, Out=a, There=b, Back=c, In=d, Budget=losses)
    net.invariant("few", lambda m: m.Send != [3])
    return net
