"""Every error a user can meet, and the table of their codes.

    SweepcheckError         code, what happened, where, offending values, what to do
    ├── ModelError          the model is wrong: its file, its declarations, or what it does while it runs
    │   ├── ModelIndexError and the like   also an IndexError, as Python's own containers raise
    │   └── StoppedError    it was stopped before there was anything to report
    ├── MeasureError        the progress measure does not keep its promise
    ├── RequestError        the request cannot be carried out (unknown name, unsound combination, missing extra)
    ├── TraceError          a saved trace is broken or belongs to another model
    └── RequirementError    a report does not show what is required of it; also an AssertionError

Library code raises these and never prints; the command line renders them and exits with 2 (a StoppedError: 3 or 130).
"""

from __future__ import annotations

import re
import sys
import sysconfig
import traceback
from collections.abc import Callable, Iterable
from functools import lru_cache, wraps
from itertools import chain, islice, repeat
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import ParamSpec, Self, TypeVar

from sweepcheck.folding import fold, folded
from sweepcheck.text import value_text, visible_lines

Given = ParamSpec("Given")
Answer = TypeVar("Answer")

MOST_NAMED = 12  # names that an error lists
MOST_COMPARED, LONGEST_COMPARED = 5000, 200  # names, and characters of each, among which a similar one is looked for
LONGEST = 2000  # characters of one part of an error; a state can be far longer than anybody reads

