"""The share of one process in a run: a native engine for the states that it owns, and the batches that come and go."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from sweepcheck._core import Failure
from sweepcheck._core import Site as CoreSite
from sweepcheck._core import Stop as CoreStop
from sweepcheck.cluster.kept import broken, read_kept, write_kept
from sweepcheck.cluster.messages import At, Batch, Counted, Found, Order, Summary, Told, Way
from sweepcheck.cluster.owners import Field
from sweepcheck.cluster.places import place_of
from sweepcheck.core.limits import Limits
from sweepcheck.core.observer import Silence
from sweepcheck.core.plan import Plan
from sweepcheck.core.running import current
from sweepcheck.core.tabulated import is_tabulated
from sweepcheck.core.value_texts import UnportableError, digest_of, text_of, value_of
from sweepcheck.core.verdict import Stop
from sweepcheck.engines.native.description import describe, settings
from sweepcheck.engines.native.exploration import Exploration
from sweepcheck.engines.native.failures import explain
from sweepcheck.engines.native.traces import lost, parent_file
from sweepcheck.engines.parents import Parents
from sweepcheck.errors import RequestError, shown

MOST_STATES = 1 << 18  # that a site processes before it tells how it stands
MOST_BYTES = 1 << 24  # that wait to be sent, likewise
SENDER_SHIFT = 48  # of a state's number: above it is one more than its site, where that may be another one
FILES = 1 << 20  # files that were kept are senders too, with numbers from this one on


class Site:
    """One of `sites`. Methods are called one after the other; what they take and give back is plain data."""

    def __init__(
        self,
        plan: Plan,
        me: int,
        sites: int,
        *,
        count_natively: bool = True,
        resumes: bool = False,
        owner: Sequence[Field] = (),
    ) -> None:
        self._plan = plan = replace(plan, limits=Limits(memory=plan.limits.memory), workers=1)
        system = plan.system
        assert is_tabulated(system)
        self._system = system
        self._me, self._sites, self._resumes = me, sites, resumes
        self._unportable: str | None = None
        self._texts: dict[tuple[int, int], str] = {}
        self._decided: set[int] = set()
        self._early: set[int] = set()
        self._level = 0
        self._stop: Stop | None = None
        self._stack = ExitStack()
        self._parents = self._stack.enter_context(parent_file(plan))
        description = describe(plan, system, count_natively, None)
        self._run = Exploration(plan, system, Silence(), (self._parents, None), description)
        name = None if self._parents is None else self._parents.name
        # Whether states wait anywhere, only the driver knows: it ends the run at a violation.
        chosen = settings(replace(plan, keep_going=True), system, Silence(), name, None, None)
        self._core = CoreSite(self._run.core, chosen, me, sites, self._digest, owner)
        self._seconds = 0.0

    def close(self) -> None:
        """Let go of files, and of what the core holds."""
        self._run.close()
        self._stack.close()
        del self._core  # which refers back to this, and holds the states

    # -- supersteps -------------------------------------------------------------------------------------------------

    def begin(self) -> Told:
        """Find the initial states that belong here, unless the run goes on from what was kept."""
        self._do(lambda: self._core.begin(self._resumes))
        return self._told()[0]

    def step(self, order: Order, inbox: Sequence[Batch]) -> tuple[Told, list[Batch | None]]:
        """One superstep: how this site stands afterwards, and a batch for each of the others, or none."""
        started = time.process_time()
        self._settle(order.decided)
        if order.leave is not None and self._layer(self._core.entered) == order.leave:
            self._core.leave()
        for batch in inbox:
            self._learn(batch.sender, batch.values)
            self._do(lambda batch=batch: self._core.receive(batch.sender, batch.states))
        if shares := [(batch.sender, batch.open) for batch in inbox if batch.open]:
            self._do(lambda: self._core.decide(shares))
        self._early |= {number for number, found in enumerate(self._run.core.decisions()) if found is not None}
        if order.at is not None and self._layer(self._core.least) == order.at and self._stop is None:
            if order.level:
                self._level = self._core.waiting
            most = min(MOST_STATES, self._level) if self._plan.measure is None else MOST_STATES
            self._do(lambda: self._core.work(most, MOST_BYTES))
            self._level = max(0, self._level - self._core.processed)
        self._seconds = time.process_time() - started
        return self._told(order.judge)

    def _settle(self, decided: Sequence[int]) -> None:
        """Other sites have decided these properties."""
        if news := [number for number in decided if number not in self._decided]:
            self._decided.update(news)
            self._core.settle(news)

    def end_sweep(self) -> bool:
        """Whether another sweep has states to begin with here."""
        return self._core.ends_sweep()

    def begin_sweep(self) -> Told:
        """Another sweep begins, from states that steps back led to, here or elsewhere."""
        self._core.begin_sweep()
        return self._told()[0]

    def _do(self, job: Any) -> None:
        """Let the core work; what goes wrong in the model is raised as the error that it is."""
        if self._stop is not None:
            return
        token = current.set(self._run.core.chooser)
        try:
            ended = job()
        except RuntimeError:
            if self._unportable is None:
                raise
            raise unportable(self._unportable) from None
        finally:
            current.reset(token)
        if isinstance(ended, Failure):
            current_state = ended.state
            try:
                self._stop, _ = explain(self._plan, self._system, ended)
            except Exception as error:
                error.state = current_state  # type: ignore[attr-defined]
                raise
        elif ended is not CoreStop.NONE:
            self._stop = Stop[ended.name]

    def _digest(self, value: Any) -> int | None:
        try:
            return digest_of(text_of(value))
        except UnportableError as error:
            self._unportable = f"{shown(value)} cannot be sent to another process: {error}"
            return None

    def _learn(self, sender: int, values: Sequence[tuple[int, int, str]]) -> None:
        self._core.learn(sender, [(variable, number, value_of(text)) for variable, number, text in values])

    def _layer(self, place: int | None) -> At | None:
        if place is None:
            return None
        return At(None if self._plan.measure is None else self._run.progress_value((place,)))

    def _told(self, judge: int | None = None) -> tuple[Told, list[Batch | None]]:
        counted, batches, states = self._run.core.counters, [], 0
        for site in range(self._sites):
            count, packed = self._core.take(site)
            noted, open_states = self._core.take_open() if site == judge else (0, b"")
            states += count + noted
            batches.append(Batch(self._me, self._values(site), packed, open_states) if count or noted else None)
        told = Told(
            least=self._layer(self._core.least),
            waiting=self._core.waiting,
            level=self._level,
            entered=self._layer(self._core.entered),
            here=self._core.here,
            counted=Counted(
                counted.states, counted.edges, counted.explored, counted.stored, counted.dead_states,
                counted.persistent, counted.beyond, counted.outside_edges, self._core.regress_edges,
            ),
            stop=self._stop,
            found=self._found(),
            sent=tuple(0 if one is None else one.bytes for one in batches),
            sent_states=states,
            seconds=self._seconds,
            memory_bytes=counted.memory_bytes,
            state_bytes=counted.state_bytes or 0,
        )  # fmt: skip
        return told, batches

    def _values(self, to: int) -> list[tuple[int, int, str]]:
        return [(variable, number, text_of(value)) for variable, number, value in self._core.values(to)]

    def _found(self) -> tuple[Found, ...]:
        """What was decided since this was last told."""
        news = []
        for number, found in enumerate(self._run.core.decisions()):
            if found is None or number in self._decided:
                continue
            self._decided.add(number)
            above, below = divmod(found.number or 0, 1 << SENDER_SHIFT)
            news.append(
                Found(
                    property=number,
                    site=above - 1 if above else self._me,
                    number=below,
                    state=self.written(found.state),
                    cycle=tuple(map(self.written, found.cycle)),
                    actions=tuple(found.actions),
                    early=number in self._early,
                )
            )
        return tuple(news)

    def written(self, state: Any) -> str:
        """A state as text."""
        return text_of(tuple(state))

    # -- what is kept -----------------------------------------------------------------------------------------------

    def keep(self, where: str, name: str) -> int:
        """Write down all that is needed to go on; its size."""
        values = self._values(FILES)  # all that were not written yet, which are remembered here
        for variable, number, text in values:
            self._texts[variable, number] = text
        return write_kept(place_of(where), name, [(*key, text) for key, text in self._texts.items()], self._core.kept())

    def restore(self, where: str, names: Sequence[str]) -> Told:
        """Go on from what was written down: whatever belongs here now."""
        for number, name in enumerate(names):
            values, states = read_kept(place_of(where), name)
            try:
                self._learn(FILES + 1 + number, values)
                self._do(lambda number=number, states=states: self._core.restore(FILES + 1 + number, states))
            except (RuntimeError, TypeError, ValueError, OverflowError):
                raise broken(name, "it holds no states of this model") from None
        return self._told()[0]

    # -- traces and figures -----------------------------------------------------------------------------------------

    def way_to(self, number: int) -> Way:
        """The last edges of the way to a state, as far as they were found here."""
        assert self._parents is not None
        self._core.flush()
        parents = Parents.of(self._parents.file)
        edges: list[int] = []
        while True:
            origin = parents.origin(number)
            edges.append(origin.edge)
            if origin.parent == number:
                return Way(tuple(edges[::-1]), None, 0)
            if origin.parent >> SENDER_SHIFT:
                site = (origin.parent >> SENDER_SHIFT) - 1
                return Way(tuple(edges[::-1]), site, origin.parent & ((1 << SENDER_SHIFT) - 1))
            number = origin.parent

    def follow(self, state: str, edges: Sequence[int]) -> list[str]:
        """The states along a path of edges that were found here, without the first."""
        token = current.set(self._run.core.chooser)
        try:
            states = self._core.follow(value_of(state), list(edges))
        finally:
            current.reset(token)
        return [self.written(one) for one in states[1:]]

    def summary(self) -> Summary:
        """What is known at the end."""
        core = self._run.core
        actions, counted = core.actions(), core.counters
        return Summary(
            edges=tuple(one.edges for one in actions),
            regress_edges=tuple(one.regress_edges for one in actions),
            evaluations=tuple(one.evaluations for one in actions),
            action_seconds=tuple(one.seconds for one in actions),
            tabulated=tuple(one.tabulated for one in actions),
            model_seconds=counted.model_seconds,
            table_bytes=counted.table_bytes or 0,
            trace_bytes=core.trace_bytes,
            trace_lost=lost(core),
        )


def unportable(what: str) -> RequestError:
    """The error for a value that cannot travel."""
    return RequestError(
        "SC419",
        what,
        suggestion="let states hold numbers, text, tuples, sets, enumerations, named tuples or data classes\n"
        "that are declared at the top of the model's file; or leave cluster= out",
    )
