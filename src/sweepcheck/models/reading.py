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
    except FileNotFoundError:
        there = [one.name for one in sorted(path.parent.glob(f"*{escape(path.suffix)}"))]
        if there:
            suggestion = f"beside it: {closest(path.name, there)}"
        what = f"there is no file {path}"
    except OSError as error:
        what = f"{path} cannot be read: {error.strerror}"
    except NotTextError as error:
        what, suggestion = f"{path} is not text: {error}", "save the file as UTF-8"
    except ValueError:  # a zero byte
        what = f"there is no file {str(path)!r}"
    raise ModelError("SC101", what, suggestion=suggestion or f"give the path of a file that ends in {path.suffix}")
