"""What a user asks for. A field here is the one home of an option: its name, its type and its default.

`check`, `explore`, `state_space_report` and queries take the fields as keywords, the command line hands over those that
were typed, and the planner turns them into a `Plan`. Nobody else has defaults.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from sweepcheck.core.limits import Limits
from sweepcheck.core.measure import Measure
from sweepcheck.core.observer import Observer
from sweepcheck.core.plan import Tally
from sweepcheck.core.property import Property
from sweepcheck.core.survival import EVERY
from sweepcheck.errors import RequestError, caller, closest

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a model is explored: the options of every run. `check` says what each of them means."""

    measure: Measure | Callable[[Any], Any] | str | Mapping[str, str] | None = None
    strategy: str | None = None
    gc: str | int = "layer"
    cache_size: int | None = None
    limits: Limits | None = None
    engine: str = "auto"
    workers: int | str = "auto"
    verify_actions: bool = False
    equivalence: bool = True
    verify_equivalence: bool = False
    up_to: Callable[[Any], object] | str | int | None = None
    constraints: Sequence[Callable[[Any], object] | str] | None = None
    table_memory: int = 1 << 30  # bytes
    checkpoint: Path | str | None = None  # a folder
    checkpoint_every: float = EVERY  # seconds
    spill: Path | str | None = None  # a folder
    observer: Observer | None = None
    cluster: str | None = None
    processes: int | None = None
    cluster_dir: Path | str | None = None
    progress_budget: float | None = None  # seconds
    seed: int = 1  # of the search for a measure


@dataclass(frozen=True, slots=True)
class CheckOptions(Options):
    """What is decided on the way, and what is kept to show it. Properties are objects, or names of declared ones."""

    properties: Sequence[Property | str] | None = None
    _: KW_ONLY
    fair: Sequence[str] | None = None
    stuttering: bool | None = None
    keep_going: bool = False
    trace: bool = True
    trace_dir: Path | str | None = None
    shorten: bool | str = False  # "switches": the fewest context switches, and then the fewest steps


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkOptions:
    """How random walks are made, and what is looked for."""

    walks: int = 1_000
    depth: int = 200
    seed: int | None = None
    properties: Sequence[Property | str] | None = None
    limits: Limits | None = None
    engine: str = "auto"
    workers: int | str = "auto"
    keep_going: bool = False
    up_to: Callable[[Any], object] | str | int | None = None
    constraints: Sequence[Callable[[Any], object] | str] | None = None
    table_memory: int = 1 << 30  # bytes


@dataclass(frozen=True, slots=True)
class Request(CheckOptions):
    """What the planner is asked: the options of a user, and what queries, reports and graphs want counted or kept."""

    _: KW_ONLY
    tallies: tuple[Tally, ...] = ()
    survey: bool = False
    graph: bool = False


Kind = TypeVar("Kind", bound=Options)


def default_of(option: str) -> Any:
    """The default of an option."""
    return next(one.default for one in fields(CheckOptions) if one.name == option)


def refuse_unknown(taker: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Refuse options that a function does not take, with the one that was perhaps meant."""
    taken = tuple(known)
    elsewhere = {one.name for one in fields(CheckOptions)}.difference(taken)
    for name in given:
        if name not in taken:
            limit = name.removeprefix("max_").removesuffix("_limit")  # as the command line has them
            if limit in {one.name for one in fields(Limits)} and "limits" in taken:
                suggestion = f"write limits=Limits({limit}=...)"
            else:
                suggestion = f"check() takes {name}=" if name in elsewhere else closest(name, taken)
            raise RequestError("SC403", f"{taker} has no option {name!r}", where=caller(), suggestion=suggestion)


def taking(
    options: Callable[Given, Options | WalkOptions],
) -> Callable[[Callable[..., Answer]], Callable[Concatenate[Any, Given], Answer]]:
    """Let a function of a model take the fields of `options` as arguments; it gets those that were given, by keyword.

    Type checkers, editors and `inspect.signature` see each of them, with its default.
    """

    def decorate(function: Callable[..., Answer]) -> Callable[Concatenate[Any, Given], Answer]:
        model = next(iter(inspect.signature(function).parameters.values()))
        taken = inspect.signature(options).parameters
        signature = inspect.signature(function).replace(parameters=[model, *taken.values()])

        @wraps(function)
        def call(*arguments: Any, **given: Any) -> Answer:
            refuse_unknown(f"{function.__name__}()", given, signature.parameters)
            return function(**signature.bind(*arguments, **given).arguments)

        call.__signature__ = signature  # type: ignore[attr-defined]
        return call

    return decorate


def refusing(kind: type[Kind]) -> type[Kind]:
    """Let a class that is made from options refuse unknown ones as the functions do."""
    make = kind.__init__

    @wraps(make)
    def init(self: Any, *arguments: Any, **given: Any) -> None:
        refuse_unknown(f"{kind.__name__}()", given, inspect.signature(make).parameters)
        make(self, *arguments, **given)

    kind.__init__ = init  # type: ignore[method-assign]
    return kind
