"""Stop-and-wait over a network that loses and overtakes: the model to read first.

The sender sends packet after packet, each as often as it likes until it is acknowledged. The receiver answers each
packet with the number it wants next. The network holds at most `capacity` messages, in no particular order.

    sweepcheck check examples/stop_and_wait.py -p packets=20 -p capacity=3

prints that the receiver never gets ahead, and that all packets can always still be received. Progress is how far the
two sides are: of 30,211 states the sweep stores at most 3,322 at once.
"""

from sweepcheck import Bag, Model, require


def stop_and_wait(packets=20, capacity=3):
    """`packets` packets, at most `capacity` packets and acknowledgements under way."""
    m = Model("stop-and-wait", sender=1, receiver=1, data=Bag(), acks=Bag())

    @m.action
    def send(s):
        require(s.sender <= packets and len(s.data) + len(s.acks) < capacity)
        s.data.add(s.sender)

    @m.action
    def receive(s):
        packet = s.data.take()  # any of them: the network overtakes
        if packet == s.receiver:
            s.receiver += 1
        s.acks.add(s.receiver)

    @m.action
    def receive_ack(s):
        s.sender = max(s.sender, s.acks.take())

    @m.action
    def lose_packet(s):
        s.data.take()

    @m.action
    def lose_ack(s):
        s.acks.take()

    m.progress(lambda s: (s.sender, s.receiver))
    m.invariant("never ahead", lambda s: s.receiver - s.sender in (0, 1))
    m.always_possible("all received", lambda s: s.receiver > packets)
    return m
