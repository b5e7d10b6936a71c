"""How much memory this process holds: asked of the compiled module, or of the operating system where there is none."""

from __future__ import annotations

import sys
from pathlib import Path

try:
    from sweepcheck._core import resident_bytes
except ImportError:

    def resident_bytes() -> int:
        """Bytes of physical memory this process holds now; where only the most it ever held is known, that."""
        try:
            import resource

            pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        except ImportError:
            return 0  # as of the compiled module: nothing is known
        except (OSError, ValueError, IndexError):
            unit = 1 if sys.platform == "darwin" else 1024
            return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return pages * resource.getpagesize()


__all__ = ["resident_bytes"]
