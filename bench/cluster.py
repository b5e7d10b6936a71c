"""What it costs to share a run: CPU seconds of each site beside those of one process, and what is sent.

python -m bench.cluster                        1, 2 and 4 sites, inside one process, one after the other
python -m bench.cluster --ray --sites 2        processes of a Ray cluster on this machine
python -m bench.cluster --size saw=30/5 --only saw
python -m bench.cluster --ray --large --rounds 1       from 10 million states on

The busiest site is what a run waits for: divided by the CPU seconds of one process alone, that is the least time that
sharing takes, if every site has a processor and nobody waits. With Ray it has all that the process does, packing and
copies included, and the time that passed stands beside it. Counts are compared.
"""

from __future__ import annotations

import argparse
import inspect
import json
import sys
import time
from typing import Any

from bench.measuring import execute
from bench.tables import Table, number, text
from bench.workloads import FAMILIES, parse_size
from sweepcheck import explore, load
from sweepcheck.cluster.driver import Driver
from sweepcheck.cluster.local import LocalSites
from sweepcheck.cluster.owners import deciding
from sweepcheck.cluster.ray_sites import RaySites
from sweepcheck.cluster.source import packed
from sweepcheck.core.observer import Silence
from sweepcheck.core.request import Request
from sweepcheck.planner import plan

CASES = (("saw", "20/5", "full"), ("saw", "20/5", "sweep"), ("phil", "14", "full"), ("comm", "40/3", "sweep"))
LARGE = (("phil", "15", "full"), ("saw", "30/5", "full"), ("saw", "30/5", "sweep"), ("comm", "80/3", "sweep"))
SAME = ("states", "edges", "peak")
Case = tuple[str, str, str]


class Measured(RaySites):
    """Sites of Ray, and the CPU seconds of their processes since they were there."""

    cpu: tuple[float, ...] = ()

    def start(self, *, count_natively: bool, resumes: bool) -> None:
        """See `Sites`."""
        super().start(count_natively=count_natively, resumes=resumes)
        self._before = self._seconds()

    def close(self) -> None:
        """See `Sites`."""
        if self._actors:
            self.cpu = tuple(after - before for before, after in zip(self._before, self._seconds(), strict=True))
        super().close()

    def _seconds(self) -> list[float]:
        calls = [actor.__ray_call__.remote(lambda _: time.process_time()) for actor in self._actors]
        seconds: list[float] = self._ray.get(calls)
        return seconds


def probe(case: Case, sites: int, ray: bool) -> dict[str, Any]:
    """One run, of one process alone where there are no sites."""
    family, size, strategy = case
    factory = FAMILIES[family].model
    names = inspect.signature(factory).parameters
    model = load(f"{inspect.getfile(factory)}:{factory.__name__}", dict(zip(names, parse_size(size), strict=True)))
    options: Any = {"strategy": strategy, "trace": False, "engine": "native"}
    if not sites:
        started = time.process_time()
        numbers = explore(model, strategy=strategy, engine="native", workers=1).statistics
        cpu = time.process_time() - started
        return {**{name: getattr(numbers, name) for name in SAME}, "cpu": [cpu], "seconds": numbers.seconds}
    if ray:
        options |= {"cluster": "local", "processes": sites}
    decided = plan(model, Request((), **options))
    reached = Measured(packed(decided), lambda n: deciding(decided, n)) if ray else None
    driver = Driver(decided, Silence(), reached or LocalSites(decided, sites, deciding(decided, sites)), None, 60.0, {})
    numbers, seconds = driver.outcome().statistics, driver.seconds
    driver.sites.close()
    return {
        **{name: getattr(numbers, name) for name in SAME},
        "cpu": driver.busy if reached is None else reached.cpu,
        "seconds": seconds,
        "sent": driver.sent_states,
        "bytes": driver.sent_bytes,
        "steps": driver.steps,
    }


def run(case: Case, sites: int, ray: bool) -> dict[str, Any]:
    """One run, in a process of its own."""
    command = [sys.executable, "-m", "bench.cluster", "--probe", *case, str(sites), *(["--ray"] if ray else [])]
    output, _ = execute(command)
    found: dict[str, Any] = json.loads(output.strip().splitlines()[-1])
    return found


def compare(case: Case, counts: list[int], rounds: int, ray: bool) -> tuple[list[tuple[str, ...]], bool]:
    """The rows of a case, best of so many rounds in turns, and whether all runs found the same."""
    best: dict[int, dict[str, Any]] = {}
    same = True
    for _ in range(rounds):
        for sites in (0, *counts):
            found = run(case, sites, ray)
            same &= all(found[name] == best.get(0, found)[name] for name in SAME)
            if sites not in best or max(found["cpu"]) < max(best[sites]["cpu"]):
                best[sites] = found
    (alone,) = best[0]["cpu"]
    rows: list[tuple[str, ...]] = []
    for sites, found in best.items():
        sent, most = found.get("sent"), max(found["cpu"])
        rows.append(
            (
                f"{case[0]} {case[1]}", case[2], f"{found['states']:,}", str(sites or "alone"),
                number(most, ".2f"), number(most / alone, ".2f"), number(alone / most / (sites or 1), ".2f"),
                number(found["seconds"], ".2f") if ray else "-", number(sent and sent / found["states"], ".2f"),
                number(found["bytes"] / found["states"] if sent else None),
                str(found.get("steps", "-")),
            )
        )  # fmt: skip
    return rows, same


def main() -> None:
    """Measure, print, and end with 1 if some numbers differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sites", type=int, nargs="+", default=[1, 2, 4], metavar="N")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--ray", action="store_true", help="processes of a Ray cluster")
    parser.add_argument("--large", action="store_true", help="10 to 20 million states each")
    parser.add_argument("--only", nargs="+", default=[], metavar="FAMILY")
    parser.add_argument("--size", action="append", default=[], metavar="FAMILY=SIZE", help="another size of a family")
    parser.add_argument("--probe", nargs=4, metavar=("FAMILY", "SIZE", "STRATEGY", "SITES"), help="one run, as JSON")
    asked = parser.parse_args()
    if asked.probe:
        family, size, strategy, sites = asked.probe
        print(json.dumps(probe((family, size, strategy), int(sites), asked.ray)))
        return
    sizes = dict(one.split("=") for one in asked.size)
    rows: list[tuple[str, ...]] = []
    same = True
    for family, size, strategy in LARGE if asked.large else CASES:
        if not asked.only or family in asked.only:
            more, alike = compare((family, sizes.get(family, size), strategy), asked.sites, asked.rounds, asked.ray)
            rows += more
            same &= alike
    header: tuple[str, ...] = ("model", "strategy", "states", "sites", "CPU s", "of alone", "efficiency", "seconds")
    header += ("sent/state", "bytes/state", "supersteps")
    print(text(Table("Sites", header, rows, "CPU s: of the busiest site; efficiency: 1 / (sites x of alone).")))
    if not same:
        sys.exit("bench: the numbers differ")


if __name__ == "__main__":
    main()
