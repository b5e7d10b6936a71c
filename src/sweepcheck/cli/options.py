"""Options that several commands share, and the kinds of values they take."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from sweepcheck.api import too_late
from sweepcheck.cli.session import Session, session_of
from sweepcheck.cli.words import parameter_words
from sweepcheck.core.deadline import TimeUp, within
from sweepcheck.core.limits import Limits
from sweepcheck.core.measure import Measure
from sweepcheck.core.model import System
from sweepcheck.core.request import CheckOptions, default_of
from sweepcheck.errors import RequestError
from sweepcheck.models.parameters import parse_parameters
from sweepcheck.planner import ENGINES, MOST_WORKERS
from sweepcheck.strategies import DEFAULT_CACHE_SIZE, STRATEGIES

Command = Callable[..., Any]
OPTION_NAMES = tuple(one.name for one in fields(CheckOptions))
LEAST_SECONDS = 1e-6  # for a run whose time is over when it begins: it says so itself


class ModelReference(click.ParamType):  # type: ignore[type-arg]  # takes one from click 8.4 on only
    """A model file: `FILE.py`, `FILE.py:factory`, `FILE.psl` and others; shells complete it as a file."""

    name = "FILE.py[:factory]"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        """Let the shell complete file names."""
        return [CompletionItem(incomplete, type="file")]


class Amount(click.ParamType):  # type: ignore[type-arg]  # takes one from click 8.4 on only
    """A number with a unit."""

    def __init__(self, name: str, units: dict[str, float], example: str, or_none: bool = False) -> None:
        self.name = name
        self._units = units
        self._example = example
        self._or_none = or_none  # whether 0 is an amount

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The amount in the smallest unit."""
        if isinstance(value, int | float):
            return float(value)
        match = re.fullmatch(r"\s*([0-9][0-9_.]*(?:e[0-9]+)?)\s*([a-z]*)\s*", str(value).lower())
        try:
            amount = float(match[1]) * self._units[match[2]] if match else math.nan
        except (KeyError, ValueError):
            amount = math.nan
        if not 0 <= amount < math.inf or (amount == 0 and not self._or_none):
            self.fail(f"{value!r} is not {self.name}; write for example {self._example}", param, ctx)
        return amount


