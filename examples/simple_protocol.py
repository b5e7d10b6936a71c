"""The protocol that introduces state space reports to users of CPN Tools, with its published figures.

Jensen, Kristensen, Wells: Coloured Petri Nets and CPN Tools for modelling and validation of concurrent systems, 2007.
At most `limit` packets and acknowledgements are under way. The sender goes back when an old acknowledgement arrives;
the receiver never does, so that it can serve as progress measure. The data received is left out: the receiver's
counter determines it.

    sweepcheck report examples/simple_protocol.py
    sweepcheck check examples/simple_protocol.py
"""

from sweepcheck import Bag, Model, choose, require


def simple_protocol(packets=6, limit=3):
    """`packets` data packets, at most `limit` packets and acknowledgements under way."""
    m = Model("simple protocol", next_send=1, next_rec=1, a=Bag(), b=Bag(), c=Bag(), d=Bag(), limit=limit)

    @m.action
    def send_packet(s):
        require(s.next_send <= packets and s.limit > 0)
        s.limit -= 1
        s.a.add(s.next_send)

    @m.action
    def transmit_packet(s):
        packet = s.a.take()
        success = choose(True, False)
        if success:
            s.b.add(packet)
        else:
            s.limit += 1

    @m.action
    def receive_packet(s):
        packet = s.b.take()
        if packet == s.next_rec:
            s.next_rec += 1
        s.c.add(s.next_rec)

    @m.action
    def transmit_ack(s):
        ack = s.c.take()
        success = choose(True, False)
        if success:
            s.d.add(ack)
        else:
            s.limit += 1

    @m.action
    def receive_ack(s):
        s.next_send = s.d.take()
        s.limit += 1

    m.progress(lambda s: s.next_rec, span=(1, packets + 1))
    m.deadlock(final=lambda s: s.next_send == s.next_rec == packets + 1)
    m.always_possible("all received", lambda s: s.next_rec > packets)
    return m
