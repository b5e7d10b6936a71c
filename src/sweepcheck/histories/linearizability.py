"""Linearizability: is there an order of operations, each between its call and its return, that explains every answer?

A search along the history, depth first. A configuration is a position in the history, the state of the sequential
model, which open operations have taken effect, and which operations that never returned have.

Three things keep configurations few, and lose no answer. An operation takes effect no sooner than an answer needs it.
One that leaves the state as it is takes effect as soon as it can. And a configuration in which more of the operations
that never returned have taken effect, and all else is equal, is dropped: the other one can do all that it can.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any

from sweepcheck.core.verdict import Guarantee, Status, Stop, strength
from sweepcheck.errors import ModelError, own_traceback, raised_at, shown, told
from sweepcheck.histories.history import History, Operation
from sweepcheck.histories.sequential import Sequential, answers

FIRST = 1_000  # configurations of each key, before those of the next
MOST = 10_000_000
Order = tuple[int, Any] | None  # the operations that have taken effect, the last one first


@dataclass(frozen=True, slots=True)
class Linearizability:
    """What came of a history. `order` explains it; else `refused` is the first operation that nothing explains.

    `states` are those that the sequential model may be in before `refused` returned. `configurations` counts all that
    were looked at. `parts` is how many keys have a history of their own.
    """

    history: History
    status: Status
    guarantee: Guarantee
    order: tuple[Operation, ...] = ()
    refused: Operation | None = None
    states: tuple[Hashable, ...] = ()
    configurations: int = 0
    reason: str | None = None
    parts: int = 1

    def __bool__(self) -> bool:
        return self.status is Status.HOLDS


class _Kept:
    """Configurations of one position: by all else, the least sets of operations that never returned."""

    def __init__(self) -> None:
        self._found: dict[tuple[Hashable, int], list[int]] = {}

    def add(self, state: Hashable, done: int, used: int) -> bool:
        """Keep a configuration, unless one that can do all that it can is kept."""
        known = self._found.setdefault((state, done), [])
        if any(least & used == least for least in known):
            return False
        known[:] = [one for one in known if used & one != used]
        known.append(used)
        return True

    def states(self) -> tuple[Hashable, ...]:
        """Those of the sequential model."""
        return tuple(dict.fromkeys(state for state, _ in self._found))


@dataclass(frozen=True, slots=True)
class _Return:
    """A return: its operation, and what is open then, each with a bit. Bits of lost operations are counted apart."""

    number: int
    bit: int
    writes: tuple[tuple[int, int], ...]  # open operations and their bits, the first called first
    reads: tuple[tuple[int, int], ...]  # likewise those that leave the state as it is
    lost: tuple[tuple[tuple[int, int], ...], ...]  # operations that never return, those that do the same together


def _returns(history: History, reads: Callable[[Operation], bool]) -> list[_Return]:
    found: list[_Return] = []
    open_: dict[int, int] = {}
    free: list[int] = []
    lost: dict[tuple[str, Hashable], tuple[tuple[int, int], ...]] = {}
    classes: tuple[tuple[tuple[int, int], ...], ...] = ()
    count = 0
    for _, is_return, number in history.events():
        one = history.operations[number]
        if is_return:
            split = [pair for pair in open_.items() if reads(history.operations[pair[0]])]
            writes = tuple(pair for pair in open_.items() if pair not in split)
            found.append(_Return(number, open_[number], writes, tuple(split), classes))
            free.append(open_.pop(number))
        elif one.returned is None:
            lost[one.name, one.argument] = (*lost.get((one.name, one.argument), ()), (number, 1 << count))
            classes, count = tuple(lost.values()), count + 1
        else:
            open_[number] = free.pop() if free else 1 << len(open_)
    return found


class _Search:
    """The search through one history, which may be broken off."""

    def __init__(self, history: History, model: Sequential) -> None:
        self.history = history
        self.operations = history.operations
        self.model = model
        self.returns = _returns(history, model.reads or (lambda _: False))
        self.seen = [_Kept() for _ in range(len(self.returns) + 1)]
        self.looked_at = 0
        self.deepest = 0
        self.order: Order = None
        self._waiting: list[tuple[int, Hashable, int, int, Order]] = []
        self._answers: dict[tuple[Hashable, str, Hashable], tuple[Any, Hashable]] = {}
        self._reach(0, model.initial, 0, 0, None)

    def run(self, most: int) -> Status:
        """Look at so many configurations more."""
        end = self.looked_at + most
        while self._waiting:
            if self.looked_at >= end:
                return Status.INCONCLUSIVE
            position, state, done, used, order = self._waiting.pop()
            self.looked_at += 1
            if position == len(self.returns):
                self.order = order
                return Status.HOLDS
            self.deepest = max(self.deepest, position)
            here = self.returns[position]
            if done & here.bit:
                self._reach(position + 1, state, done & ~here.bit, used, order)
                continue
            for number, changed, more_done, more_used in reversed(list(self._next(here, state, done, used))):
                self._reach(position, changed, more_done, more_used, (number, order))
        return Status.VIOLATED

    def _reach(self, position: int, state: Hashable, done: int, used: int, order: Order) -> None:
        """Keep a configuration, in which all open operations that read have taken effect where they fit."""
        if position < len(self.returns):
            for number, bit in self.returns[position].reads:
                if not done & bit and self._step(state, number)[0]:
                    done |= bit
                    order = number, order
        if self.seen[position].add(state, done, used):
            self._waiting.append((position, state, done, used, order))

    def _next(self, here: _Return, state: Hashable, done: int, used: int) -> Iterator[tuple[int, Hashable, int, int]]:
        """The operations that may take effect next: of lost ones that do the same, the first that has not."""
        for number, bit in here.writes:
            if not done & bit:
                fits, changed = self._step(state, number)
                if fits:
                    yield number, changed, done | bit, used
        for alike in here.lost:
            number, bit = next((pair for pair in alike if not used & pair[1]), (-1, 0))
            if number >= 0:
                fits, changed = self._step(state, number)
                if fits and changed != state:
                    yield number, changed, done, used | bit

    def _step(self, state: Hashable, number: int) -> tuple[bool, Hashable]:
        """Whether an operation may take effect in a state, and the state after it."""
        one = self.operations[number]
        key = state, one.name, one.argument
        known = self._answers.get(key)
        if known is None:
            try:
                known = self._answers[key] = self.model.step(*key)
            except Exception as error:
                raise ModelError(
                    "SC708",
                    f"the sequential model {self.model.name!r} raised {told(error)}",
                    where=raised_at(error, self.model.step),
                    values=[("operation", str(one)), ("state", shown(state)), ("traceback", own_traceback(error))],
                    suggestion="it gives the answer of every operation of the history, and the state after it",
                ) from error
        result, after = known
        return answers(one.result, result), after

    def explanation(self) -> Iterator[Operation]:
        """The operations in the order that was found."""
        numbers, link = [], self.order
        while link is not None:
            number, link = link
            numbers.append(number)
        return (self.operations[number] for number in reversed(numbers))


def linearizable(history: History, model: Sequential, *, most: int = MOST) -> Linearizability:
    """Whether a history is linearizable. After `most` configurations the answer is inconclusive.

    Where operations have keys that do not depend on each other, each key has a history of its own. All are looked at
    in turns, so that one that is hard does not keep another one from being refused.
    """
    parts = [history] if model.key is None else list(history.by_key(model.key).values())
    searches = [_Search(one, model) for one in parts]
    open_, budget = list(searches), FIRST
    while open_:
        left = list(open_)
        for one in left:
            looked_at = sum(each.looked_at for each in searches)
            if looked_at >= most:
                reason = f"{looked_at:,} configurations were looked at"
                return Linearizability(
                    history, Status.INCONCLUSIVE, strength(Stop.STATES), configurations=looked_at, reason=reason,
                    parts=len(parts),
                )  # fmt: skip
            status = one.run(min(budget, most - looked_at))
            if status is Status.VIOLATED:
                return _refused(one, sum(each.looked_at for each in searches), len(parts))
            if status is Status.HOLDS:
                open_.remove(one)
        budget *= 4
    order = tuple(operation for one in searches for operation in one.explanation())
    looked_at = sum(one.looked_at for one in searches)
    return Linearizability(history, Status.HOLDS, strength(None), order, configurations=looked_at, parts=len(parts))


def _refused(search: _Search, looked_at: int, parts: int) -> Linearizability:
    refused = search.operations[search.returns[search.deepest].number]
    states = search.seen[search.deepest].states()
    return Linearizability(search.history, Status.VIOLATED, strength(None), (), refused, states, looked_at, parts=parts)
