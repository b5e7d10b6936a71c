"""The text of a model file, whatever its kind; a file that is not there may have been misspelt."""

from __future__ import annotations

from glob import escape
from pathlib import Path

from sweepcheck.core.files import NotTextError, read_text
from sweepcheck.core.limits import FileLimits
from sweepcheck.errors import ModelError, closest


def model_text(path: Path, limits: FileLimits, suggestion: str = "") -> str:
    """The text of a model file; what is wrong with it is one error."""
    try:
        return read_text(path, limits)
    except NotTextError as error:
        raise ModelError("SC101", f"{path} is not text: {error}", suggestion="save the file as UTF-8") from None
    except (OSError, ValueError) as error:
        raise unread(path, error, suggestion) from None


def unread(path: Path, error: OSError | ValueError, suggestion: str = "") -> ModelError:
    """The error for a model file that cannot be opened; a ValueError is about a zero byte in its name."""
    what = f"there is no file {path}"
    if isinstance(error, FileNotFoundError):
        there = [one.name for one in sorted(path.parent.glob(f"*{escape(path.suffix)}"))]
        if there:
            suggestion = f"beside it: {closest(path.name, there)}"
    elif isinstance(error, OSError):
        what = f"{path} cannot be read: {error.strerror}"
    else:
        what = f"there is no file {str(path)!r}"
    return ModelError("SC101", what, suggestion=suggestion or f"give the path of a file that ends in {path.suffix}")
