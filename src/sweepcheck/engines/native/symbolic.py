"""Plain arithmetic (`arithmetic`) run on unknown values: every function it calls is replaced by one that knows these.

A call that needs a value which is unknown is written down as a whole. So is each turn of a generator inside `sum`: then
one summand that is hard to read does not spoil the others.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable, Iterator
from functools import partial
from types import CellType, CodeType, FunctionType, GeneratorType
from typing import Any

from sweepcheck.core.instructions import codes, instructions
from sweepcheck.engines.native.arithmetic import BUILTINS
from sweepcheck.engines.native.trees import Constant, Operation, State, Tree
from sweepcheck.engines.native.unknowns import LengthError, NeedsValueError, Paths, Unknown, is_unknown, tree_of

PASSED_ON = (enumerate, filter, iter, list, map, next, range, reversed, tuple, zip)  # what they do goes through methods


class Call:
    """A function that may be called with unknown values."""

    def __init__(self, original: Any, runner: Runner) -> None:
        self.original = original
        self.symbolic: Callable[..., Any] = original
        self._runner = runner

    def __call__(self, *args: Any, **named: Any) -> Any:
        if not any(map(self._runner.concerns, (*args, *named.values()))):
            return self.original(*args, **named)
        if any(map(_is_used_up, (*args, *named.values()))):  # another run would find it changed
            return self.symbolic(*args, **named)
        return self._runner.attempt(
            lambda: self.symbolic(*args, **named), lambda: self._runner.written(self.original, args, named)
        )


class Builtin(Call):
    """A built-in function: it is written down, unless what it is given cannot be; `sum` goes by summands."""

    def __call__(self, *args: Any, **named: Any) -> Any:
        if not any(map(self._runner.concerns, (*args, *named.values()))):
            return self.original(*args, **named)
        if self.original is len:
            try:
                return len(*args, **named)
            except LengthError as found:
                return found.length
        if self.original is sum:
            return sum(self._runner.summands(args[0]), *args[1:], **named)
        try:
            return self._runner.written(self.original, args, named, lists=True)
        except NeedsValueError:
            return self.original(*args, **named)


class Turn:
    """One turn of a generator inside `sum`, with the values of the names that it has from outside."""

    def __init__(self, code: CodeType, names: dict[str, Any]) -> None:
        self.code = code
        self.names = names  # its global names

    def __hash__(self) -> int:
        return hash(self.code)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Turn) and self.code is other.code and self.names is other.names

    def __call__(self, element: Any, *outside: Any) -> Any:
        closure = tuple(map(CellType, outside))
        return sum(FunctionType(self.code, self.names, closure=closure)(iter((element,))))


class _Indexed:
    """A constant of the function's own that is asked for what an unknown index has."""

    original: Any
    runner: Runner

    def __getitem__(self, index: Any) -> Any:
        if is_unknown(index):
            return self.runner.written(operator.getitem, (Held(self.original), index), {})
        return super().__getitem__(index)  # type: ignore[misc]


class _List(_Indexed, list[Any]):
    pass


class _Tuple(_Indexed, tuple[Any, ...]):
    pass


class _Dict(_Indexed, dict[Any, Any]):
    def get(self, key: Any, default: Any = None) -> Any:
        if is_unknown(key) or is_unknown(default):
            return self.runner.written(dict.get, (Held(self.original), key, default), {})
        return super().get(key, default)

    def __contains__(self, key: Any) -> bool:
        if is_unknown(key):
            return bool(self.runner.written(operator.contains, (Held(self.original), key), {}))
        return super().__contains__(key)


