"""A file of CPN Tools against the same net written in Python: CPU time of exploration, as a ratio.

python -m bench.cpn                       examples/protocol.cpn with 6 packets on their way
python -m bench.cpn --limit 4 --rounds 7
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from bench.measuring import ROOT
from sweepcheck import Net, explore, load
from sweepcheck.core.model import System
from sweepcheck.models.net.system import NetModel


def by_hand(limit: int, count: int) -> System:
    """The net of examples/protocol.cpn, as one would write it here."""
    net = Net("protocol")
    packets = net.place("Packets", (int, str), [(i, f"p{i}") for i in range(1, count + 1)])
    next_send, next_rec = net.place("NextSend", int, [1]), net.place("NextRec", int, [1])
    received, free = net.place("Received", str, [""]), net.place("Limit", initial=limit)
    a, b = net.place("A", (int, str)), net.place("B", (int, str))
    c, d = net.place("C", int), net.place("D", int)
    packet, back, step = "(n, d)", "{} if ok else ()", "k + 1 if n == k else k"
    both = packets.take(packet), packets.put(packet), next_send.take("n"), next_send.put("n")
    net.transition("Send", *both, free.take(), a.put(packet))
    net.transition("Transmit", a.take(packet), b.put("(n, d) if ok else {}"), free.put(back), free={"ok": bool})
    text = received.take("t"), received.put("t + d if n == k else t")
    net.transition("Receive", b.take(packet), next_rec.take("k"), next_rec.put(step), *text, c.put(step))
    net.transition("Acknowledge", c.take("n"), d.put("n if ok else {}"), free.put(back), free={"ok": bool})
    net.transition("Done", d.take("n"), next_send.take("k"), next_send.put("max(n, k)"), free.put())
    return NetModel(net)


def cpu_seconds(make: Callable[[], System]) -> tuple[float, int]:
    """The CPU time of one exploration, and the number of states."""
    system = make()
    started = time.process_time()
    report = explore(system, workers=1)
    return time.process_time() - started, report.statistics.states or 0


def main(arguments: list[str] | None = None) -> int:
    """Measure, and print the ratio."""
    parser = argparse.ArgumentParser(prog="bench.cpn", description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=int, default=6)
    parser.add_argument("--count", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args(arguments)
    path = str(ROOT / "examples" / "protocol.cpn")
    ways: dict[str, Callable[[], System]] = {
        "file": lambda: load(path, {"Limit": given.limit, "Count": given.count}),
        "Python": lambda: by_hand(given.limit, given.count),
    }
    least: dict[str, float] = dict.fromkeys(ways, float("inf"))
    for _ in range(given.rounds):
        states = {name: cpu_seconds(make) for name, make in ways.items()}
        if len({count for _, count in states.values()}) > 1:
            raise SystemExit(f"the two do not agree: {states}")
        least = {name: min(least[name], seconds) for name, (seconds, _) in states.items()}
    count = next(iter(states.values()))[1]
    times = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in least.items())
    print(f"{count:,} states: {times}, ratio {least['file'] / least['Python']:.2f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
