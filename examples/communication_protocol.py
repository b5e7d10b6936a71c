"""Stop-and-wait over a lossy, overtaking, two-stage network of bounded capacity.

Paper 4 (Lilleskare, Kristensen, Høyland: CTL model checking with the sweep-line method, 2017), section 5 and table 1.
The paper does not print its model; this one is reconstructed from the published figures and matches states, edges
and peak of all nine configurations. `Start` stands for one state and one edge that every published row has more than
the protocol proper.

    sweepcheck explore examples/communication_protocol.py -p packets=20 -p capacity=3
    sweepcheck check examples/communication_protocol.py --keep-going

The first counts, the second decides: the paper's P1 and P2 hold, and P3 is violated, as the paper says.
"""

from sweepcheck import Bag, Model, choose, require


def communication_protocol(packets=10, capacity=3, expected_only=False):
    """`packets` data packets, at most `capacity` packets and acknowledgements under way.

    With `expected_only` the receiver acknowledges only the packet it expects, and the protocol can get stuck.
    """
    m = Model("communication protocol", started=False, sender=1, receiver=1, a=Bag(), b=Bag(), c=Bag(), d=Bag())

    @m.action
    def start(s):
        require(not s.started)
        s.started = True

    @m.action
    def send_packet(s):
        require(s.started and s.sender <= packets)
        require(len(s.a) + len(s.b) + len(s.c) + len(s.d) < capacity)
        s.a.add(s.sender)

    @m.action
    def transmit_packet(s):
        packet = s.a.take()
        arrives = choose(True, False)
        if arrives:
            s.b.add(packet)

    @m.action
    def receive_packet(s):
        packet = s.b.take()
        expected = packet == s.receiver
        if expected:
            s.receiver += 1
        if expected or not expected_only:
            s.c.add(s.receiver)

    @m.action
    def transmit_ack(s):
        ack = s.c.take()
        arrives = choose(True, False)
        if arrives:
            s.d.add(ack)

    @m.action
    def receive_ack(s):
        ack = s.d.take()
        s.sender = max(s.sender, ack)

    m.progress(
        lambda s: (s.started, s.sender, s.receiver),
        span=((True, 1, 1), (True, packets + 1, packets + 1)),
    )
    m.invariant("receiver never behind sender", lambda s: s.receiver - s.sender in (0, 1))
    m.deadlock(final=lambda s: s.sender > packets)
    # P1 to P3 of the paper. P3 does not hold, since the network may lose every packet.
    m.always_possible("all received", lambda s: s.receiver > packets)
    m.always_eventually("packet sent or all received", lambda s: len(s.a) > 0 or s.receiver > packets)
    m.always_eventually("acknowledgement sent", lambda s: len(s.c) > 0)
    return m
