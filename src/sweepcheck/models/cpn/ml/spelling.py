"""Names in Python for names in ML: the same where Python allows it, and none of them twice."""

from __future__ import annotations

import builtins
import keyword
import re

from sweepcheck.models.cpn.ml import running

CLOCK = "clock"  # the time, in texts that need it
RESERVED = frozenset({*keyword.kwlist, *keyword.softkwlist, *dir(builtins), *running.__all__, CLOCK})
_SIGNS = {
    "+": "add", "-": "subtract", "*": "multiply", "/": "divide", "<": "less", ">": "greater", "=": "equal", "^": "join",
    "@": "at", "~": "minus", "!": "value", "`": "of", ":": "cons", "%": "percent", "&": "and", "$": "dollar",
    "#": "number", "?": "query", "\\": "without", "|": "or",
}  # fmt: skip


def spelt(name: str) -> str:
    """A Python name that looks like a name of ML."""
    plain = re.sub(r"[^A-Za-z0-9_]", lambda sign: _SIGNS.get(sign[0], "_") + "_" * (sign[0] in _SIGNS), name)
    plain = plain.strip("_") or "it"
    if plain[0].isdigit():
        plain = f"n{plain}"
    return f"{plain}_" if plain in RESERVED else plain


class Names:
    """Names that are taken, and new ones."""

    def __init__(self, *taken: set[str]) -> None:
        self._taken = taken
        self._own: set[str] = set()

    def fresh(self, name: str) -> str:
        """A name that nothing here has."""
        base = spelt(name)
        found, number = base, 2
        while found in self._own or any(found in names for names in self._taken):
            found = f"{base.rstrip('_')}_{number}"
            number += 1
        self._own.add(found)
        return found
