"""The simple protocol with time (Jensen and Kristensen, Coloured Petri Nets, chapter 10), as a timed net of our own.

A packet is sent again and again until its acknowledgement comes. Sending and receiving take 9 and 17 units of
time, the network takes 25, 50 or 75, loses whatever it likes, and holds `limit` packets and acknowledgements.

    sweepcheck check examples/timed_protocol.py
    sweepcheck explore examples/timed_protocol.py -p limit=3 -p attempts=0 --max-states 2000

A sender that never gives up makes the clock run for ever: `attempts` bounds how often anything is sent, and 0 means no
bound. The sweep follows the clock, which is declared nowhere, so even the endless net needs few states at a time.

    sweepcheck check examples/timed_protocol.py -p packets=10 -p attempts=0 -p fixed=True -p relative=True

forgets what time it is, and ends: 81 classes for a network that always takes 25 units.
"""

from sweepcheck import Net, colours

SEND, RECEIVE = 9, 17
DELAYS = (25, 50, 75)  # of the network


def timed_protocol(packets=2, limit=1, attempts=4, fixed=False, relative=False):
    """`packets` packets over a network that holds `limit` at a time; at most `attempts` are sent, 0 for any number.

    With `fixed` the network always takes the same time, with `relative` states that differ in what time it is are one.
    """
    net = Net("timed protocol", SEND=SEND, RECEIVE=RECEIVE)
    number, timed = range(1, packets + 2), colours.timed

    to_send = net.place("PacketsToSend", timed(number), range(1, packets + 1))
    next_send = net.place("NextSend", number, [1])
    next_rec = net.place("NextRec", timed(number), [1])
    a, b, c, d = (net.place(name, timed(number)) for name in "ABCD")
    room = net.place("Room", initial=limit)
    attempt = [net.place("Attempts", initial=attempts).take()] if attempts else []

    net.transition(
        "SendPacket",
        to_send.take("n"),
        to_send.put("n"),
        next_send.test("n"),
        room.take(),
        a.put("n"),
        *attempt,
        delay=SEND,
    )
    network = {"free": {"ok": bool, "delay": set(DELAYS[:1] if fixed else DELAYS)}, "delay": "delay"}
    net.transition("TransmitPacket", a.take("n"), b.put("n if ok else {}"), room.put("{} if ok else ()"), **network)
    net.transition(
        "ReceivePacket",
        b.take("n"),
        next_rec.take("k"),
        next_rec.put("m"),
        c.put("m"),
        let={"m": "k + 1 if n == k else k"},
        delay=RECEIVE,
    )
    net.transition("TransmitAck", c.take("n"), d.put("n if ok else {}"), room.put("{} if ok else ()"), **network)
    net.transition("ReceiveAck", d.take("n"), next_send.take("k"), next_send.put("n"), room.put())

    if relative:
        net.time_equivalence()
    net.invariant("never ahead", lambda m: m.NextSend.token <= m.NextRec.token)
    net.reachable("all acknowledged", lambda m: m.NextSend.token > packets)
    return net
