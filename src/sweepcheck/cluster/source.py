"""How a plan gets to where it is carried out: every process loads the model and plans for itself, and compares."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sweepcheck.core.limits import Limits
from sweepcheck.core.model import System
from sweepcheck.core.plan import Cluster, Plan
from sweepcheck.core.property import Property
from sweepcheck.core.request import Request
from sweepcheck.core.tabulated import is_tabulated
from sweepcheck.core.value_texts import UnportableError, text_of
from sweepcheck.errors import RequestError
from sweepcheck.models.loading import load
from sweepcheck.planner import plan
from sweepcheck.properties import (
    always_eventually,
    always_possible,
    ctl,
    deadlock,
    invariant,
    ltl,
    reachable,
    step,
)
from sweepcheck.properties.expression import expression, step_expression
from sweepcheck.properties.never import of_pattern

EXPRESSIONS = {make.__name__: make for make in (invariant, reachable, always_possible, always_eventually)}
FORMULAS = {make.__name__: make for make in (ltl, ctl)}


@dataclass(frozen=True, slots=True)
class Parcel:
    """A plan as plain data: the model's file, what is asked, and what must come out of it."""

    cluster: Cluster
    path: str  # of the model's file, absolute
    digest: str  # of its text
    memory: int | None
    version: str
    python: str
    fingerprint: str


def packed(decided: Plan) -> Parcel:
    """A plan, as it is sent."""
    assert decided.cluster is not None
    path = Path(file_of(decided.cluster.source.reference)).absolute()
    return Parcel(
        cluster=decided.cluster,
        path=str(path),
        digest=_digest(path.read_bytes()),
        memory=decided.limits.memory,
        version=version("sweepcheck"),
        python=platform.python_version(),
        fingerprint=fingerprint(decided),
    )


def unpacked(parcel: Parcel) -> Plan:
    """The same plan, made here."""
    for name, sent, here in (
        ("sweepcheck", parcel.version, version("sweepcheck")),
        ("Python", parcel.python, platform.python_version()),
    ):
        if sent != here:
            raise _differs(f"{name} is {here} there, and {sent} here", f"install {name} {sent} there")
    path = Path(parcel.path)
    if not path.is_file():
        raise _differs(
            f"there is no {path} there", "put the model where every process finds it: on a shared file system"
        )
    if _digest(path.read_bytes()) != parcel.digest:
        raise _differs(f"{path} has another text there", "copy the model to all machines, or use a shared file system")
    source, asked = parcel.cluster.source, dict(parcel.cluster.asked)
    factory = source.reference[len(file_of(source.reference)) :]
    system = load(parcel.path + factory, source.parameters, **source.options)
    asked["properties"] = [_property(system, *one) for one in asked["properties"]]
    decided = plan(system, Request(**asked, limits=Limits(memory=parcel.memory), engine="native", workers=1))
    if fingerprint(decided) != parcel.fingerprint:
        raise _differs(
            "the model is another one there, though its file is the same",
            "let it depend on nothing but its file and parameters: no environment variables, no random numbers",
        )
    return decided


def file_of(reference: str) -> str:
    """The file of a reference such as `FILE.py:factory`."""
    return reference.rpartition(":")[0] if ".py:" in reference else reference


def fingerprint(decided: Plan) -> str:
    """What two plans must agree on to be the same: variables, actions, initial states, strategy and properties."""
    system = decided.system
    assert is_tabulated(system)
    states: Sequence[Any] = system.initial_states()
    try:
        initial = [text_of(tuple(state)) for state in states]
    except UnportableError as error:
        raise RequestError(
            "SC419", f"several processes cannot share this: a value of an initial state cannot be sent: {error}",
            suggestion="let states hold numbers, text, tuples, sets, enumerations or data classes of the model's file",
        ) from None  # fmt: skip
    measure = None if decided.measure is None else decided.measure.name
    parts: list[Any] = [
        system.variables,
        [str(action) for action in system.actions],
        initial,
        decided.strategy.name,
        measure,
        [(str(one.kind), one.name) for one in decided.properties],
        [str(one) for one in decided.fair],
        decided.stuttering,
    ]
    return _digest(repr(parts).encode())


def _property(system: System, kind: str, name: str) -> Property | str:
    if kind == "declared":
        return name
    if kind == "deadlock":
        return deadlock(name)
    if kind == "never":
        return of_pattern(name, system.pattern(name))
    if kind in FORMULAS:
        return FORMULAS[kind](name, name)
    if kind == "step":
        return step(name, step_expression(system, name))
    found = system.condition(name)
    return EXPRESSIONS[kind](name, expression(system, name) if found is None else found)


def _digest(content: bytes) -> str:
    return blake2b(content, digest_size=16).hexdigest()


def _differs(what: str, way_out: str) -> RequestError:
    return RequestError("SC621", f"a process of the cluster cannot take part: {what}", suggestion=way_out)
