"""What a step changed, told in few words: of records the fields, of arrays the elements, of bags, queues and sets what
came and what went.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import compress, groupby, pairwise
from operator import is_not
from types import MappingProxyType
from typing import Any

from sweepcheck.report.typed import Typed, typed_key, typed_text

State = Mapping[str, Typed]  # a described state: each variable with its value
Said = Mapping[str, str]  # texts of values, each with the name that the label of a step has for it
Counted = tuple[tuple[Typed, int], ...]  # tokens, each with how many of it

LONG_TOKEN = 8  # characters: of a short one that there is more than once, the numbers before and after are told
WORDY = 24  # characters: a longer token that a step's label has is called by its name there
SHORT = 40  # characters of an old and a new value: what takes no more is shown whole where that tells as much

TOGETHER = 4  # elements of an array that change alike: as many or more are told together
MANY = 8  # elements of an array that change, each in its own way: likewise
LONG = 12  # elements of an array or tuple: in longer ones, the same one after the other is counted
AGAIN = 4  # so many of them, or more
EVENLY = 4  # numbers at the same distance: as many or more are told by the first two and the last
LONGEST = 1000  # elements of a queue: to compare longer ones would take long

NUMBERED = re.compile(r"(.*)\[(\d+)\](.*?)", re.DOTALL)  # of an element, by its last number

NOTHING_SAID: Said = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Change:
    """One variable, or a part of one, that a step changed. `gone` and `came` are None where its value was replaced."""

    name: str
    old: Typed
    new: Typed
    gone: Counted | None = None
    came: Counted | None = None

    def __str__(self) -> str:
        return self.text()

    def text(self, most: int | None = None, said: Said = NOTHING_SAID) -> str:
        """The change on one line; values with more than so many characters lose their middle, and what the label of the
        step has `said` is called by its name there.
        """
        if self.gone is None or self.came is None:
            old, new = (cut(said.get(text, text), most) for text in (_text(self.old), _text(self.new)))
            return f"{self.name}: {old} -> {new}"
        in_bag = _kind(self.old) == "bag"
        signed = [(sign, one) for sign, tokens in (("-", self.gone), ("+", self.came)) for one in tokens]
        moved = [f"{sign} {token_text(*one, in_bag, said)}" for sign, one in signed]
        return f"{self.name}: {cut(' '.join(moved), most)}"

    def to_json(self) -> dict[str, Any]:
        """As JSON data; what a state does not have is left out."""
        if self.gone is None or self.came is None:
            known = {"old": self.old, "new": self.new}
            return {"name": self.name, **{key: value for key, value in known.items() if value is not ABSENT}}
        return {"name": self.name, "gone": [list(one) for one in self.gone], "came": [list(one) for one in self.came]}


class _Absent:
    """Stands for the value of a variable that a state does not have."""


ABSENT = _Absent()


class _Several(list[Typed]):
    """The values of several elements of an array, in the order of their numbers."""


def cut(text: str, most: int | None) -> str:
    """A text without its middle where it has more characters than that."""
    return text if most is None or len(text) <= most else f"{text[: most // 2]} ... {text[-most // 2 :]}"


def _text(value: Typed) -> str:
    if isinstance(value, _Several):
        return f"[{_counted(map(_text, value))}]"
    return "absent" if value is ABSENT else typed_text(value)


def token_text(token: Typed, count: int, in_bag: bool, said: Said = NOTHING_SAID) -> str:
    """A token that came or went; in a bag a number is told from how many there are of it."""
    number = in_bag and isinstance(token, int | float) and not isinstance(token, bool)
    timed = isinstance(token, dict) and "token" in token
    text = typed_text(token["token"] if timed else token)
    text = f"{said.get(text, text)}@{token['time']}" if timed else said.get(text, text)
    return f"{count}*{text}" if count > 1 or number else text


def said(arguments: Iterable[tuple[str | None, Typed]]) -> Said:
    """The long values among the parameters and choices of a step, each with its name."""
    texts = ((typed_text(value), name) for name, value in arguments if name)
    return {text: name for text, name in texts if len(text) > WORDY}


def touched(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterable[str]:
    """The variables that do not have the very same value in two states: a step leaves most of them alone, and this is
    asked of every step of a long trace.
    """
    if [*before] == [*after]:
        return compress(before, map(is_not, before.values(), after.values()))
    return [name for name in {**before, **after} if before.get(name, ABSENT) is not after.get(name, ABSENT)]


def changes(before: State, after: State) -> list[Change]:
    """What differs between two states, in the order of the variables."""
    differ = [(name, before.get(name, ABSENT), after.get(name, ABSENT)) for name in touched(before, after)]
    return [change for name, old, new in differ for change in _changes(name, old, new)]


def told(
    changed: Iterable[Change], most: int | None = None, said: Said = NOTHING_SAID, once: bool = False
) -> list[str]:
    """Changes as texts, as `Change.text` gives them. Many elements of an array that change are told together:
    `cells[0, 3, 6, 9]: 0 -> 1`. With `once`, a long value that moves from one place to another is written once.
    """
    shown = _together(changed)
    moves = _moving(shown, said) if once else None
    texts: list[str] = []
    for change in shown:
        texts.append(change.text(most, said))
        if moves is not None and moves in _mentioned(change):
            said, moves = {**said, moves: "the same"}, None
    return texts


def _together(changed: Iterable[Change]) -> list[Change]:
    """Elements of an array that change alike as one change, and many that do not as another."""
    alike: dict[Any, list[Change]] = {}
    for change in changed:
        alike.setdefault(_likeness(change), []).append(change)
    found = [change for some in alike.values() for change in ([_one(some)] if len(some) >= TOGETHER else some)]
    arrays: dict[Any, list[Change]] = {}
    for change in found:
        arrays.setdefault(_array(change), []).append(change)
    return [change for some in arrays.values() for change in ([_one(some)] if len(some) >= MANY else some)]


def _one(some: Sequence[Change]) -> Change:
    """Changes of elements of one array as a change of these."""
    numbered = sorted(((_number(change), change) for change in some), key=lambda pair: pair[0])
    before, after = _array(some[0])
    name = f"{before}[{numbers_text([number for number, _ in numbered])}]{after}"
    old, new = (_Several(getattr(change, side) for _, change in numbered) for side in ("old", "new"))
    alike = len({(_text(was), _text(now)) for was, now in zip(old, new, strict=True)}) == 1
    return Change(name, old[0], new[0]) if alike else Change(name, old, new)


def _number(change: Change) -> int:
    return int(NUMBERED.fullmatch(change.name)[2])  # type: ignore[index]


def _moving(changed: Iterable[Change], said: Said) -> str | None:
    """The one long value that several changes have, if there is one and the label of the step does not say it."""
    counted: dict[str, int] = {}
    for text in (text for change in changed for text in _mentioned(change)):
        counted[text] = counted.get(text, 0) + 1
    again = [text for text, count in counted.items() if count > 1 and len(text) > WORDY and text not in said]
    return again[0] if len(again) == 1 else None


def _mentioned(change: Change) -> set[str]:
    """The texts of the values in a change that could be called otherwise."""
    if change.gone is None or change.came is None:
        return {_text(change.old), _text(change.new)}
    tokens = (token for token, _ in (*change.gone, *change.came))
    return {typed_text(one["token"] if isinstance(one, dict) and "token" in one else one) for one in tokens}


def numbers_text(numbers: Sequence[int]) -> str:
    """Numbers that rise, `0..3, 7, 9`, `2, 4 .. 46`."""
    found: list[str] = []
    start = 0
    while start < len(numbers):
        distances = [later - one for one, later in pairwise(numbers[start:])]
        even = next((i for i, one in enumerate(distances) if one != distances[0]), len(distances)) + 1
        first, last = numbers[start], numbers[start + even - 1]
        if even > 2 and distances[0] == 1:
            found.append(f"{first}..{last}")
        elif even >= EVENLY:
            found.append(f"{first}, {numbers[start + 1]} .. {last}")
        else:
            found.append(str(first))
            even = 1
        start += even
    return ", ".join(found)


def brief_text(value: Typed) -> str:
    """The text of a value; in a long array or tuple, elements that come again and again are counted."""
    listed = isinstance(value, list)
    if not listed and not (isinstance(value, dict) and "tuple" in value):
        return _text(value)
    texts = [brief_text(one) for one in (value if listed else value["tuple"])]
    joined = _counted(texts) if len(texts) >= LONG else ", ".join(texts)
    return f"[{joined}]" if listed else f"({joined}{',' if len(value['tuple']) == 1 else ''})"


def _counted(texts: Iterable[str]) -> str:
    runs = ((text, len(list(some))) for text, some in groupby(texts))
    return ", ".join(f"{text} x {count}" if count >= AGAIN else ", ".join([text] * count) for text, count in runs)


def _likeness(change: Change) -> Any:
    """Equal for elements that change alike; nothing else is like any other."""
    array = _array(change)
    return array if isinstance(array, str) else (*array, _text(change.old), _text(change.new))


def _array(change: Change) -> Any:
    """Equal for elements of the same array whose values are replaced."""
    numbered = NUMBERED.fullmatch(change.name) if change.gone is None else None
    return change.name if numbered is None else (numbered[1], numbered[3])


def exchanges(before: State, after: State) -> list[Change]:
    """The same without what cannot have held a token: most of what a step changes."""
    differ = [(name, before.get(name), after.get(name)) for name in touched(before, after)]
    pairs = ((name, old, new) for name, old, new in differ if _may_hold(old) and _may_hold(new))
    return [change for name, old, new in pairs for change in _changes(name, old, new)]


def _may_hold(value: Typed) -> bool:
    """Whether a bag, queue or set may be in a value."""
    if isinstance(value, list):
        return any(map(_may_hold, value))
    return isinstance(value, dict)


def _changes(name: str, old: Typed, new: Typed) -> Iterator[Change]:
    if same(old, new):
        return
    kind = _kind(old)
    if kind is None or kind != _kind(new):
        yield Change(name, old, new)
    elif kind == "list" and len(old) == len(new):
        for position, (was, now) in enumerate(zip(old, new, strict=True)):
            yield from _changes(f"{name}[{position}]", was, now)
    elif kind == "record" and _names(old) == _names(new):
        for field, was in old["record"].items():
            yield from _changes(f"{name}.{field}", was, new["record"][field])
    elif kind == "map" and _keys(old) == _keys(new):
        for (key, was), (_, now) in zip(old["map"], new["map"], strict=True):
            yield from _changes(f"{name}[{typed_key(key)}]", was, now)
    elif kind in _EXCHANGES:
        yield _exchange(name, kind, old, new)
    elif kind == "tuple" and len(typed_text(old)) + len(typed_text(new)) > SHORT:
        yield from _long_tuple(name, old["tuple"], new["tuple"])
    else:
        yield Change(name, old, new)


def same(old: Typed, new: Typed) -> bool:
    """Whether two values have the same words: 1, 1.0 and True are equal and not the same."""
    return old is new or (old is not ABSENT and new is not ABSENT and typed_text(old) == typed_text(new))


def _kind(value: Typed) -> str | None:
    if isinstance(value, dict):
        return str(next(iter(value)))
    return "list" if isinstance(value, list) else None


def _names(value: Typed) -> tuple[Any, ...]:
    return value["type"], *value["record"]


def _keys(value: Typed) -> list[str]:
    return [typed_text(key) for key, _ in value["map"]]


def _exchange(name: str, kind: str, old: Typed, new: Typed) -> Change:
    """What came and went; the whole of it where that is as short: at most one token before, and one after, and not
    the same long one more or less often.
    """
    was, now = old[kind], new[kind]
    counted = kind == "bag" and len(was) == len(now) == 1 and same(was[0][0], now[0][0])
    counted = counted and len(typed_text(was[0][0])) >= LONG_TOKEN
    if not counted and len(was) <= 1 and len(now) <= 1 and len(typed_text(old)) + len(typed_text(new)) <= SHORT:
        return Change(name, old, new)
    exchanged = _EXCHANGES[kind](was, now)
    return Change(name, old, new) if exchanged is None else Change(name, old, new, *exchanged)


def moved(change: Change) -> tuple[Counted, Counted]:
    """The tokens that left a bag, queue or set and those that came, however the change is shown."""
    if change.gone is not None and change.came is not None:
        return change.gone, change.came
    kind = _kind(change.old)
    if kind not in _EXCHANGES or kind != _kind(change.new):
        return (), ()
    return _EXCHANGES[kind](change.old[kind], change.new[kind]) or ((), ())


def _of_bags(was: Sequence[Any], now: Sequence[Any]) -> tuple[Counted, Counted]:
    before, after = ({typed_text(token): (token, count) for token, count in bag} for bag in (was, now))
    return _fewer(before, after), _fewer(after, before)


def _fewer(one: Mapping[str, tuple[Typed, int]], other: Mapping[str, tuple[Typed, int]]) -> Counted:
    """What there is less of in the other."""
    left = ((token, count - other.get(text, (None, 0))[1]) for text, (token, count) in one.items())
    return tuple((token, count) for token, count in left if count > 0)


def _of_sets(was: Sequence[Typed], now: Sequence[Typed]) -> tuple[Counted, Counted]:
    return _of_bags([(one, 1) for one in was], [(one, 1) for one in now])


def _of_queues(was: Sequence[Typed], now: Sequence[Typed]) -> tuple[Counted, Counted] | None:
    """What left a queue, and what was added at its end; None where something came in between."""
    if len(was) > LONGEST or len(now) > LONGEST:
        return None
    before, after = ([typed_text(one) for one in queue] for queue in (was, now))
    for taken in range(len(before) + 1):  # what is taken leaves first
        if before[taken:] == after[: len(before) - taken] and (taken < len(before) or not after):
            return _each(was[:taken]), _each(now[len(before) - taken :])
    gone: list[Typed] = []
    came: list[Typed] = []
    for tag, first, last, start, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag in ("insert", "replace") and end != len(after):
            return None
        gone += was[first:last] if tag != "equal" else ()
        came += now[start:end] if tag != "equal" else ()
    return _each(gone), _each(came)


def _each(tokens: Sequence[Typed]) -> Counted:
    return tuple((token, 1) for token in tokens)


_EXCHANGES = {"bag": _of_bags, "set": _of_sets, "queue": _of_queues}


def _long_tuple(name: str, was: list[Typed], now: list[Typed]) -> Iterator[Change]:
    """Of a long tuple the elements that differ; of one that grows or is cut like a queue, what came and went."""
    if len(was) == len(now):
        differing = sum(not same(*pair) for pair in zip(was, now, strict=True))
        if 2 * differing <= len(was):
            for position, pair in enumerate(zip(was, now, strict=True)):
                yield from _changes(f"{name}[{position}]", *pair)
            return
    exchanged = _of_queues(was, now)
    if exchanged is None or (was and len(exchanged[0]) == len(was)):  # nothing of it is left
        yield Change(name, {"tuple": was}, {"tuple": now})
    else:
        yield Change(name, {"tuple": was}, {"tuple": now}, *exchanged)