CODES: dict[str, str] = {
    "SC101": "the model file cannot be read",
    "SC102": "the model file is not valid Python",
    "SC103": "the model file raised an exception while it was loaded",
    "SC104": "no model, or more than one, was found in the file",
    "SC105": "a model parameter is unknown or malformed",
    "SC106": "the object is not a model",
    "SC107": "an object that was given raised an exception when it was looked at",
    "SC110": "a model or one of its variables is declared wrongly",
    "SC111": "an initial value cannot be part of a state",
    "SC112": "a name is declared twice",
    "SC113": "a function cannot be an action",
    "SC114": "a function looks like an action but is not decorated",
    "SC115": "a function of a model depends on or changes what is outside the state",
    "SC116": "an initial state is wrong",
    "SC117": "a property, progress measure or equivalence is declared wrongly",
    "SC118": "a symmetry is declared wrongly",
    "SC119": "a function cannot be a process",
    "SC120": "something is not a colour",
    "SC121": "a place is declared wrongly",
    "SC122": "a transition or its arcs are declared wrongly",
    "SC123": "an inscription cannot be read",
    "SC124": "nothing binds a variable of a transition",
    "SC125": "an inscription does not fit the colour of its place",
    "SC126": "an initial marking is wrong",
    "SC127": "a free variable has no finite colour",
    "SC128": "a module does not fit where it is used",
    "SC129": "a module contains itself",
    "SC130": "the places of a fusion set do not agree",
    "SC131": "a time stamp or delay is not possible",
    "SC132": "a file is not XML that can be read",
    "SC133": "a PNML file holds no net that can be read",
    "SC134": "an id in a PNML file is missing, unknown, given twice, or refers to itself",
    "SC135": "a PNML file says something that this reader does not know",
    "SC136": "a number in a PNML file is none",
    "SC137": "a sort or term in a PNML file makes no sense",
    "SC138": "a net cannot be converted",
    "SC139": "a coloured net cannot be unfolded",
    "SC140": "CPN ML cannot be read",
    "SC141": "CPN ML has a type or name that does not fit",
    "SC142": "CPN ML needs something that is not supported",
    "SC143": "CPN ML raised an exception, or has no end",
    "SC144": "a file of CPN Tools is not XML that can be read",
    "SC145": "a file is no net of CPN Tools, or says something that is not known",
    "SC146": "a net of CPN Tools needs something that cannot be explored",
    "SC147": "parts of a net of CPN Tools do not fit together",
    "SC148": "nothing binds a variable of a net of CPN Tools",
    "SC149": "a query of CPN Tools asks about a whole state space",
    "SC151": "a comparison stands alone in an action",
    "SC152": "functions made in a loop all have its last value",
    "SC153": "an action catches the exception by which it is disabled",
    "SC201": "an action raised an exception",
    "SC202": "the model has no such variable",
    "SC203": "a value cannot be part of a state",
    "SC204": "a variable was replaced or deleted that cannot be",
    "SC205": "a draft was used outside its action",
    "SC206": "something was done outside an action that only an action can do",
    "SC207": "an index is out of range",
    "SC208": "an action returned a value",
    "SC209": "a predicate or measure raised an exception",
    "SC210": "a predicate returned no truth value",
    "SC211": "successors() gave something that is not (label, state)",
    "SC212": "choose() cannot choose from what it was given",
    "SC213": "an action did something else when it was run again",
    "SC214": "a bag, queue or array was asked for something it cannot do",
    "SC215": "values are equal and not alike",
    "SC216": "time or memory was up, or somebody interrupted, before there was anything to report",
    "SC219": "a step of a process has no end",
    "SC220": "a transition made a token outside the colour of its place",
    "SC221": "a coefficient is not a number of tokens",
    "SC222": "a delay was not possible",
    "SC223": "an inscription raised an exception",
    "SC230": "the key of an equivalence is not a value",
    "SC231": "equivalent states have different progress",
    "SC232": "equivalent states answer a question differently",
    "SC233": "equivalent states cannot do the same",
    "SC234": "fairness is declared to what is no action",
    "SC235": "a formula cannot be understood",
    "SC236": "a formula speaks of what the model does not know",
    "SC237": "a formula is none of the logic that is asked for, or a predicate is declared wrongly",
    "SC238": "an automaton cannot be read",
    "SC239": "a set is compared or combined with what is no set",
    "SC301": "progress went down on a step",
    "SC302": "progress values cannot be ordered",
    "SC303": "the strategy needs a progress measure, or another one",
    "SC304": "a part of the measure declared to be monotone went down on a step",
    "SC401": "the model has no such property",
    "SC402": "an expression cannot be evaluated",
    "SC403": "an option is not known, or its value is not allowed",
    "SC404": "the combination is not possible",
    "SC405": "an optional package is missing",
    "SC406": "a file cannot be written",
    "SC407": "the model has no such action",
    "SC408": "a simulation cannot make this move",
    "SC409": "a report does not show what is required of it",
    "SC410": "a file is larger than allowed",
    "SC411": "a formula file cannot be read",
    "SC412": "a formula is of a kind that cannot be decided",
    "SC413": "an action cannot be asked for",
    "SC414": "a formula needs too large an automaton",
    "SC415": "a temporal formula cannot be decided in this way",
    "SC417": "a graph or random walks cannot be had so",
    "SC418": "a checkpoint, or states on disk, cannot be had so",
    "SC419": "a run cannot be shared by several processes",
    "SC501": "the trace file cannot be read",
    "SC502": "the trace does not replay on the model",
    "SC503": "the trace is to be replayed, and no model is given",
    "SC601": "a process file cannot be understood",
    "SC602": "a process file uses a name that is not there, or declares one twice",
    "SC603": "a value in a process file is wrong",
    "SC604": "a process has no end of locations",
    "SC605": "an .aut file cannot be understood",
    "SC606": "a network file cannot be understood",
    "SC607": "a file describes more than is allowed",
    "SC608": "a network file names a file outside its folder",
    "SC610": "a labelled transition system is declared wrongly",
    "SC611": "components do not fit together",
    "SC612": "the network has no such event",
    "SC613": "a state graph is larger than its file may be",
    "SC614": "a state graph cannot be written in this form",
    "SC615": "the model of a published table is not there",
    "SC616": "a checkpoint, or states, cannot be written to a folder",
    "SC617": "a value cannot be written to a checkpoint",
    "SC618": "a checkpoint cannot be read",
    "SC619": "a checkpoint is of another run",
    "SC620": "there is no cluster, or none can be started",
    "SC621": "a process of the cluster has another version, or another model",
    "SC622": "a process of the cluster died",
    "SC623": "what a shared run keeps to go on cannot be written or read",
    "SC701": "an event has no such field",
    "SC702": "a step was observed as two events",
    "SC703": "what a log shows of a model is declared wrongly",
    "SC704": "a log cannot be read",
    "SC706": "a model cannot be compared with a log",
    "SC707": "a history cannot be read",
    "SC708": "a sequential model raised an error",
}


