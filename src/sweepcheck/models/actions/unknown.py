"""Choices that are left open while a starting function runs: one run for all their combinations.

`s.x = choose(range(400))` gives an unknown number. What is computed from it is an expression, what is required of it a
condition, and only an `if` on it needs two runs. The states are then listed by loops over the alternatives, with each
condition as far outside as it can be: see `combining`. Whatever an expression cannot say ends the attempt.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import chain
from types import NoneType
from typing import Any, NoReturn

from sweepcheck.core.running import Disabled
from sweepcheck.core.values import Array
from sweepcheck.models.actions.draft import Draft, admitted

MOST_TEXT = 4_000  # characters of an expression
MOST_TURNS = 200  # decisions in one run
ANY = object  # the kind of values of which nothing is known
KINDS: frozenset[Any] = frozenset({int, bool, str})
NUMBERS = frozenset({int, bool})
EMPTY = (tuple,)  # the kind of the tuple without elements
# Kinds of values that are equal to none of another kind.
APART: frozenset[Any] = frozenset({str, NoneType, (tuple, str), EMPTY})


class GiveUpError(BaseException):  # passes through any `except Exception` of the function's
    """Ends a run that does something with an unknown value that no expression says."""


def kind_of(values: Sequence[Any]) -> Any:
    """The type that all these values have, for tuples with that of their elements, if they have one that is known."""
    types: set[Any] = set(map(type, values))
    if types == {tuple}:
        inner: set[Any] = set(map(type, chain.from_iterable(values)))
        return (tuple, *inner) if len(inner) <= 1 and inner <= KINDS else ANY
    return next(iter(types)) if len(types) == 1 and types <= KINDS | {NoneType} else ANY


class Unknown:
    """A value that depends on choices; `last` is the number of the last one of them.

    `tells` is the number of a choice of which it tells the alternative. `item`, of an element of a chosen tuple, is the
    number of the choice and the element's index.
    """

    __slots__ = ("item", "kind", "last", "run", "tells", "text")

    def __init__(self, run: OpenRun, kind: Any, text: str, last: int) -> None:
        if len(text) > MOST_TEXT:
            raise GiveUpError
        self.run = run
        self.kind = kind
        self.text = text
        self.last = last
        self.tells: int | None = None
        self.item: tuple[int, int] | None = None

    def __bool__(self) -> bool:
        return self.run.decide(self)

    def _refuse(self, *_: Any) -> NoReturn:
        raise GiveUpError

    __hash__ = __index__ = __int__ = __float__ = __contains__ = _refuse
    __repr__ = __str__ = __format__ = __call__ = __round__ = __reduce_ex__ = _refuse
    __truediv__ = __rtruediv__ = __pow__ = __rpow__ = __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _refuse
    __matmul__ = __rmatmul__ = __divmod__ = __rdivmod__ = _refuse

    def __getattr__(self, name: str) -> NoReturn:
        raise GiveUpError

    # Of a chosen tuple: how long it is, and its elements, if all that it may be are equally long.

    def __len__(self) -> int:
        return self.run.length_of(self)

    def __getitem__(self, index: Any) -> Unknown:
        if type(index) is not int or not -len(self) <= index < len(self):
            raise GiveUpError
        return self.run.item_of(self, index % len(self))

    def __iter__(self) -> Iterator[Any]:
        return iter([self[index] for index in range(len(self))])


def _binary(sign: str) -> tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]:
    bits = sign in "&|^"

    def combined(left: Any, right: Any, run: OpenRun) -> Unknown:
        kinds = {one.kind if type(one) is Unknown else type(one) for one in (left, right)}
        if not kinds <= NUMBERS:
            raise GiveUpError
        sure = sign not in ("//", "%") or (type(right) is not Unknown and bool(right))
        kind = bool if bits and kinds == {bool} else int
        return run.expression(kind, f"({{}} {sign} {{}})", left, right, sure=sure)

    return lambda one, other: combined(one, other, one.run), lambda one, other: combined(other, one, one.run)


for _name, _sign in (("add", "+"), ("sub", "-"), ("mul", "*"), ("floordiv", "//"), ("mod", "%")):
    for _prefix, _function in zip(("__", "__r"), _binary(_sign), strict=True):
        setattr(Unknown, f"{_prefix}{_name}__", _function)
for _name, _sign in (("and", "&"), ("or", "|"), ("xor", "^")):
    for _prefix, _function in zip(("__", "__r"), _binary(_sign), strict=True):
        setattr(Unknown, f"{_prefix}{_name}__", _function)


def _unary(form: str) -> Callable[[Any], Any]:
    def combined(one: Unknown) -> Unknown:
        if one.kind not in NUMBERS:
            raise GiveUpError
        return one.run.expression(int, form, one)

    return combined


for _name, _form in (("neg", "(-{})"), ("pos", "(+{})"), ("invert", "(~{})"), ("abs", "abs({})")):
    setattr(Unknown, f"__{_name}__", _unary(_form))


def _comparison(sign: str) -> Callable[[Any, Any], Any]:
    def compared(one: Any, other: Any) -> Unknown:
        found = {kind_within(one), kind_within(other)}
        sure = found in ({int}, {str}) or (sign in ("==", "!=") and ANY not in found)
        return one.run.expression(bool, f"({{}} {sign} {{}})", one, other, sure=sure)  # type: ignore[no-any-return]

    return compared


for _name, _sign in (("eq", "=="), ("ne", "!="), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">=")):
    setattr(Unknown, f"__{_name}__", _comparison(_sign))


class OpenPart:
    """A part of the state that depends on choices, and is no value."""

    __slots__ = ()

    def said(self, run: OpenRun) -> tuple[str, int]:
        """See `OpenRun`."""
        raise NotImplementedError


class OpenRun:
    """The run in progress: what was offered, what is required of it, and which way the `if`s go.

    `script` is what the run is to decide; what it decides beyond, it decides to be true. `guards` are the conditions of
    the branches at work, where both branches are run (see `branches`).
    """

    def __init__(self, script: list[bool], view: Callable[[tuple[Any, ...]], Any], merges: bool) -> None:
        self.script = script
        self.position = 0
        self.choices: list[tuple[Hashable, ...]] = []
        self.conditions: list[tuple[str, int]] = []
        self.constants: list[Any] = [view]
        self.draft: Any = None  # what the function has of the state
        self.values: Any = None
        self.guards: list[Unknown] = []
        self.merges = merges
        self._known: dict[str, bool] = {}
        self._named: dict[str, str] = {}  # what is computed once, by the name that it is read by
        self._latest = -1  # the last choice that any of them depends on: what comes after it is not looked at before
        self._later: list[str] | None = None  # what `and` and `or` may never come to

    def choice(self, found: tuple[Hashable, ...]) -> Any:
        """An alternative of these, whichever it is."""
        if not found:
            raise Disabled
        if len(found) == 1 and is_plain(found[0]):
            return found[0]
        self.choices.append(found)
        number = len(self.choices) - 1
        made = Unknown(self, kind_of(found), f"a{number}", number)
        made.tells = number
        return made

    def length_of(self, chosen: Unknown) -> int:
        """How many elements it has, whichever alternative it is."""
        if chosen.tells is None or chosen.text != f"a{chosen.tells}":  # computed from what was chosen
            raise GiveUpError
        found = self.choices[chosen.tells]
        lengths = set(map(len, found)) if set(map(type, found)) == {tuple} else set()  # type: ignore[arg-type]
        if len(lengths) != 1:
            raise GiveUpError
        return lengths.pop()

    def item_of(self, chosen: Unknown, index: int) -> Unknown:
        """An element of a chosen tuple."""
        assert chosen.tells is not None
        column: list[Any] = [one[index] for one in self.choices[chosen.tells]]  # type: ignore[index]
        made = Unknown(self, kind_of(column), f"{chosen.text}[{index}]", chosen.last)
        made.item = chosen.tells, index
        return made

    def guard(self) -> Unknown:
        """Whether the branch at work is the one taken."""
        if len(self.guards) == 1:
            return self.guards[0]
        return self.expression(bool, f"({' and '.join('{}' for _ in self.guards)})", *self.guards)

    def require(self, condition: Any) -> None:
        """Let there be no state where this is false, if the branch at work is the one taken."""
        checked = type(condition) is Unknown and condition.kind is ANY and condition.text.isidentifier()
        form = "({0} and ({0} is True or checked({0})))" if checked else "{0}"  # any other cannot be always true
        if self.guards:
            condition = self.expression(bool, f"(not {{1}} or {form})", condition, self.guard())
            self.conditions.append((condition.text, max(condition.last, self._latest)))
        elif type(condition) is Unknown:
            self._keep(condition, form)
        elif not condition:
            raise Disabled

    def is_known(self, unknown: Unknown) -> bool:
        """Whether it is decided in this run."""
        return unknown.text in self._known

    def decide(self, unknown: Unknown) -> bool:
        """Whether it is true, in this run."""
        if (known := self._known.get(unknown.text)) is not None:
            return known
        if self.position == MOST_TURNS:
            raise GiveUpError
        if self.position == len(self.script):
            self.script.append(True)
        truth = self.script[self.position]
        self.position += 1
        self._known[unknown.text] = truth
        self._keep(unknown, "{0}" if truth else "not {0}")
        return truth

    def _keep(self, unknown: Unknown, form: str) -> None:
        """Keep the states in which it is as a form says, which looks at it at once."""
        name, text = unknown.text, form.format(unknown.text)
        if name in self._named and self.conditions[-1][0] == self._computed(name):  # a moment ago, for this
            self.conditions.pop()
            text = text.replace(name, f"({name} := {self._named[name]})", 1)
        self.conditions.append((text, max(unknown.last, self._latest)))

    def expression(self, kind: Any, form: str, *parts: Any, sure: bool = True) -> Unknown:
        """What a form says of these parts, of which some are unknown; unless it is `sure`, that may fail."""
        found = [self.said(part) for part in parts]
        made = Unknown(self, kind, form.format(*(text for text, _ in found)), max(last for _, last in found))
        return made if sure else self._at_once(made)

    def _at_once(self, made: Unknown) -> Unknown:
        """The same, to be computed even if nobody reads it: the function fails where that does."""
        if self._later is not None:
            self._later.append(made.text)
            return made
        if self.guards:  # it may fail in one branch alone
            raise GiveUpError
        name = f"t{len(self._named)}"
        self._named[name] = made.text
        self._latest = max(made.last, self._latest)
        self.conditions.append((self._computed(name), self._latest))
        return Unknown(self, made.kind, name, made.last)

    def _computed(self, name: str) -> str:
        return f"[{name} := {self._named[name]}]"  # which is true

    def later(self, function: Callable[[], Any]) -> tuple[Any, bool]:
        """What a function gives that may never be called, and whether nothing in it can fail."""
        around, self._later = self._later, []
        try:
            found = function()
        except Disabled:
            raise GiveUpError from None
        inside, self._later = self._later, around
        text, _ = self.said(found)
        if not all(one in text for one in inside):  # computed, and dropped
            raise GiveUpError
        if around is not None:
            around += inside
        return found, not inside

    @property
    def computes(self) -> bool:
        """Whether something has to be computed, be it for a state or not."""
        return bool(self._named)

    @property
    def is_certain(self) -> bool:
        """Whether the function comes to where it is now."""
        return self._later is None and not self.guards

    def said(self, value: Any) -> tuple[str, int]:
        """A value as text, and the last choice that it depends on."""
        if type(value) is Unknown:
            return value.text, value.last
        if value is None or type(value) in KINDS:
            return repr(value), -1
        if isinstance(value, OpenPart):
            return value.said(self)
        if type(value) in (tuple, list, Array) and has_unknown(value):
            found = [self.said(one) for one in value]
            inside = "".join(f"{text}, " for text, _ in found)
            form = "[{}]" if type(value) is list else "({})" if type(value) is tuple else "new(Array, ({}))"
            return form.format(inside), max(last for _, last in found)
        if value is self.draft:
            text, last = self.said(tuple(self.values()))
            return f"c0({text})", last
        if type(value) in (list, set):  # which may change
            value = type(value)(value)
        else:
            try:
                hash(value)  # or something unknown is hidden in it, or it may change
            except TypeError:
                raise GiveUpError from None
        self.constants.append(value)
        return f"c{len(self.constants) - 1}", -1


def has_unknown(value: Any) -> bool:
    """Whether there is something unknown in it, or in its elements."""
    if type(value) is Unknown or isinstance(value, OpenPart):
        return True
    return isinstance(value, tuple | list) and any(map(has_unknown, value))


class Met(dict[Any, Any]):
    """The values that a variable was ever given. Unknown ones are as good as their kind."""

    def __init__(self, name: str, before: Iterable[Any]) -> None:
        super().__init__()
        self._name = name
        self._kinds: set[Any] = {kind for one in before if (kind := kind_of((one,))) not in APART}

    def get(self, value: Any, default: Any = None) -> Any:
        """See `dict`."""
        if type(value) is Unknown:
            kind = value.kind
            if kind is ANY:
                self._admit_each(value)
                return value
        elif type(value) is tuple and has_unknown(value):
            found = [one.kind if type(one) is Unknown else type(one) for one in value]
            kind = (tuple, found[0])
            if set(found) != {found[0]} or found[0] not in KINDS:
                raise GiveUpError
            run = next(one for one in value if type(one) is Unknown).run
            value = run.expression(kind, "{}", value)
        else:
            self._see(kind_of((value,)))
            return super().get(value, default)
        self._see(kind)
        return value

    def _see(self, kind: Any) -> None:
        if kind not in APART:
            self._kinds.add(kind)
            if len(self._kinds) > 1:  # 1, 1.0 and True are equal, and no variable has two of them
                raise GiveUpError

    def _admit_each(self, value: Unknown) -> None:
        """Alternatives of any kind: they are looked at one by one."""
        run = value.run
        if value.text != f"a{value.last}":
            raise GiveUpError
        run.choices[value.last] = tuple([admitted(one, self._name, self) for one in run.choices[value.last]])


def open_draft(draft: type[Draft]) -> type[Draft]:
    """Drafts whose choices are left open; `_choices` is an `OpenRun`."""

    class Open(draft):  # type: ignore[misc, valid-type]
        __slots__ = ()
        _met = tuple(map(Met, draft._names, draft._met))

        def _choose(self, alternatives: tuple[Any, ...], distinct: Callable[[Any], tuple[Hashable, ...]]) -> Any:
            del alternatives, distinct
            raise GiveUpError  # by somebody else than the function itself

        def _pick(self, alternatives: tuple[Hashable, ...], name: str | None) -> Any:
            del alternatives, name
            raise GiveUpError  # what is taken from a bag must be known

    return Open


def kind_within(value: Any) -> Any:
    """The kind of what is there to be added up, or compared: numbers, texts, or anything."""
    if isinstance(value, tuple | list):
        kinds = {kind_within(one) for one in value}
        return kinds.pop() if len(kinds) == 1 else ANY
    if type(value) is range:
        return int
    kind = value.kind if type(value) is Unknown else type(value)
    return int if kind in NUMBERS else str if kind is str else ANY


def is_plain(value: Any, depth: int = 4) -> bool:
    """Whether a value is made of Python's own types, so that it knows how to be compared with something unknown."""
    if type(value) in KINDS or value is None or type(value) is range:
        return True
    if depth and type(value) in (tuple, list, Array, set, frozenset):
        return all(is_plain(one, depth - 1) for one in value)
    return depth > 0 and type(value) is dict and all(is_plain(one, depth - 1) for one in chain(value, value.values()))
