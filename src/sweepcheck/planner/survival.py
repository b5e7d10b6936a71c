"""Checkpoints and states on disk: what can be had, and why the rest cannot. Every refusal comes before the run."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryFile

from sweepcheck.core.limits import Limits
from sweepcheck.core.plan import Plan
from sweepcheck.core.property import Kind
from sweepcheck.core.request import Request
from sweepcheck.core.survival import Checkpointing, have_folder
from sweepcheck.errors import RequestError, shown
from sweepcheck.planner.folders import asked_folder

MOST_SECONDS = 1e9


def asked_checkpoint(request: Request) -> Checkpointing | None:
    """Where and how often it is to be written down how far the run is."""
    every = request.checkpoint_every
    if isinstance(every, bool) or not isinstance(every, int | float) or not 0 <= every <= MOST_SECONDS:
        raise RequestError(
            "SC403",
            f"{shown(every)} is no time between two checkpoints",
            suggestion="give seconds: checkpoint_every=600; 0 means as often as possible",
        )
    folder = asked_folder(request.checkpoint)
    if folder is not None and request.trace_dir is not None:
        raise RequestError(
            "SC418",
            "a checkpoint has the file of parents in its own folder",
            suggestion="leave the other folder out: trace_dir, --trace-dir",
        )
    return None if folder is None else Checkpointing(folder, float(every))


def asked_spill(request: Request, limits: Limits) -> Path | None:
    """Where states are to go that memory has no room for."""
    folder = asked_folder(request.spill)
    if folder is None:
        return None
    if limits.memory is None:
        raise RequestError(
            "SC418",
            "states go to the disk when memory is scarce, and there is no limit to it",
            suggestion="add limits=Limits(memory=...), --memory-limit 2G",
        )
    if not sys.platform.startswith("linux"):
        raise RequestError("SC418", "states can go to the disk on Linux only", suggestion="leave out --spill")
    try:
        have_folder(folder)
        with TemporaryFile(dir=folder) as probe:  # without a name: nobody's file is in the way, nor another run's
            probe.write(b"x")
    except OSError as error:
        raise RequestError(
            "SC616",
            f"states cannot be written to {folder}: {error.strerror}",
            suggestion="choose another folder: --spill DIR",
        ) from None
    return folder


def surviving(decided: Plan, workers: int | str) -> Plan:
    """The plan, if it can do what is asked of checkpoints and of the disk; one worker where that needs it."""
    if decided.checkpoint is None and decided.spill is None:
        return decided
    what = "a checkpoint cannot be kept" if decided.checkpoint is not None else "states cannot go to the disk"
    reason = _obstacle(decided)
    if reason is not None:
        why, way_out = reason
        raise RequestError("SC418", f"{what}: {why}", suggestion=way_out)
    if decided.spill is None:
        return decided
    if workers not in (1, "auto"):
        raise RequestError(
            "SC418", "states that go to the disk have one worker", suggestion="leave out --workers, or --spill"
        )
    return replace(decided, workers=1)


def _obstacle(decided: Plan) -> tuple[str, str] | None:
    """Why it cannot be had, and what to do instead."""
    if decided.engine != "native":
        return (
            f"the reference engine does neither ({decided.engine_reason})",
            'use engine="native", or leave the folder out',
        )
    if decided.strategy.order in ("column", "depth"):
        return (
            f"strategy {decided.strategy.name!r} has no moment at which little is to be kept",
            'use strategy="sweep"; generalised or full do as well',
        )
    return None if decided.checkpoint is None else _unkept(decided)


def _unkept(decided: Plan) -> tuple[str, str] | None:
    """What a checkpoint does not hold."""
    if decided.graph:
        return "the edges of a state graph are not written down", "explore() or check() instead"
    if any(asked.kind is Kind.CTL for asked in decided.properties):
        return "the edges that CTL needs are not written down", "ask for AG EF, AG AF or LTL, in a sweep"
    if decided.about_cycles and not decided.strategy.by_progress:
        return (
            "what is asked needs all edges until the run ends, and these are not written down",
            "declare a progress measure: a sweep decides it layer by layer",
        )
    if any(tally.edges for tally in decided.tallies):
        return "what a fold knows about edges is not written down", "fold over states"
    symmetry = None if decided.classes is None else decided.classes.symmetry
    if symmetry is not None and symmetry.names:
        return (
            "which state stands for its class depends on the run, where values name members of symmetric sets",
            "explore all states: equivalence=False, --no-equivalence",
        )
    return None
