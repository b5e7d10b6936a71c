"""Files that are written: there whole, or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def write_text(path: Path, text: str) -> None:
    """See `write_parts`."""
    write_parts(path, [text])


def write_parts(path: Path, parts: Iterable[str]) -> None:
    """All of it or nothing: written beside the place and then moved there; nothing is left if that fails."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("x", encoding="utf-8") as file:
            file.writelines(parts)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)  # it is not there if all went well
