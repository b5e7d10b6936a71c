"""The native core of sweepcheck."""

def resident_bytes() -> int:
    """Bytes of physical memory this process holds now."""
