"""Who sent what to whom in a trace: a token that one owner puts into a bag or queue and another one takes from it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from sweepcheck.report.changes import Change, Said, changes, exchanges, moved, said, told
from sweepcheck.report.trace import DescribedStep, DescribedTrace
from sweepcheck.report.typed import Typed, typed_text

UNIT: Typed = {"tuple": []}  # a token that says nothing: a permit, a free place
NOBODY = "model"  # who makes the steps that belong to nobody in particular


@dataclass(frozen=True, slots=True)
class Message:
    """A token that was sent in one step and is received in another. `certain`: no equal token of somebody else was
    under way, so that it must be this one.
    """

    channel: str
    token: str
    sender: str
    sent: int
    certain: bool


@dataclass(frozen=True, slots=True)
class Event:
    """A step as an event of its owner: what it received from others, and what it changed, in words where its label
    has said the half of it.
    """

    number: int
    label: str
    owner: str
    received: tuple[Message, ...]
    changes: tuple[Change, ...]
    said: Said

    @property
    def words(self) -> list[str]:
        """What it changed, a line each."""
        return told(self.changes, said=self.said)


def events(trace: DescribedTrace) -> list[Event]:
    """The steps of a trace as events."""
    post = _Post()
    found: list[Event] = []
    pairs = pairwise(trace.states)
    for number, (step, (before, after)) in enumerate(zip(trace.steps, pairs, strict=True), start=1):
        changed = changes(before, after)
        received = post.after(number, step, changed)
        owner = step.owner or NOBODY
        found.append(Event(number, step.label, owner, tuple(received), tuple(changed), said(step.arguments)))
    return found


def messages(trace: DescribedTrace) -> Iterator[tuple[int, Message]]:
    """What was received along a trace, each with the number of the step."""
    post = _Post()
    pairs = pairwise(trace.states)
    for number, (step, (before, after)) in enumerate(zip(trace.steps, pairs, strict=True), start=1):
        for message in post.after(number, step, exchanges(before, after)):
            yield number, message


class _Post:
    """What is under way: of each channel and token, who sent it and when."""

    def __init__(self) -> None:
        self._under_way: dict[tuple[str, str], deque[tuple[str, int]]] = {}

    def after(self, number: int, step: DescribedStep, changed: Iterable[Change]) -> list[Message]:
        """A step has changed this: what it received. What it sent is under way from now on."""
        owner = step.owner or NOBODY
        received: list[Message] = []
        arrived: list[tuple[str, str]] = []
        for change in changed:
            gone, came = moved(change)
            for token, count in gone:
                received += _received(self._under_way, (change.name, typed_text(token)), count, owner)
            arrived += [
                (change.name, typed_text(token)) for token, count in came if token != UNIT for _ in range(count)
            ]
        for channel in arrived:
            self._under_way.setdefault(channel, deque()).append((owner, number))
        return received


def _received(
    under_way: dict[tuple[str, str], deque[tuple[str, int]]], channel: tuple[str, str], count: int, owner: str
) -> list[Message]:
    """The tokens that are taken, those that were sent first; what one has sent to oneself is no message."""
    waiting = under_way.get(channel, deque())
    certain = len({sender for sender, _ in waiting}) <= 1
    taken = [waiting.popleft() for _ in range(min(count, len(waiting)))]
    return [Message(*channel, sender, sent, certain) for sender, sent in taken if sender != owner]
