"""Stop-and-wait as a coloured Petri net: the protocol whose figures papers 0 and 1 print.

The sender keeps sending its current frame until the acknowledgement asks for the next one. Packets and acknowledgements
go round a ring of six buffers with room for one each, and every hop between two buffers may lose what it carries:

    sender -> DataOut -> DataNet -> DataIn -> receiver -> AckOut -> AckNet -> AckIn -> sender

    sweepcheck check examples/stop_and_wait_net.py -p packets=50 --gc 2000

counts 13,416 states, as published, and in general 271 * packets - 134. Collecting after every 2000 new states, as the
papers do, stores at most 2,284 of them; published are 2,278 and 2,280. The papers do not print their net; see
docs/papers.md for all rows.
"""

from sweepcheck import Net


def stop_and_wait_net(packets=10):
    """`packets` packets, numbered from 1; an acknowledgement is the number wanted next."""
    net = Net("stop-and-wait", packets=packets)
    number = range(1, packets + 2)

    next_send = net.place("NextSend", number, [1])
    frame = net.place("Frame", range(packets + 1), [0])  # what is being sent; 0: nothing accepted yet
    next_rec = net.place("NextRec", number, [1])
    data_out, data_net, data_in = (net.place(name, number, capacity=1) for name in ("DataOut", "DataNet", "DataIn"))
    ack_out, ack_net, ack_in = (net.place(name, number, capacity=1) for name in ("AckOut", "AckNet", "AckIn"))

    net.transition("Accept", frame.take("0"), frame.put("1"))
    net.transition("Send", frame.test("k"), data_out.put("k"), guard="k > 0")
    for here, there in ((data_out, data_net), (data_net, data_in), (ack_out, ack_net), (ack_net, ack_in)):
        net.transition(f"Move{here.name}", here.take("k"), there.put("k"))
        net.transition(f"Lose{here.name}", here.take("k"), there.inhibit())
    net.transition(
        "Receive",
        data_in.take("k"), next_rec.take("n"), next_rec.put("m"), ack_out.put("m"),
        let={"m": "n + 1 if k == n else n"},
    )  # fmt: skip
    net.transition(
        "ReceiveAck",
        ack_in.take("a"), next_send.take("n"), frame.take("k"),
        next_send.put("a if a == n + 1 else n"),
        frame.put("a if a == n + 1 and a <= packets else k"),  # the last frame goes on being sent
    )  # fmt: skip

    net.progress(lambda m: m.NextRec.token)
    net.invariant("never ahead", lambda m: m.NextRec.token - m.NextSend.token in (0, 1))
    net.deadlock()
    net.always_possible("all received", lambda m: m.NextRec.token > packets)
    return net