class Folder(click.Path):
    """A folder. No text names none, though a path made of it is the folder where we are."""

    def __init__(self) -> None:
        super().__init__(file_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The folder as a path."""
        if value == "":
            self.fail("'' is not a folder", param, ctx)
        return super().convert(value, param, ctx)


class WorkerCount(click.ParamType):  # type: ignore[type-arg]  # takes one from click 8.4 on only
    """A number of threads, or `auto`."""

    name = "N|auto"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | str:
        """The number, or `auto`."""
        if value == "auto":
            return "auto"
        if not re.fullmatch("[0-9]{1,3}", str(value)) or not 1 <= int(value) <= MOST_WORKERS:
            self.fail(f"{value!r} is no number of threads; write 1 to {MOST_WORKERS}, or auto", param, ctx)
        return int(value)


FOLDER = Folder()
_TIMES = {"": 1, "ms": 0.001, "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}
DURATION = Amount("a time", _TIMES, "90, 10m or 2h")
INTERVAL = Amount("a time", _TIMES, "90, 10m, or 0 for as often as possible", or_none=True)
MEMORY = Amount(
    "a size",
    {prefix + unit: 1024.0**power for power, prefix in enumerate(("", "k", "m", "g", "t")) for unit in ("", "b", "ib")},
    "500M or 2G",
)


@dataclass(frozen=True, slots=True)
class Run:
    """A model, and how it is to be explored. `options` are those of the API that were typed: it has the defaults."""

    reference: str
    parameters: tuple[str, ...]
    options: dict[str, Any]
    profile: bool = False
    plot: Path | None = None

    def live_measure(self, system: System) -> Measure | None:
        """The measure by which a live line can tell how far the run is: the model's, unless another was typed."""
        return system.measure if "measure" not in self.options else None


def typed(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of the API among those of a command, without those that were not typed."""
    given = {name: options.get(name) for name in OPTION_NAMES}
    states, seconds, memory = (options.get(name) for name in ("max_states", "time_limit", "memory_limit"))
    disk = asked_disk(options)
    if (states, seconds, memory, disk) != (None, None, None, None):
        given["limits"] = Limits(states, seconds, None if memory is None else int(memory), disk)
    if given["table_memory"] is not None:
        given["table_memory"] = int(given["table_memory"])
    given["measure"] = asked_measure(options)
    given["constraints"] = asked_constraints(options)
    return {name: value for name, value in given.items() if value is not None}


def asked_measure(options: Mapping[str, Any]) -> str | None:
    """The measure asked for, as text: an expression or kinds to compute."""
    several, progress = options["measures"], options["progress"]
    if progress is not None and several:
        raise RequestError("SC404", "--progress and --measure contradict each other", suggestion="give --measure")
    return ",".join(several) or progress


def asked_disk(options: Mapping[str, Any]) -> int | None:
    """How many bytes of a temporary file may be used; 0 for none at all."""
    limit, none = options.get("disk_limit"), options.get("no_disk", False)
    if limit is not None and none:
        raise RequestError("SC404", "--disk-limit and --no-disk contradict each other", suggestion="give one of them")
    return 0 if none else None if limit is None else int(limit)


def asked_constraints(options: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The constraints in the place of the model's; None, which means its own, without any flag."""
    several, none = options.get("constraints", ()), options.get("no_constraints", False)
    if several and none:
        raise RequestError(
            "SC404", "--constraint and --no-constraints contradict each other", suggestion="give one of them"
        )
    return several if several or none else None


def _keep(name: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    """Let an option set one of the session's limits on files."""

    def set_limit(context: click.Context, _: click.Parameter, value: Any) -> None:
        if value is not None:
            session = session_of(context)
            changed: dict[str, Any] = {name: int(value) if name == "bytes" else value}
            session.files = replace(session.files, **changed)

    return set_limit


def _keep_unfolding(context: click.Context, _: click.Parameter, value: bool | None) -> None:
    session_of(context).unfold = value


def _keep_time_equivalence(context: click.Context, _: click.Parameter, value: bool) -> None:
    session_of(context).time_equivalence = value


FILE_OPTIONS = (
    click.option(
        "--max-file-size", type=MEMORY, metavar="SIZE", expose_value=False, callback=_keep("bytes"),
        help="Refuse files with more than SIZE bytes.  [default: 64M]",
    ),
    click.option(
        "--max-components", type=click.IntRange(min=1), metavar="N", expose_value=False, callback=_keep("components"),
        help="Refuse networks with more than N components.  [default: 10000]",
    ),
    click.option(
        "--max-size", type=click.IntRange(min=1), metavar="N", expose_value=False, callback=_keep("size"),
        help="Refuse networks whose components have more than N locations and steps together.  [default: 5000000]",
    ),
    click.option(
        "--allow-outside", is_flag=True, expose_value=False, callback=_keep("outside"),
        help="Let a .network file name files that do not lie below its folder.",
    ),
    click.option(
        "--unfold/--no-unfold", default=None, expose_value=False, callback=_keep_unfolding,
        help="Run a coloured net of a PNML file as a place/transition net, or as it is.  [default: the faster one]",
    ),
)  # fmt: skip
REFERENCE = click.argument("reference", metavar="FILE.py[:factory]", type=ModelReference())
REFERENCES = click.argument(
    "references", metavar="FILE.py[:factory]...", type=ModelReference(), nargs=-1, required=True
)
MODEL_OPTIONS = (
    REFERENCE,
    click.option(
        "-p",
        "--parameter",
        "parameters",
        multiple=True,
        metavar="NAME=VALUE",
        shell_complete=parameter_words,
        help="A parameter of the model, read as what its default is; repeatable.",
    ),
    click.option(
        "--measure",
        "measures",
        multiple=True,
        metavar="EXPR|[COMPONENT=]KIND",
        help="Progress measure, instead of the one the model declares: Python over the model's variables. Of a network "
        "of processes also what to compute: scc, tree, both or auto, for all components, or for one or a family "
        "(voter=scc); repeatable. `sweepcheck progress` shows what can be had.",
    ),
    click.option(
        "--progress",
        metavar="auto|EXPR",
        help="The same as --measure. `auto` (with check and explore) looks for a measure: after a short plain "
        "exploration, which is all where the model is small.",
    ),
)
ENGINE_OPTION = click.option(
    "--engine",
    type=click.Choice(list(ENGINES)),
    help="Who runs the loop: the compiled engine (native), pure Python (reference), or native where it can (auto).  "
    f"[default: {default_of('engine')}]",
)
WORKERS_OPTION = click.option(
    "--workers",
    type=WorkerCount(),
    metavar="N|auto",
    help="Let N threads share the work of the native engine, once there is enough of it; auto: as many as there "
    f"are processors, two where these are three.  [default: {default_of('workers')}]",
)
CLUSTER_OPTIONS = (
    click.option(
        "--cluster",
        metavar="auto|ADDRESS",
        help="Let the processes of a Ray cluster share the run: the one at ADDRESS, or (auto) the one that is running "
        "here, or else one that is started on this machine.",
    ),
    click.option(
        "--processes",
        type=click.IntRange(min=1),
        metavar="N",
        help="How many processes of the cluster take part.  [default: one for each of its processors]",
    ),
    click.option(
        "--cluster-dir",
        metavar="DIR",
        help="Where the processes of a cluster keep, once a minute or as --checkpoint-every says, what is needed to go "
        "on when one of them dies: a folder, or an address such as s3://bucket/run.",
    ),
)
RUN_OPTIONS = (
    *MODEL_OPTIONS,
    click.option(
        "--time-equivalence",
        is_flag=True,
        expose_value=False,
        callback=_keep_time_equivalence,
        help="Take states of a file of CPN Tools for one that differ only in what time it is, and for how long tokens "
        "were ready: one of them is explored.",
    ),
    click.option(
        "--strategy",
        type=click.Choice(list(STRATEGIES)),
        help="Keep every state (full); forget those behind a progress measure that never goes down (sweep), that "
        "may go down (generalised), or that is a product (column); or go depth first with a bounded cache (caching).  "
        "[default: generalised if there is a measure, sweep if a property or a cut-off needs it, else full; networks "
        "of processes: what their measures allow]",
    ),
    click.option(
        "--gc",
        metavar="layer|N|auto",
        help="When a sweep forgets: whenever a layer is done, after every N new states, or at intervals that adapt.  "
        f"[default: {default_of('gc')}]",
    ),
    click.option(
        "--cache-size",
        type=click.IntRange(min=0),
        metavar="N",
        help=f"Let strategy caching keep N states beside those on its stack.  [default: {DEFAULT_CACHE_SIZE}]",
    ),
    click.option(
        "--max-states",
        type=click.IntRange(min=1),
        metavar="N",
        help="Stop when N states have been found; one that was forgotten and is found again counts again.",
    ),
    click.option(
        "--up-to",
        metavar="EXPR|N",
        help="Explore a part of the model: only steps from states that satisfy EXPR are followed, Python over its "
        "variables and `progress`; or N steps from where it starts.",
    ),
    click.option(
        "--constraint",
        "constraints",
        multiple=True,
        metavar="EXPR",
        help="Explore only states that satisfy EXPR, as --up-to does, instead of the constraints that the model "
        "declares; repeatable.",
    ),
    click.option("--no-constraints", is_flag=True, help="Explore all states, whatever constraints the model declares."),
    click.option("--time-limit", type=DURATION, metavar="TIME", help="Stop after this time: seconds, or 10m, 2h."),
    click.option(
        "--memory-limit",
        type=MEMORY,
        metavar="SIZE",
        help="Stop when this much memory is resident: bytes, or 500M, 2G.",
    ),
    click.option(
        "--checkpoint",
        type=FOLDER,
        metavar="DIR",
        help="Write down in DIR how far the run is; the same command, or `sweepcheck resume DIR`, goes on from there.",
    ),
    click.option(
        "--checkpoint-every",
        type=INTERVAL,
        metavar="TIME",
        help="How often that is done: seconds, or 10m, 2h; 0: as often as possible.  "
        f"[default: {default_of('checkpoint_every') / 60:.0f}m]",
    ),
    click.option(
        "--spill",
        type=FOLDER,
        metavar="DIR",
        help="Keep states in a file in DIR when --memory-limit is near, instead of stopping there.",
    ),
    ENGINE_OPTION,
    WORKERS_OPTION,
    click.option(
        "--table-memory",
        type=MEMORY,
        metavar="SIZE",
        help="Let the tables of the native engine take this much; beyond it they are built anew.  "
        f"[default: {default_of('table_memory') >> 30}G]",
    ),
    click.option(
        "--no-equivalence",
        "equivalence",
        flag_value=False,
        default=None,
        help="Explore all states, though the model declares an equivalence or a cut-off.",
    ),
    click.option(
        "--verify-equivalence",
        is_flag=True,
        default=None,
        help="Before the run compare all states of each class (256 at most): can they do the same, and do they answer "
        "alike? Takes the memory of a full exploration.",
    ),
    click.option(
        "--verify-actions",
        is_flag=True,
        default=None,
        help="Run the model's functions again in every state, not only in a few: do they do the same? Slow.",
    ),
)
SHARED_RUN_OPTIONS = (*RUN_OPTIONS, *CLUSTER_OPTIONS)
SEARCH_OPTIONS = (
    click.option(
        "--progress-budget",
        type=DURATION,
        metavar="TIME",
        help="Look for a measure for so long: seconds, or 2m.  [default: 20s, or 5 % of --time-limit]",
    ),
    click.option(
        "--seed",
        type=int,
        metavar="N",
        help=f"The same seed finds the same measure, where there is time for it.  [default: {default_of('seed')}]",
    ),
)
LOOKING_OPTIONS = (
    click.option(
        "--profile",
        is_flag=True,
        help="Also print what each action cost, most expensive first, and what to do about it.",
    ),
    click.option(
        "--plot",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Draw stored states over progress, as .svg, .png or .pdf.",
    ),
)


def run_options(command: Command) -> Command:
    """The arguments and options of a run, and of looking at what it cost."""
    return exploration_options(command, (*SHARED_RUN_OPTIONS, *SEARCH_OPTIONS, *LOOKING_OPTIONS))


def check_options(command: Command) -> Command:
    """The same for several models."""
    return exploration_options(command, (REFERENCES, *SHARED_RUN_OPTIONS[1:], *SEARCH_OPTIONS, *LOOKING_OPTIONS))


def exploration_options(command: Command, options: Sequence[Callable[[Command], Command]] = RUN_OPTIONS) -> Command:
    """The arguments and options of a run alone, or some of them."""
    for decorate in reversed((*options, *FILE_OPTIONS)):
        command = decorate(command)
    return command


def file_options(command: Command) -> Command:
    """What files may ask for."""
    return exploration_options(command, ())


def loudness_options(command: Command) -> Command:
    """-q and -v."""
    quiet = click.option(
        "-q", "--quiet", is_flag=True, help="No live line; print verdicts, warnings and counter-examples only."
    )
    verbose = click.option("-v", "--verbose", is_flag=True, help="Also print a picture of the sweep; tracebacks.")
    return quiet(verbose(command))


def loaded(run: Run, session: Session) -> tuple[System, Run]:
    """The model, and the options with the time that is left for it: a time limit is for loading as well."""
    start = time.perf_counter()
    limits: Limits = run.options.get("limits", Limits())
    parameters = parse_parameters(run.parameters)
    try:
        system = within(limits.seconds, lambda: session.load(run.reference, parameters))
    except TimeUp as broken_off:
        raise too_late(f"while {run.reference} was loaded", broken_off) from None
    if limits.seconds is None:
        return system, run
    left = max(limits.seconds - (time.perf_counter() - start), LEAST_SECONDS)
    return system, replace(run, options=run.options | {"limits": replace(limits, seconds=left)})


def gather(options: Mapping[str, Any]) -> Run:
    """The run that the options of a command ask for."""
    looks = {name: options[name] for name in ("profile", "plot") if name in options}
    return Run(options["reference"], options["parameters"], typed(options), **looks)
