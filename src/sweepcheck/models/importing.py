"""What a model file imports from its own folder: modules of that folder, whatever was imported before.

Python keeps modules by name. Two models of two folders may each have a `shared.py` beside them, and a program may have
one of its own; each is to get what it would get if it were run alone.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from os import listdir
from pathlib import Path
from types import ModuleType

from sweepcheck.core.purity import is_the_modellers

_brought: dict[str, ModuleType] = {}  # into this process, by model files


@contextmanager
def own_imports(folder: Path) -> Iterator[None]:
    """Search a folder first. What others have imported under a name that the folder has a module for is put aside."""
    here = _names(folder)
    modules = [(name, module) for name, module in list(sys.modules.items()) if name.partition(".")[0] in here]
    aside = {name: module for name, module in modules if _is_elsewhere(module, folder)}
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


def _names(folder: Path) -> set[str]:
    """The names of loaded modules and packages that a folder has too. It is listed once, since hundreds are loaded."""
    try:
        entries = set(listdir(folder))
    except OSError:  # nor would Python find any there
        return set()
    loaded = {name.partition(".")[0] for name in list(sys.modules)} - {"__main__"}
    modules = {name for name in loaded if f"{name}.py" in entries and (folder / f"{name}.py").is_file()}
    return modules | {name for name in loaded & entries if (folder / name).is_dir()}


def _is_elsewhere(module: ModuleType, folder: Path) -> bool:
    """Whether a module comes from another folder of the modeller's."""
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
