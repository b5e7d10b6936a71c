"""How a run survives: where it writes down how far it is, and where states go that memory has no room for."""

from __future__ import annotations

import os
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

EVERY = 600.0  # seconds between two checkpoints


def have_folder(folder: Path) -> None:
    """Make a folder, unless it is there. What is in its place is named: that it "exists" would tell nothing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        nowhere = folder.is_symlink() and not folder.exists()
        why = f"it is a link to {os.readlink(folder)}, which is not there" if nowhere else "it is a file"
        raise NotADirectoryError(error.errno, why) from None


@dataclass(frozen=True, slots=True)
class Checkpointing:
    """Write down in `folder`, after so many seconds each, how far a run is. 0: whenever that is possible."""

    folder: Path
    every: float


@dataclass(frozen=True, slots=True)
class Command:
    """What was typed, and in which folder: a checkpoint keeps it, so that it can be gone on with."""

    arguments: tuple[str, ...]
    folder: str


typed_command: ContextVar[Command | None] = ContextVar("typed_command", default=None)  # None: Python called
