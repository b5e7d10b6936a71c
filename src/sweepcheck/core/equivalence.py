"""Equivalences of states and cut-offs (paper 3): what makes two states one class, as data.

A class is a value: two states are equivalent when their class keys are equal. That equivalent states can do the same,
action by action, and answer every question alike is a claim of whoever declares it; engines compare what they meet.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from sweepcheck.core.model import State


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Which states are one class.

    `parts` are functions of a state's view: the key of a class is the tuple of their values. `canonical` gives the
    state that stands for a class, which then is the key; with both, the parts are those of this state. `form` says
    how it is computed ("key", "sorted", "refined and tried"), `origin` what declared it, both for reports. Where it
    `renames`, equivalent states may differ in which member of a family of actions they can do.
    """

    parts: tuple[Callable[[Any], Hashable], ...] = ()
    canonical: Callable[[State], State] | None = None
    form: str = "key"
    origin: str = "the declared key"
    renames: bool = False


@dataclass(frozen=True, slots=True)
class CutOff:
    """An equivalence that need not keep progress: it ends runs instead of reducing them (paper 3, figure 3).

    The classes of states that satisfy `when` are remembered for ever; `when` has no influence on what is found,
    only on whether a run ends. None is every state.
    """

    equivalence: Equivalence
    when: Callable[[Any], object] | None = None
