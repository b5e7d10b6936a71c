"""Folders that are asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sweepcheck.errors import RequestError, shown


def asked_folder(asked: Any) -> Path | None:
    """A folder, if one is asked for. No text at all names none: it is what a variable of the shell that is not set
    leaves, and `Path("")` would be the folder where we are. The core knows names in UTF-8 alone.
    """
    if asked is None:
        return None
    if not isinstance(asked, str | Path) or "\0" in str(asked) or not str(asked):
        raise RequestError("SC403", f"{shown(asked)} is not a folder", suggestion="give a path as text")
    if any("\ud800" <= letter <= "\udfff" for letter in str(asked)):
        raise RequestError(
            "SC403",
            f"the name of the folder {str(asked)!r} is no UTF-8",
            suggestion="choose another folder, or give it another name",
        )
    return Path(asked)
