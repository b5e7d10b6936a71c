"""How much memory this process holds: asked of the compiled module, or of the operating system where there is none."""

from __future__ import annotations

import sys
from pathlib import Path

try:
    from sweepcheck._core import MemoryMark, resident_bytes
except ImportError:

    def _most_ever() -> int:
        """Bytes of physical memory this process ever held at most."""
        try:
            import resource
        except ImportError:
            return 0  # as of the compiled module: nothing is known
        unit = 1 if sys.platform == "darwin" else 1024
        return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    def resident_bytes() -> int:
        """Bytes of physical memory this process holds now; where only the most it ever held is known, that."""
        try:
            import resource

            pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        except (ImportError, OSError, ValueError, IndexError):
            return _most_ever()
        return pages * resource.getpagesize()

    class MemoryMark:  # type: ignore[no-redef]
        """Knows the most that this process held since it was made, as far as that is more than it held ever before."""

        def __init__(self) -> None:
            self._before = _most_ever()
            self._seen = 0

        def most(self) -> int:
            """Bytes."""
            ever = _most_ever()
            self._seen = max(self._seen, ever if ever > self._before else resident_bytes())
            return self._seen


__all__ = ["MemoryMark", "resident_bytes"]
