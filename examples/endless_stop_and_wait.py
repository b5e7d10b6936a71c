"""Stop-and-wait without a last packet: a system with infinitely many states, and an exact answer.

The protocol of examples/stop_and_wait_net.py goes on for ever, and so do its numbers. What it does depends on how far
these are apart, never on how large they are: a *cut-off* says so. The sweep follows the number waited for, and stops
where it comes to a state that it has met before but for that (paper 3).

    sweepcheck check examples/endless_stop_and_wait.py

ends with a verdict on all infinitely many states: there are 272 classes of them.

    sweepcheck check examples/endless_stop_and_wait.py --no-equivalence --max-states 20000

is what would happen without the cut-off: a run that only a limit ends, and no verdict.
"""

from sweepcheck import Net

BUFFERS = ("DataOut", "DataNet", "DataIn", "AckOut", "AckNet", "AckIn")


def endless_stop_and_wait(remember="even"):
    """Packets numbered from 1 without end; an acknowledgement is the number wanted next.

    The cut-off remembers the classes in which both sides have the same number ("even"), "all" classes, or "none".
    """
    net = Net("endless stop-and-wait")
    next_send, next_rec = net.place("NextSend", int, [1]), net.place("NextRec", int, [1])
    frame = net.place("Frame", int, [0])  # what is being sent; 0: nothing accepted yet
    data_out, data_net, data_in, ack_out, ack_net, ack_in = (net.place(name, int, capacity=1) for name in BUFFERS)

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
        ack_in.take("a"), next_send.take("n"), frame.take("k"), next_send.put("max(a, n)"), frame.put("max(a, k)"),
    )  # fmt: skip

    def without_numbers(m):
        """How far all numbers are from the one waited for."""
        wanted, sent = m.NextRec.token, m.Frame.token
        buffers = (tuple(number - wanted for number in m[name]) for name in BUFFERS)
        return m.NextSend.token - wanted, sent - wanted if sent else "nothing", *buffers

    net.progress(lambda m: m.NextRec.token)
    choices = {"even": lambda m: m.NextSend.token == m.NextRec.token, "all": None, "none": lambda _: False}
    net.cutoff(without_numbers, when=choices[remember])
    net.invariant("never ahead", lambda m: m.NextRec.token - m.NextSend.token in (0, 1))
    net.deadlock()
    return net
