"""Which runs several processes can share, and what each of them has to be told; all else is refused."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sweepcheck.core.model import System
from sweepcheck.core.plan import Cluster, Plan
from sweepcheck.core.property import Kind, Property
from sweepcheck.core.request import Request
from sweepcheck.core.survival import EVERY
from sweepcheck.errors import RequestError, SweepcheckError, shown
from sweepcheck.planner.folders import asked_folder

ADDRESS = re.compile(r"auto|local|(ray://)?[\w.\[\]:-]+:[0-9]{1,5}")
MOST_PROCESSES = 4096
KEPT_EVERY = 60.0  # seconds, if nobody says how often
STRATEGIES = ("full", "sweep", "generalised")
ALONE = "or leave cluster= out: one process can do it"


def sharing(system: System, properties: Sequence[Property], request: Request, decided: Plan) -> Cluster | None:
    """Who shares a run; None where nobody does. `properties` are those of the request, as they were given."""
    address, processes, folder = request.cluster, request.processes, request.cluster_dir
    if address is None:
        for name in ("processes", "cluster_dir"):
            if getattr(request, name) is not None:
                raise RequestError(
                    "SC404", f"{name} is about a cluster, and none is asked for", suggestion='add cluster="auto"'
                )
        return None
    if not isinstance(address, str) or not ADDRESS.fullmatch(address):
        raise RequestError(
            "SC620",
            f"{shown(address)} is no address of a cluster",
            suggestion='give "auto", "local", or the host and port of a Ray cluster: "10.0.0.5:6379"',
        )
    if processes is not None and (type(processes) is not int or not 1 <= processes <= MOST_PROCESSES):
        raise RequestError(
            "SC403",
            f"{shown(processes)} is no number of processes",
            suggestion=f"give a whole number, 1 to {MOST_PROCESSES}",
        )
    asked_folder(folder)  # or an address, which is text as well
    refuse_unshared(decided, request)
    if system.source is None:
        raise RequestError(
            "SC419",
            "several processes cannot share this: every one of them loads the model, and this one came from no file",
            suggestion='give its path: check("model.py", cluster="auto"), or load("model.py", {...})\n' + ALONE,
        )
    kept = None if folder is None else str(folder) if "://" in str(folder) else str(Path(folder).absolute())
    every = KEPT_EVERY if request.checkpoint_every == EVERY else request.checkpoint_every
    return Cluster(address, processes, kept, every, system.source, _asked(system, properties, request))


def refuse_unshared(decided: Plan, request: Request) -> None:
    """Refuse what several processes cannot share."""
    if (why := _obstacle(decided, request)) is not None:
        what, way_out = why
        raise RequestError("SC419", f"several processes cannot share this: {what}", suggestion=f"{way_out}\n{ALONE}")


def _obstacle(decided: Plan, request: Request) -> tuple[str, str] | None:
    """What is in the way, and the way out."""
    if decided.survey or decided.graph or decided.tallies:
        return "reports, graphs and folds need all states in one place", "use check or explore"
    for one in decided.properties:
        if (why := _about_cycles(one, decided)) is not None:
            return why
    if decided.strategy.name not in STRATEGIES:
        return f"strategy {decided.strategy.name!r} has no layers that all work on", "use full, sweep or generalised,"
    if decided.engine != "native":
        return f"each of them runs the native engine ({decided.engine_reason})", 'use engine="native",'
    if decided.gc.policy != "layer" and decided.strategy.forgets:
        return "they forget when all are done with a layer", 'use gc="layer",'
    if decided.measure is not None and not decided.measure.order.total:
        return "the order of the measure is partial", "use a measure whose values are numbers, or tuples of these,"
    if decided.classes is not None:
        return "equivalent states have one owner only if all processes agree who stands for them", (
            "use equivalence=False,"
        )
    if decided.bound is not None and decided.bound.depth is not None:
        return "a bound on steps is about the order in which one process finds states", "use up_to with a condition,"
    if decided.checkpoint is not None or decided.spill is not None:
        return "a checkpoint, and states on disk, are those of one process", "use cluster_dir=...,"
    if decided.trace_dir is not None:
        return "each process has a parent file of its own", "leave trace_dir=... out,"
    if request.workers not in (1, "auto"):
        return "each process has one worker", "leave workers out: a process for each processor does the same,"
    return _unsent(request)


def _about_cycles(asked: Property, decided: Plan) -> tuple[str, str] | None:
    """Why the cycles that a property is about cannot be looked at. Those of a layer can, where it is left for good."""
    if asked.kind.decided_by_states:
        return None
    if asked.kind is Kind.CTL or asked.remembers:
        return (
            f"{asked.kind} {asked.name!r} needs all edges, or a memory in every state",
            "ask for AG EF, AG AF and what single states and steps decide there, and for this in a run of its own,",
        )
    if not decided.strategy.by_progress:
        return (
            f"{asked.kind} {asked.name!r} is about cycles, and those of a full exploration go through all processes",
            "declare a progress measure: a sweep decides it layer by layer,",
        )
    return None


def _unsent(request: Request) -> tuple[str, str] | None:
    """What of a request is a function, which no other process knows."""
    if request.measure is not None and not isinstance(request.measure, str):
        return "the measure is given as a function", "declare it in the model's file, or give it as text,"
    if any(not isinstance(one, str) for one in (request.constraints or ())) or callable(request.up_to):
        return "a constraint is given as a function", "declare it in the model's file, or give it as text,"
    return None


def _asked(system: System, properties: Sequence[Property], request: Request) -> dict[str, Any]:
    """The options that every process plans with."""
    return {
        "properties": [_named(system, one) for one in properties],
        "measure": request.measure,
        "strategy": request.strategy,
        "fair": None if request.fair is None else list(request.fair),
        "stuttering": request.stuttering,
        "keep_going": request.keep_going,
        "trace": request.trace,
        "verify_actions": request.verify_actions,
        "equivalence": request.equivalence,
        "up_to": request.up_to,
        "constraints": None if request.constraints is None else list(request.constraints),
        "table_memory": request.table_memory,
    }


def _says(asked: Property) -> bool:
    """Whether the name of a property is its formula."""
    from sweepcheck.logic.parsing import parse  # needs the grammar

    try:
        return parse(asked.name) == asked.formula
    except SweepcheckError:
        return False


def _named(system: System, asked: Property) -> tuple[str, str]:
    """A property by its kind and name: one that the model declares, or whose name is the text that it was made from."""
    if any(asked.name == one.name and asked.kind is one.kind for one in system.properties):
        return "declared", asked.name
    if asked.kind is Kind.DEADLOCK and asked.predicate is None:
        return "deadlock", asked.name
    if asked.kind.has_formula and asked.formula is not None and _says(asked):
        return str(asked.kind), asked.name
    code = getattr(asked.predicate, "__code__", None)
    if asked.pattern is not None:
        return "never", asked.name
    if getattr(code, "co_filename", "") == f"<expression {asked.name}>" or system.condition(asked.name) is not None:
        return str(asked.kind), asked.name
    raise RequestError(
        "SC419",
        f"several processes cannot share this: {asked.kind} {asked.name!r} is a function, which no other process knows",
        suggestion="declare it in the model's file, and ask for it by its name\n" + ALONE,
    )
