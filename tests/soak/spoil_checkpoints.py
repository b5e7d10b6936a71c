"""Spoil the files of runs that were broken off, and go on with them: `python tests/soak/spoil_checkpoints.py 10000`.

Bits are flipped, bytes written over, files cut off, made longer, put together from two of them. What comes of it is a
clear error, or the numbers, verdicts and traces of a run that was never broken off.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sweepcheck import Limits, Model, check, choose, require
from sweepcheck.cluster import driver
from sweepcheck.cluster.local import LocalSites
from sweepcheck.core.observer import Silence
from sweepcheck.core.request import Request
from sweepcheck.errors import SweepcheckError
from sweepcheck.models.adoption import adopt
from sweepcheck.planner import plan

CLEAR = {"SC501", "SC502", "SC616", "SC618", "SC619", "SC623"}
Spoil = Callable[[random.Random, bytes, bytes], bytes]


def machine() -> Model:
    """Some hundred states, and a violation far from the start."""
    m = Model("machine", t=0, x=0, y="a")

    @m.action
    def go(s: Any) -> None:
        require(s.t < 12)
        s.t += 1
        s.x = choose(s.x, (s.x + 1) % 9)

    @m.action
    def turn(s: Any) -> None:
        s.y = "b" if s.y == "a" else "a"

    m.progress(lambda s: s.t)
    m.invariant("low", lambda s: not (s.t == 12 and s.x == 8 and s.y == "b"))
    m.reachable("high", lambda s: s.t == 12 and s.x == 7)
    return m


def flipped(draw: random.Random, content: bytes, _: bytes) -> bytes:
    """Some bits are others."""
    spoilt = bytearray(content)
    for _ in range(draw.choice((1, 1, 1, 2, 8))):
        spoilt[draw.randrange(len(spoilt))] ^= 1 << draw.randrange(8)
    return bytes(spoilt)


def written_over(draw: random.Random, content: bytes, _: bytes) -> bytes:
    """A piece is random, or 0, or comes from elsewhere in the file."""
    at, size = draw.randrange(len(content)), draw.choice((1, 4, 8, 64))
    elsewhere = draw.randrange(len(content))
    piece = draw.choice((draw.randbytes(size), bytes(size), content[elsewhere : elsewhere + size]))
    return content[:at] + piece + content[at + len(piece) :]


def cut_off(draw: random.Random, content: bytes, _: bytes) -> bytes:
    """The end is missing, or the beginning, or something in between."""
    at = draw.randrange(len(content))
    return draw.choice((content[:at], content[at:], content[:at] + content[at + draw.randrange(1, 64) :]))


def longer(draw: random.Random, content: bytes, _: bytes) -> bytes:
    """Something is said twice, or stands behind the end."""
    at = draw.randrange(len(content))
    return draw.choice((content + draw.randbytes(8), content + content, content[:at] + content[at // 2 :]))


def of_two(draw: random.Random, content: bytes, other: bytes) -> bytes:
    """It begins as one file, and ends as another."""
    at = draw.randrange(min(len(content), len(other)))
    return content[:at] + other[at:]


SPOILS: tuple[Spoil, ...] = (flipped, written_over, cut_off, longer, of_two)


def alone(folder: Path, limits: Limits | None = None, strategy: str = "sweep") -> Any:
    """A run of one process."""
    options: Any = {} if limits is None else {"limits": limits}
    report = check(
        machine(), strategy=strategy, checkpoint=str(folder), checkpoint_every=0.0, keep_going=True, **options
    )
    return report.outcome


class Broken(Exception):
    """A shared run is broken off."""


class Ending(LocalSites):
    """The driver dies in a superstep."""

    left = 17

    def step(self, *given: Any) -> Any:
        """See `Sites`."""
        self.left -= 1
        if self.left == 0:
            raise Broken
        return super().step(*given)


def shared(folder: Path, ends: bool = False) -> Any:
    """A run of three sites."""
    decided = plan(adopt(machine()), Request(strategy="sweep", engine="native", keep_going=True))
    sites = (Ending if ends else LocalSites)(decided, 3)
    return driver.run(decided, Silence(), sites, folder, every=0, about=lambda: {"identity": {"model": "machine"}})


def result(outcome: Any) -> tuple[object, ...]:
    """What must not depend on how a run came to its end."""
    numbers = outcome.statistics
    verdicts = [(one.property.name, one.status, one.trace and len(one.trace)) for one in outcome.decisions]
    return numbers.states, numbers.edges, numbers.explored, numbers.peak, numbers.layers, verdicts


def prepared(folder: Path) -> list[tuple[str, Path, Path, Callable[[Path], Any]]]:
    """Runs that were broken off: their names, their folders, those of others of their kind, and how they go on."""
    runs: list[tuple[str, Path, Path, Callable[[Path], Any]]] = []
    for strategy in ("sweep", "full"):
        first, second = folder / strategy, folder / f"{strategy}-later"
        alone(first, Limits(states=120), strategy)
        alone(second, Limits(states=170), strategy)
        runs.append((strategy, first, second, lambda at, strategy=strategy: alone(at, None, strategy)))
    for name, left in (("shared", 17), ("shared-later", 25)):
        Ending.left = left
        (folder / name).mkdir()
        try:
            shared(folder / name, ends=True)
        except Broken:
            continue
        raise SystemExit("a run was to be broken off, and came to its end")
    return [*runs, ("shared", folder / "shared", folder / "shared-later", shared)]


def main() -> None:
    """As many spoilt files as asked for."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    draw, seen = random.Random(wanted), Counter[str]()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        runs = prepared(folder)
        expected = {}
        for kind, first, _, go_on in runs:
            shutil.copytree(first, folder / "whole")
            expected[kind] = result(go_on(folder / "whole"))
            shutil.rmtree(folder / "whole")
        for _ in range(wanted):
            kind, first, second, go_on = draw.choice(runs)
            spoilt = folder / "spoilt"
            shutil.copytree(first, spoilt)
            path = draw.choice([one for one in sorted(spoilt.iterdir()) if one.stat().st_size])
            other = second / path.name
            spoil = draw.choice(SPOILS)
            content = path.read_bytes()
            path.write_bytes(spoil(draw, content, other.read_bytes() if other.exists() else content))
            what = f"{kind}, {path.name}, {spoil.__name__}"
            try:
                found = result(go_on(spoilt))
                if found != expected[kind]:
                    shutil.copytree(spoilt, "spoilt", dirs_exist_ok=True)
                    raise SystemExit(f"{what}: came to something else:\n{found}\n{expected[kind]}")
                seen["right"] += 1
            except SweepcheckError as error:
                if error.code not in CLEAR:
                    raise SystemExit(f"{what}: {error}") from None
                seen[error.code] += 1
            shutil.rmtree(spoilt)
    sys.stdout.write(f"{wanted} spoilt files: {dict(sorted(seen.items()))}\n")


if __name__ == "__main__":
    main()
