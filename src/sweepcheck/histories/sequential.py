"""Sequential models: what operations answer when they are done one after the other."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from sweepcheck.histories.history import ANY, Operation

Step = Callable[[Any, str, Any], tuple[Any, Hashable]]


@dataclass(frozen=True, slots=True)
class Sequential:
    """`step(state, name, argument)` is the answer of an operation and the state after it.

    `reads` says of an operation whether it leaves every state as it is wherever it gives its answer; `key` what it is
    about, where operations with other keys do not matter to it. Both are optional: they only make the search shorter.
    """

    name: str
    initial: Hashable
    step: Step
    reads: Callable[[Operation], bool] | None = None
    key: Callable[[Operation], Hashable] | None = None


def _reads(*names: str) -> Callable[[Operation], bool]:
    return lambda one: one.name in names


def _register(value: Any, name: str, argument: Any) -> tuple[Any, Hashable]:
    if name == "read":
        return value, value
    if name == "write":
        return True, argument
    old, new = argument  # cas
    return (True, new) if value == old else (False, value)


def _key_value(value: Any, name: str, argument: Any) -> tuple[Any, Hashable]:
    if name == "get":
        return value, value
    return True, value + argument if name == "append" else argument


def _queue(items: Any, name: str, argument: Any) -> tuple[Any, Hashable]:
    if name == "enqueue":
        return True, (*items, argument)
    return (items[0], items[1:]) if items else (None, items)


def _set(values: Any, name: str, argument: Any) -> tuple[Any, Hashable]:
    if name == "add":
        return True, values | {argument}
    if name == "remove":
        return True, values - {argument}
    return tuple(sorted(values)), values


def _lock(holder: Any, name: str, argument: Any) -> tuple[Any, Hashable]:
    if name == "acquire":
        return holder is None, argument if holder is None else holder
    return holder == argument, None if holder == argument else holder


def _append_list(items: Any, name: str, argument: Any) -> tuple[Any, Hashable]:
    return (items, items) if name == "read" else (True, (*items, argument))


def _bank(balances: Any, name: str, argument: Any) -> tuple[Any, Hashable]:
    if name == "read":
        return balances, balances
    source, target, amount = argument
    known = dict(balances)
    if known[source] < amount:
        return False, balances
    known[source] -= amount
    known[target] += amount
    return True, tuple(sorted(known.items()))


def _fails_or_reads(one: Operation) -> bool:
    return one.name == "read" or one.result is False


def register(initial: Hashable = None) -> Sequential:
    """`read` answers the last value written; `write`."""
    return Sequential("register", initial, _register, _reads("read"))


def cas_register(initial: Hashable = None) -> Sequential:
    """A register with `cas`: its argument is (old, new), its answer whether the value was `old`."""
    return Sequential("cas-register", initial, _register, _fails_or_reads)


def key_value(initial: Hashable = "") -> Sequential:
    """`get`, `put` and `append` of a text, each of a key; keys do not depend on each other."""
    return Sequential("key-value", initial, _key_value, _reads("get"), lambda one: one.key)


def queue(initial: tuple[Hashable, ...] = ()) -> Sequential:
    """`enqueue`; `dequeue` answers the first value, None where there is none."""
    return Sequential("queue", initial, _queue, lambda one: one.name == "dequeue" and one.result is None)


def set_of_values(initial: frozenset[Any] = frozenset()) -> Sequential:
    """`add`, `remove`; `read` answers the values in order."""
    return Sequential("set", initial, _set, _reads("read"))


def lock(initial: Hashable = None) -> Sequential:
    """`acquire` and `release` by the client that is their argument; the answer is whether it worked."""
    return Sequential("lock", initial, _lock, lambda one: one.result is False)


def append_list(initial: tuple[Hashable, ...] = ()) -> Sequential:
    """`append`; `read` answers the whole list."""
    return Sequential("append-list", initial, _append_list, _reads("read"))


def bank(balances: Mapping[Hashable, int] | None = None) -> Sequential:
    """`transfer` of (from, to, amount), which fails without enough money; `read` answers all balances by account."""
    initial = tuple(sorted((balances or {}).items()))
    return Sequential("bank", initial, _bank, _fails_or_reads)


MODELS: Mapping[str, Callable[[], Sequential]] = {
    "register": register,
    "cas-register": cas_register,
    "key-value": key_value,
    "queue": queue,
    "set": set_of_values,
    "lock": lock,
    "append-list": append_list,
}


def answers(result: Any, given: Any) -> bool:
    """Whether an operation that was answered this may have given that."""
    return result is ANY or result == given
