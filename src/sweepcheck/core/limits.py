"""When to stop. A limit that is hit makes a run inconclusive, never successful; a file beyond its limits is refused."""

from __future__ import annotations

from dataclasses import dataclass

from sweepcheck.core.declaration import amount, check_flag


@dataclass(frozen=True, slots=True)
class Limits:
    """At most so many states, seconds and bytes of resident memory; None is no limit.

    `disk`: at most so many bytes of a temporary file for the edges that CTL needs; 0 keeps them in memory.
    """

    states: int | None = None
    seconds: float | None = None
    memory: int | None = None
    disk: int | None = None


@dataclass(frozen=True, slots=True)
class FileLimits:
    """What a file may ask for: a few lines of text can describe more than any memory holds.

    `bytes` of one file; `components` of a network; `size`, the locations and steps of all its components together;
    `outside`, whether a network file may name files that do not lie below its own folder.
    """

    bytes: int = 64 << 20
    components: int = 10_000
    size: int = 5_000_000
    outside: bool = False

    def __post_init__(self) -> None:
        for name in ("bytes", "components", "size"):
            amount(getattr(self, name), f"a limit of {{}} for the {name} of files")
        check_flag(self.outside, "outside")
