"""What a model file imports from its own folder: modules of that folder, whatever was imported before.

Python keeps modules by name. Two models of two folders may each have a `shared.py` beside them, and a program may have
one of its own; each is to get what it would get if it were run alone.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from sweepcheck.core.purity import is_the_modellers

_brought: dict[str, ModuleType] = {}  # into this process, by model files


@contextmanager
def own_imports(folder: Path) -> Iterator[None]:
    """Search a folder first. What others have imported under a name that the folder has a module for is put aside."""
    aside = {name: module for name, module in list(sys.modules.items()) if _is_hidden(name, module, folder)}
    own = {name for name, module in aside.items() if _brought.get(name) is not module}  # the program's
    for name in aside:
        del sys.modules[name]
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        _brought.update((name, sys.modules[name]) for name in set(sys.modules) - before)
        sys.modules.update((name, module) for name, module in aside.items() if name in own or name not in sys.modules)


def _is_hidden(name: str, module: ModuleType, folder: Path) -> bool:
    """Whether a module comes from elsewhere, though the folder has one of this name, or the package that it is in."""
    first = name.partition(".")[0]
    if first == "__main__" or not ((folder / f"{first}.py").is_file() or (folder / first).is_dir()):
        return False
    origin = _origin(module)
    if origin is None or not is_the_modellers(origin):
        return False
    return not Path(origin).absolute().is_relative_to(folder.absolute())


def _origin(module: ModuleType) -> str | None:
    """The file of a module, or the folder of a package that has none."""
    try:
        return getattr(module, "__file__", None) or next(iter(module.__path__), None)
    except Exception:  # noqa: BLE001 - anything may be in `sys.modules`
        return None
