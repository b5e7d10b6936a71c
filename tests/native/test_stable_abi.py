"""From Python 3.12 on the module is built once for all versions: the bindings call only what those promise to keep.

An older Python has no such build: without this test only who has a newer one would see that it fails. Nor has a
free-threaded one, which gets a build of its own.
"""

from __future__ import annotations

import re
import sys
import sysconfig
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from sweepcheck import _core

BINDINGS = Path(__file__).parents[2] / "native/bindings"
HEADERS = Path(sysconfig.get_path("include"))
LATER = {"PyObject_Vectorcall"}  # promised since 3.12


def declared_in(headers: Path) -> set[str]:
    declaration = re.compile(r"(?:PyAPI_FUNC\([^)]*\)|static inline [\w *]+?)\s*\b(_?Py\w+)\s*\(")
    return {name for header in headers.glob("*.h") for name in declaration.findall(header.read_text())}


@pytest.mark.skipif(not (HEADERS / "cpython").is_dir(), reason="the headers of Python are not installed")
def test_bindings_call_only_what_later_versions_keep():
    one_version = declared_in(HEADERS / "cpython") - declared_in(HEADERS) - LATER
    assert "PyObject_CallOneArg" in one_version
    calls = re.compile(r"\b_?Py\w+(?=\s*\()")
    found = {
        f"{source.name}: {name}"
        for source in BINDINGS.glob("*.?pp")
        for name in calls.findall(source.read_text())
        if name in one_version
    }
    assert not found, f"not in the limited API: {sorted(found)}"


def test_the_module_is_of_the_kind_that_this_python_has():
    own, of_all = EXTENSION_SUFFIXES[0], ".abi3.so"
    once = sys.version_info >= (3, 12) and not sysconfig.get_config_var("Py_GIL_DISABLED")
    assert str(_core.__file__).endswith(of_all if once else own)