class SweepcheckError(Exception):
    """What happened in the user's words, where, with which values, and what to do about it."""

    def __init__(
        self,
        code: str,
        what: str,
        *,
        where: str | None = None,
        values: Iterable[tuple[str, str]] = (),
        suggestion: str | None = None,
    ) -> None:
        if code not in CODES:
            raise LookupError(f"error code {code} is not in the table")
        super().__init__(what)
        self.code = code
        self.what = clip(what)
        self.where = where
        self.values = tuple((key, clip(text)) for key, text in values)
        self.suggestion = None if suggestion is None else clip(suggestion)
        self.trace: object = None  # the path to the state in which it went wrong, where an engine knows it
        self.way: Callable[[int | None], str] | None = None  # that path as text of so many columns
        self.path: dict[str, object] | None = None  # and as JSON data

    def add(self, *values: tuple[str, str], where: str | None = None) -> Self:
        """Tell more of the circumstances: values before those already there, and the place if none is known yet."""
        self.where = self.where or where
        self.values = (*((key, clip(text)) for key, text in values), *self.values)
        return self

    def __str__(self) -> str:
        return self.text()

    def text(self, width: int | None = None) -> str:
        """The error, and the way to where it happened in lines of at most `width` columns."""
        told = visible_lines(self._lines(width))
        return told if self.way is None else f"{told}\n\n{self.way(width)}"

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows: the error, and not the thirty frames between the cell and it."""
        return self.text().split("\n")

    def _lines(self, columns: int | None) -> str:
        first, *rest = self.what.split("\n")
        rows = [fold(f"error[{self.code}]: {first}", columns), *(fold(f"  {line}", columns, "  ") for line in rest)]
        pairs = [("at", self.where), *self.values, ("help", self.suggestion)]
        width = max((len(key) for key, text in pairs if text), default=4)
        for key, text in pairs:
            if text:
                blank = " " * (width + 4)
                for head, line in zip(chain([f"  {key:<{width}}  "], repeat(blank)), text.split("\n"), strict=False):
                    rows += folded(head, line.split(" "), " ", columns, blank)
        rows.append(f"  {'docs':<{width}}  errors/{self.code}")
        return "\n".join(rows)

    def to_json(self) -> dict[str, object]:
        """The same facts as plain JSON data."""
        return {
            "code": self.code,
            "what": self.what,
            "where": self.where,
            "values": [list(pair) for pair in self.values],
            "help": self.suggestion,
            "trace": self.path,
        }


class ModelError(SweepcheckError):
    """The model is wrong: its file, its declarations, or what it does while it runs."""


# What Python's own containers raise is handled in a model as one handles it there: `except IndexError`.
class ModelAttributeError(ModelError, AttributeError):
    """A structure has no such operation."""


class ModelIndexError(ModelError, IndexError):
    """An index is out of range."""


class ModelKeyError(ModelError, KeyError):
    """A map has no such key."""


class ModelTypeError(ModelError, TypeError):
    """A structure cannot do this at all, or a value cannot be part of a state."""


class ModelValueError(ModelError, ValueError):
    """No element is equal to a value."""


class StoppedError(ModelError):
    """The time was up, or somebody interrupted, before there was anything to report."""


class MeasureError(SweepcheckError):
    """The progress measure does not keep its promise."""


class RequestError(SweepcheckError):
    """The request cannot be carried out."""


class TraceError(SweepcheckError):
    """A saved trace is broken or belongs to another model."""


class RequirementError(SweepcheckError, AssertionError):
    """A report does not show what is required of it. What it does show, verdicts and traces, follows the message."""

    def __init__(self, what: str, *, evidence: str = "", suggestion: str) -> None:
        super().__init__("SC409", what, suggestion=suggestion)
        self.evidence = evidence

    def text(self, width: int | None = None) -> str:
        """The error, and the verdicts and traces that it is about."""
        return f"{super().text(width)}\n\n{self.evidence}" if self.evidence else super().text(width)


def public(function: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """A function that users call. What an object of theirs raises meanwhile, in its `__eq__` or `__repr__`, say, gets
    a code; whatever else is raised is a fault of ours and stays one.
    """

    @wraps(function)
    def call(*arguments: Given.args, **options: Given.kwargs) -> Answer:
        try:
            return function(*arguments, **options)
        except (SweepcheckError, MemoryError):
            raise
        except Exception as error:
            where = _raised_outside(error)
            if where is None:
                raise
            name = function.__qualname__.partition("._")[0]
            raise ModelError(
                "SC107",
                f"an object that was given to {name}() raised {told(error)}",
                where=where,
                values=[("traceback", own_traceback(error))],
                suggestion="mend its __eq__, __hash__, __repr__ or whichever method it is, or give a plain value",
            ) from error

    return call


def _raised_outside(error: BaseException) -> str | None:
    """The line of the user's own code that raised an exception; None if that was this package."""
    libraries = tuple({sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")})
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if _is_ours(frame.filename):
            return None
        if not frame.filename.startswith(("<frozen ", *libraries)):
            return _position(frame.filename, frame.lineno)
    return None


def clip(text: str, most: int = LONGEST) -> str:
    """The text, without its middle if it is very long."""
    if len(text) <= most:
        return text
    kept = most // 2
    return f"{text[:kept]} ... ({len(text) - 2 * kept:,} characters left out) ... {text[-kept:]}"


def shown(value: object) -> str:
    """A value of the user's as text, even if it cannot be printed; functions without their address."""
    if isinstance(value, FunctionType):
        return "a lambda" if value.__name__ == "<lambda>" else f"function {value.__name__}"
    try:
        return clip(value_text(value))
    except Exception as error:  # noqa: BLE001 - whatever a __repr__ of the user's may raise
        return f"<{type(value).__name__} whose repr raised {type(error).__name__}>"


def told(error: BaseException) -> str:
    """An exception in one line: its kind and the first line of its message."""
    try:
        message = str(error)
    except Exception:  # noqa: BLE001 - whatever a __str__ of the user's may raise
        message = ""
    first = message.strip().partition("\n")[0]
    return f"{type(error).__name__}: {first}" if first else type(error).__name__


def place(function: Callable[..., object]) -> str | None:
    """Where a function is written, as `file.py:12`; None for built-in callables and for those of this package."""
    code: CodeType | None = getattr(function, "__code__", None)
    if code is None or _is_ours(code.co_filename):
        return None
    return _position(code.co_filename, code.co_firstlineno)


def caller() -> str | None:
    """The line outside this package that led here, as `file.py:12`: where a declaration stands."""
    frame = _outer_frame()
    return None if frame is None else _position(frame.f_code.co_filename, frame.f_lineno)


def caller_knows(name: str) -> bool:
    """Whether a name means something on the line outside this package that led here."""
    frame = _outer_frame()
    return frame is not None and (name in frame.f_locals or name in frame.f_globals)


def _outer_frame() -> FrameType | None:
    def package(of: FrameType) -> str:
        return str(of.f_globals.get("__name__")).partition(".")[0]

    frame: FrameType | None = sys._getframe(1)
    while frame is not None and package(frame) == __package__:
        frame = frame.f_back
    # What the command line calls was typed, and stands in no file.
    return None if frame is not None and package(frame) == "click" else frame


def raised_at(error: BaseException, function: Callable[..., object]) -> str | None:
    """The innermost line of the function's own file that the exception passed through.

    For a function of this package, which calls the user's, it is the innermost line that is not ours.
    """
    code: CodeType | None = getattr(function, "__code__", None)
    file = None if code is None or _is_ours(code.co_filename) else code.co_filename
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename == file or (file is None and not _is_ours(frame.filename)):
            return _position(frame.filename, frame.lineno)
    return place(function)


def own_traceback(error: BaseException) -> str:
    """The traceback of an exception inside a model, without the frames of this package."""
    frames = [_with_cell(one) for one in traceback.extract_tb(error.__traceback__) if not _is_ours(one.filename)]
    lines = [*traceback.format_list(frames), *traceback.format_exception_only(error)]
    return "".join(lines).rstrip()


def _with_cell(frame: traceback.FrameSummary) -> traceback.FrameSummary:
    """A frame in a notebook's cell with the name that the notebook gives it."""
    cell = _cell_name(frame.filename)
    return frame if cell is None else traceback.FrameSummary(cell, frame.lineno, frame.name, line=frame.line)


@lru_cache(maxsize=256)
def _is_ours(filename: str) -> bool:
    # The function of a net's transition is compiled from its inscriptions: its lines are nobody's file.
    return filename.startswith("<transition ") or Path(filename).is_relative_to(Path(__file__).parent)


def _position(filename: str, line: int | None) -> str:
    if filename.startswith("<expression "):
        return filename[1:-1]
    name = _cell_name(filename) or (filename if filename.startswith("<") else _file_name(filename))
    return name if line is None else f"{name}:{line}"


def _cell_name(filename: str) -> str | None:
    """In[3], if the code is that of a notebook's cell: the name of its file means nothing to anybody."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    name = getattr(getattr(shell, "compile", None), "format_code_name", None)
    found = None if name is None else name(filename)
    return None if found is None else str(found[1])


@lru_cache(maxsize=64)  # every declaration notes where it stands
def _file_name(filename: str) -> str:
    return Path(filename).name


def installation(extra: str) -> str:
    """The command that installs what an extra of this package needs; it works wherever this package came from."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        needs = [one.partition(";") for one in requires(__package__) or ()]
    except PackageNotFoundError:  # it runs from its sources
        return f'pip install "{__package__}[{extra}]"'
    packages = [name.strip() for name, _, marker in needs if re.search(rf"extra == ['\"]{extra}['\"]", marker)]
    return "pip install " + " ".join(f'"{one}"' for one in packages)


def closest(name: object, names: Iterable[str]) -> str:
    """Help for a name that is not among `names`: the nearest one, else all of them, of many those that are nearest."""
    from difflib import get_close_matches

    # Looking for what is alike takes the square of a name's length: of a file with a million names, not all are tried.
    wanted = (name if isinstance(name, str) else shown(name))[:LONGEST_COMPARED]
    available = list(islice(names, MOST_COMPARED))
    short = [one for one in available if len(one) <= LONGEST_COMPARED]
    near = get_close_matches(wanted, short, n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    if len(available) > MOST_NAMED:
        nearest = get_close_matches(wanted, short, n=MOST_NAMED, cutoff=0.0)
        return f"available: {', '.join(nearest)} and {len(available) - MOST_NAMED:,} more"
    return "available: " + ", ".join(available) if available else "none is declared"
