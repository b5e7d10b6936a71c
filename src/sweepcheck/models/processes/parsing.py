"""From the text of a process file to its tree. The grammar is in psl.lark; errors say what was expected."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken, VisitError
from lark.tree import Meta

from sweepcheck.core.property import Kind, Pattern
from sweepcheck.errors import ModelError
from sweepcheck.models.processes import syntax
from sweepcheck.models.processes.evaluation import Source, pointed_at
from sweepcheck.models.processes.syntax import Item, Position


def parse(text: str, filename: str) -> tuple[Item, ...]:
    """The items of a process file."""
    items: tuple[Item, ...] = _parsed("start", text, filename)
    return items


def parse_pattern(text: str) -> Pattern:
    """A pattern of events from the command line, as after `check never name:`; indices are numbers or names."""
    found: syntax.EventProperty = _parsed("pattern", text, "pattern")
    source = Source("pattern", (text,))
    return Pattern(*(source.events(part, {}) for part in (found.events, found.after, found.before, found.without)))


def _parsed(start: str, text: str, filename: str) -> Any:
    try:
        tree = _parser(start).parse(text)
    except UnexpectedInput as error:
        raise _explained(error, text, filename) from None
    try:
        return _Build().transform(tree)
    except (RecursionError, VisitError) as error:
        if isinstance(error, VisitError) and not isinstance(error.orig_exc, RecursionError):
            raise
        raise ModelError(
            "SC601",
            f"{filename} is nested too deeply",
            where=filename,
            suggestion="give inner processes and expressions names of their own",
        ) from None


@lru_cache
def _parser(start: str) -> Lark:
    grammar = files(__package__).joinpath("psl.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", propagate_positions=True, start=start)


# -- errors -----------------------------------------------------------------------------------------------------------

_WORDS = {
    "NAME": "NAME",
    "INT": "NUMBER",
    "STRING": "a name in quotes",
    "COMPARE": "COMPARISON",
    "LPAR": "(",
    "RPAR": ")",
    "LBRACE": "{",
    "RBRACE": "}",
    "EQUAL": "=",
    "COMMA": ",",
    "COLON": ":",
    "DOT": ".",
    "PLUS": "+",
    "MINUS": "-",
    "STAR": "*",
    "SLASH": "/",
    "PERCENT": "%",
    "VBARVBAR": "||",
    "$END": "END OF FILE",
}
_STARTS = frozenset({"PARAM", "CONST", "PROCESS", "SYSTEM", "MEASURE", "CHECK"})
_ADVICE = {
    "=>": "an event leads on by ->",
    "//": "a comment begins with --",
    "=": "equality is ==",
    "|": "parallel is ||, choice is []",
    ";": "items are not separated; a comment begins with --",
    "#": "a comment begins with --",
    "!": "not equal is !=, negation is `not`",
    "&": "conjunction is `and`; a guard is `when condition:`",
    "?": "an input is a choice: any x in 0..3: in.x -> ...",
    "\\": "hiding is `hide {event}`",
    "[": "choice is [], renaming is `rename {old to new}`",
}


def _explained(error: UnexpectedInput, text: str, filename: str) -> ModelError:
    lines = text.split("\n")
    if isinstance(error, UnexpectedEOF) or (isinstance(error, UnexpectedToken) and error.token.type == "$END"):
        line, column, found = len(lines), len(lines[-1]) + 1, "the end of the file"
        sign = ""
    else:
        line, column = max(error.line, 1), max(error.column, 1)
        sign = text[error.pos_in_stream or 0 :][:2]
        found = repr(str(error.token) if isinstance(error, UnexpectedToken) else sign[:1])
    expected = error.allowed if isinstance(error, UnexpectedCharacters) else getattr(error, "accepts", ())
    shown = lines[line - 1] if line <= len(lines) else ""
    return ModelError(
        "SC601",
        f"{found} was not expected here",
        where=f"{filename}:{line}:{column}",
        values=[*pointed_at(shown, column), ("wanted", _listed(expected or ()))],
        suggestion=_ADVICE.get(sign) or _ADVICE.get(sign[:1], "the process language: docs, reference/process-language"),
    )


def _listed(terminals: Any) -> str:
    """The terminals that could stand there, in words."""
    names = set(terminals)
    words = sorted({_word(name) for name in names - _STARTS})
    if names & _STARTS:
        words.append("or the next item (param, const, process, system, measure, check)")
    return "  ".join(words) or "nothing more"


def _word(terminal: str) -> str:
    if terminal in _WORDS:
        return _WORDS[terminal]
    literal = next((one.pattern.value for one in _parser("start").terminals if one.name == terminal), terminal)
    return str(literal)


# -- the tree ---------------------------------------------------------------------------------------------------------


def _at(meta: Meta) -> Position:
    return Position(getattr(meta, "line", 1), getattr(meta, "column", 1))


def _operation(operator: str) -> Any:
    return lambda _, meta, *operands: syntax.Operation(_at(meta), operator, operands)


def _state_property(kind: Kind) -> Any:
    return lambda _, meta, name, predicate: syntax.StateProperty(_at(meta), kind, name, predicate)


@v_args(meta=True, inline=True)
class _Build(Transformer[Token, Any]):  # type: ignore[misc,unused-ignore]
    """Bottom up: each rule of the grammar becomes one node."""

    def start(self, meta: Meta, *items: Item) -> tuple[Item, ...]:  # noqa: ARG002
        return items

    def parameter(self, meta: Meta, name: Token, value: Any) -> Item:
        return syntax.Constant(_at(meta), str(name), value, is_parameter=True)

    def constant(self, meta: Meta, name: Token, value: Any) -> Item:
        return syntax.Constant(_at(meta), str(name), value, is_parameter=False)

    def definition(self, meta: Meta, name: Token, formals: Any, body: Any) -> Item:
        return syntax.Definition(_at(meta), str(name), formals or (), body)

    def formals(self, meta: Meta, *formals: Any) -> Any:  # noqa: ARG002
        return formals

    def formal(self, meta: Meta, name: Token, bounds: Any) -> Any:
        return syntax.Formal(_at(meta), str(name), bounds)

    def range(self, meta: Meta, first: Any, last: Any) -> Any:
        return syntax.Range(_at(meta), first, last)

    def system(self, meta: Meta, name: Token | None, composition: Any) -> Item:
        return syntax.System(_at(meta), None if name is None else str(name)[1:-1], composition)

    def measure(self, meta: Meta, component: Token | None, kind: str) -> Item:
        return syntax.Measuring(_at(meta), None if component is None else str(component), kind)

    def kind(self, meta: Meta, word: Token) -> str:  # noqa: ARG002
        return str(word)

    def choice(self, meta: Meta, *branches: Any) -> Any:
        return branches[0] if len(branches) == 1 else syntax.Choice(_at(meta), branches)

    def when(self, meta: Meta, condition: Any, then: Any) -> Any:
        return syntax.When(_at(meta), condition, then)

    def any_of(self, meta: Meta, name: Token, bounds: Any, then: Any) -> Any:
        return syntax.AnyOf(_at(meta), str(name), bounds, then)

    def prefix(self, meta: Meta, event: Any, then: Any) -> Any:
        return syntax.Prefix(_at(meta), event, then)

    def stop(self, meta: Meta) -> Any:
        return syntax.Stop(_at(meta))

    def skip(self, meta: Meta) -> Any:
        return syntax.Skip(_at(meta))

    def call(self, meta: Meta, name: Token, arguments: Any) -> Any:
        return syntax.Call(_at(meta), str(name), arguments)

    def arguments(self, meta: Meta, *arguments: Any) -> Any:  # noqa: ARG002
        return arguments

    def event(self, meta: Meta, name: Token, *indices: Any) -> Any:
        return syntax.EventName(_at(meta), str(name), indices)

    def word(self, meta: Meta, name: Token) -> Any:
        return syntax.Word(_at(meta), str(name))

    def parallel(self, meta: Meta, *parts: Any) -> Any:
        return parts[0] if len(parts) == 1 else syntax.Parallel(_at(meta), parts)

    def hide(self, meta: Meta, part: Any, events: Any) -> Any:
        return syntax.Hide(_at(meta), part, events)

    def rename(self, meta: Meta, part: Any, pairs: Any) -> Any:
        return syntax.Rename(_at(meta), part, pairs)

    def alphabet(self, meta: Meta, part: Any, events: Any) -> Any:
        return syntax.Alphabet(_at(meta), part, events)

    def all_of(self, meta: Meta, name: Token, bounds: Any, part: Any) -> Any:
        return syntax.AllOf(_at(meta), str(name), bounds, part)

    def instance(self, meta: Meta, call: Any, process: Any) -> Any:
        return syntax.Instance(_at(meta), None if process is None else call, process or call)

    def events(self, meta: Meta, *events: Any) -> Any:  # noqa: ARG002
        return tuple(event for event in events if event is not None)

    def single(self, meta: Meta, event: Any) -> Any:  # noqa: ARG002
        return (event,)

    def renames(self, meta: Meta, *pairs: Any) -> Any:  # noqa: ARG002
        return pairs

    def renaming(self, meta: Meta, old: Any, new: Any) -> Any:  # noqa: ARG002
        return (old, new)

    def deadlock(self, meta: Meta, name: Any) -> Item:
        return syntax.StateProperty(_at(meta), Kind.DEADLOCK, name or "deadlock", None)

    invariant = _state_property(Kind.INVARIANT)
    reachable = _state_property(Kind.REACHABLE)
    always_possible = _state_property(Kind.ALWAYS_POSSIBLE)
    always_eventually = _state_property(Kind.ALWAYS_EVENTUALLY)

    def never(self, meta: Meta, name: str, pattern: Any) -> Item:
        return syntax.EventProperty(_at(meta), name, pattern.events, pattern.after, pattern.before, pattern.without)

    def after(self, meta: Meta, events: Any, after: Any, without: Any) -> Item:
        return syntax.EventProperty(_at(meta), "", events, after or (), (), without or ())

    def before(self, meta: Meta, events: Any, before: Any) -> Item:
        return syntax.EventProperty(_at(meta), "", events, (), before, ())

    def plain_name(self, meta: Meta, name: Token) -> str:  # noqa: ARG002
        return str(name)

    def quoted_name(self, meta: Meta, name: Token) -> str:  # noqa: ARG002
        return str(name)[1:-1]

    def number(self, meta: Meta, digits: Token) -> Any:
        return syntax.Value(_at(meta), int(digits))

    def true(self, meta: Meta) -> Any:
        return syntax.Value(_at(meta), True)

    def false(self, meta: Meta) -> Any:
        return syntax.Value(_at(meta), False)

    def variable(self, meta: Meta, name: Token) -> Any:
        return syntax.Variable(_at(meta), str(name))

    def compare(self, meta: Meta, one: Any, operator: Token, other: Any) -> Any:
        return syntax.Operation(_at(meta), str(operator), (one, other))

    disjunction = _operation("or")
    conjunction = _operation("and")
    negate = _operation("not")
    minus = _operation("minus")
    add = _operation("+")
    subtract = _operation("-")
    multiply = _operation("*")
    divide = _operation("/")
    remainder = _operation("%")

    def all_hold(self, meta: Meta, name: Token, bounds: Any, body: Any) -> Any:
        return syntax.Quantified(_at(meta), "all", str(name), bounds, body)

    def some_hold(self, meta: Meta, name: Token, bounds: Any, body: Any) -> Any:
        return syntax.Quantified(_at(meta), "some", str(name), bounds, body)

    def at(self, meta: Meta, component: Any, location: Any) -> Any:
        return syntax.Standing(_at(meta), component, location)