class Held:
    """A constant of the function's, which nothing changes."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _is_used_up(value: object) -> bool:
    """Whether a function that is given this may leave it changed."""
    return issubclass(type(value), list | dict | set) or hasattr(type(value), "__next__")


class Runner:
    """Runs a function on the state that `root` stands for; `shown` makes what it stands for of a real view."""

    def __init__(self, paths: Paths, root: object, shown: Callable[[Any], Any]) -> None:
        self._paths = paths
        self._root = root
        self._state = State(shown)
        self._made: dict[int, Any] = {}  # what stands for the function's values, by their identity
        self._globals: dict[int, dict[str, Any]] = {}  # the real global names, by what stands for them

    def run(self, function: Callable[[Any], Any]) -> Any:
        """What the function gives; NonlinearError when that cannot be said."""
        symbolic = self.standing_for(function)
        return self._paths.joined(lambda: getattr(symbolic, "symbolic", symbolic)(self._root))

    def attempt(self, run: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
        """What a run gives, on all ways together; where it needs a value that is unknown, something else."""
        made = len(self._paths.made)
        try:
            return self._paths.joined(run)
        except NeedsValueError:
            del self._paths.made[made:]
            return otherwise()

    def concerns(self, value: Any) -> bool:
        """Whether a value is unknown, or may have unknown parts."""
        if is_unknown(value) or value is self._root:
            return True
        kind: Any = type(value)
        if kind in (bool, bytes, float, int, str, type(None), range, Call, Builtin, _List, _Tuple, _Dict):
            return False
        if kind in (tuple, list, set, frozenset):
            return any(map(self.concerns, value))
        return True

    # -- what stands for the values of a function ----------------------------------------------------------------------

    def standing_for(self, value: Any) -> Any:
        """What a function sees instead of a value from outside."""
        kind = type(value)
        if kind in (bool, bytes, complex, float, int, str, type(None), range):
            return value
        if id(value) not in self._made:
            self._make(value, kind)
        return self._made[id(value)]

    def _make(self, value: Any, kind: type) -> None:
        if kind is FunctionType or kind is partial:
            call = self._made[id(value)] = Call(value, self)  # before the rest: it may call itself
            call.symbolic = self._function(value) if kind is FunctionType else self._partial(value)
        elif kind is list or kind is tuple:
            self._made[id(value)] = self._constant(
                (_List if kind is list else _Tuple)(map(self.standing_for, value)), value
            )
        elif kind is dict:
            made = _Dict({key: self.standing_for(one) for key, one in value.items()})
            self._made[id(value)] = self._constant(made, value)
        elif kind not in (set, frozenset) and value in BUILTINS and value not in PASSED_ON:
            self._made[id(value)] = Builtin(value, self)
        else:
            self._made[id(value)] = value

    def _constant(self, made: _Indexed, original: Any) -> _Indexed:
        made.original, made.runner = original, self
        return made

    def _partial(self, value: Any) -> Any:
        named = {name: self.standing_for(one) for name, one in value.keywords.items()}
        return partial(self.standing_for(value.func).symbolic, *map(self.standing_for, value.args), **named)

    def _function(self, function: FunctionType) -> FunctionType:
        names: dict[str, Any] = {"__builtins__": builtins}
        self._globals[id(names)] = function.__globals__
        known = {**vars(builtins), **function.__globals__}
        for code in codes(function.__code__):
            for step in instructions(code):
                if step.opname == "LOAD_GLOBAL":
                    names[step.argval] = self.standing_for(known[step.argval])
        cells = tuple(CellType(self.standing_for(cell.cell_contents)) for cell in function.__closure__ or ())
        defaults = function.__defaults__ and tuple(map(self.standing_for, function.__defaults__))
        made = FunctionType(function.__code__, names, function.__name__, defaults, cells)
        if function.__kwdefaults__:
            made.__kwdefaults__ = {name: self.standing_for(one) for name, one in function.__kwdefaults__.items()}
        return made

    # -- what is written down as a whole -------------------------------------------------------------------------------

    def written(
        self, function: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any], lists: bool = False
    ) -> Unknown:
        """A call, as a tree. A function that may change a list is not written down: its caller would not see that."""
        parts = [self._argument(one, lists) for one in (*args, *named.values())]
        return Unknown(Operation(function, *parts, names=tuple(named)), self._paths)

    def _argument(self, value: Any, lists: bool = False) -> Tree:
        kind = type(value)
        if value is self._root:
            return self._state
        if kind is Held:
            return Constant(value.value)
        if kind in (Call, Builtin, _List, _Tuple, _Dict):
            return Constant(value.original)
        if kind is range or any(value is one for one in BUILTINS):
            return Constant(value)
        if kind is tuple:
            return Operation(_tuple, *(self._argument(one, lists) for one in value))
        if kind is list and lists:
            return Operation(_list, *(self._argument(one, lists) for one in value))
        return tree_of(value)

    def summands(self, values: Any) -> Iterator[Any]:
        """What `sum` adds up, of a generator turn by turn: no turn depends on another one."""
        code = values.gi_code if type(values) is GeneratorType else None
        if code is None or code.co_name != "<genexpr>" or "append" in code.co_names or values.gi_running:
            yield from values
            return
        frame = values.gi_frame
        outside = [frame.f_locals[name] for name in code.co_freevars]
        symbolic = Turn(code, frame.f_globals)
        real = Turn(code, self._globals[id(frame.f_globals)])
        for element in frame.f_locals[".0"]:
            yield self.attempt(
                lambda element=element: symbolic(element, *outside),  # type: ignore[misc]
                lambda element=element: self.written(real, (element, *outside), {}),  # type: ignore[misc]
            )


def _tuple(*values: object) -> tuple[object, ...]:
    return values


def _list(*values: object) -> list[object]:
    return list(values)
