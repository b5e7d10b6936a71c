"""The folds of paper 1, on both engines, against plain loops over the states."""

from __future__ import annotations

import ast
import json
from collections import Counter
from pathlib import Path

import pytest

from sweepcheck import Bag, Guarantee, Model, Net, SweepcheckError, load, partial_order, product, queries, require
from sweepcheck.models.adoption import adopt

ENGINES = ["reference", "native"]


def network(packets: int = 4, capacity: int = 2) -> Net:
    net = Net("network", packets=packets)
    number = range(1, packets + 2)
    send, receive = net.place("NextSend", number, [1]), net.place("NextRec", number, [1])
    data, acks, received = net.place("Data", number), net.place("Acks", number), net.place("Received", number)
    room = net.place("Room", initial=capacity)
    net.transition("Send", send.test("n"), room.take("()"), data.put("n"), guard="n <= packets")
    net.transition(
        "Accept", data.take("n"), receive.take("n"), receive.put("n + 1"), acks.put("n + 1"), received.put("n")
    )
    net.transition("Again", data.take("n"), receive.test("r"), acks.put("r"), guard="n != r")
    net.transition("Ack", acks.take("k"), send.take("n"), send.put("max(n, k)"), room.put("()"))
    net.transition("Lose", data.take("n"), room.put("()"))
    net.transition("Never", data.take("n"), room.put("()"), guard="n > packets")
    net.progress(lambda m: m.NextRec.token)
    return net


def all_states(net: Net) -> list[object]:
    """Every reachable state as a view, by plain search."""
    system = adopt(net)
    seen = dict.fromkeys(system.initial_states())
    todo = list(seen)
    while todo:
        for edge in system.edges(todo.pop()):
            if edge.target not in seen:
                seen[edge.target] = None
                todo.append(edge.target)
    return [(state, system.view(state), system.edges(state)) for state in seen]


@pytest.fixture(params=ENGINES)
def sweep(request: pytest.FixtureRequest) -> queries.Sweep:
    return queries.Sweep(network(), engine=request.param)


class TestFolds:
    def test_states_are_counted_once(self, sweep: queries.Sweep) -> None:
        answer = queries.explore_states(sweep, init=0, comb=lambda a, b: a + b, eval=lambda _: 1)
        assert answer.value == len(all_states(network())) == answer.report.statistics.states
        assert answer.guarantee is Guarantee.EXACT

    def test_a_sum_sees_every_state_with_its_value(self, sweep: queries.Sweep) -> None:
        answer = queries.explore_states(sweep, init=0, comb=lambda a, b: a + b, eval=lambda m: len(m.Data))
        assert answer.value == sum(len(m.Data) for _, m, _ in all_states(network()))

    def test_a_histogram(self, sweep: queries.Sweep) -> None:
        def count(known: Counter[int], one: int) -> Counter[int]:
            return known + Counter([one])

        answer = queries.explore_states(sweep, init=Counter(), comb=count, eval=lambda m: m.NextSend.token)
        assert answer.value == Counter(m.NextSend.token for _, m, _ in all_states(network()))

    def test_only_states_that_satisfy_pred_count_and_those_of_store_are_kept(self, sweep: queries.Sweep) -> None:
        answer = queries.explore_states(
            sweep,
            init=0,
            comb=lambda a, b: a + b,
            eval=lambda _: 1,
            pred=lambda m: len(m.Data) == 2,
            store=lambda m: m.NextRec.token == 3,
        )
        full = [m for _, m, _ in all_states(network()) if len(m.Data) == 2]
        assert answer.value == len(full)
        assert len(answer.stored) == sum(m.NextRec.token == 3 for m in full) > 0
        assert all(len(m.Data) == 2 and m.NextRec.token == 3 for m in answer.stored)

    def test_values_need_not_be_hashable(self, sweep: queries.Sweep) -> None:
        answer = queries.explore_states(sweep, init=0, comb=lambda a, b: a + len(b), eval=lambda m: list(m.Data))
        assert answer.value == sum(len(m.Data) for _, m, _ in all_states(network()))

    def test_dead_states(self, sweep: queries.Sweep) -> None:
        answer = queries.explore_dead(
            sweep, init=(), comb=lambda a, b: (*a, b), eval=lambda m: m.NextRec.token, store=lambda _: True
        )
        assert answer.value == (5,)
        assert [len(m.Data) for m in answer.stored] == [0]

    def test_a_function_that_raises_is_an_error_with_the_state(self, sweep: queries.Sweep) -> None:
        with pytest.raises(SweepcheckError) as caught:
            queries.explore_states(sweep, init=0, comb=max, eval=lambda m: 1 // (3 - m.NextRec.token))
        assert caught.value.code == "SC209"
        assert "NextRec=1*3" in str(caught.value)

    def test_a_predicate_that_raises_is_an_error_with_the_state(self, sweep: queries.Sweep) -> None:
        with pytest.raises(SweepcheckError) as caught:
            queries.explore_states(sweep, init=0, comb=max, eval=lambda _: 1, pred=lambda m: 1 // (3 - m.NextRec.token))
        assert caught.value.code == "SC209"


class TestValues:
    """What `eval` may give, and what `comb` may do to it."""

    def test_an_accumulator_that_is_changed_in_place(self, sweep: queries.Sweep) -> None:
        def add(known: list[int], one: int) -> list[int]:
            known.append(one)
            return known

        init: list[int] = []
        answer = queries.explore_states(sweep, init=init, comb=add, eval=lambda m: len(m.Data))
        assert sorted(answer.value) == sorted(len(m.Data) for _, m, _ in all_states(network()))
        assert init == []

    @pytest.mark.parametrize("whole", [lambda m: (m.Data, m.NextRec), lambda m: [m.Data, m.NextRec], lambda m: m])
    def test_parts_of_a_state_inside_other_values(self, sweep: queries.Sweep, whole) -> None:  # type: ignore[no-untyped-def]
        answer = queries.explore_states(sweep, init=(), comb=lambda a, b: (*a, repr(b)), eval=whole)
        assert sorted(answer.value) == sorted(repr(whole(m)) for _, m, _ in all_states(network()))

    @pytest.mark.parametrize("wrong", [lambda m: (n for n in m.Data), lambda m: lambda: m, lambda m: m.Data.count])
    def test_what_cannot_be_kept_is_refused(self, sweep: queries.Sweep, wrong) -> None:  # type: ignore[no-untyped-def]
        with pytest.raises(SweepcheckError, match="cannot be kept") as caught:
            queries.explore_states(sweep, init=0, comb=lambda a, b: a + 1, eval=wrong)
        assert caught.value.code == "SC209"
        assert "NextRec=1*1" in str(caught.value)

    def test_a_comb_that_stops_changing_something_is_not_called_for_every_state(self) -> None:
        calls = []

        def largest(known: int, one: int) -> int:
            calls.append(one)
            return max(known, one)

        queries.explore_states(queries.Sweep(network(8)), init=0, comb=largest, eval=lambda m: len(m.Data))
        assert len(calls) <= 6

    def test_a_pure_comb_on_sets_is_not_called_for_every_state(self) -> None:
        calls = []

        def union(known: set[int], one: int) -> set[int]:
            calls.append(one)
            return known | {one}

        answer = queries.explore_states(queries.Sweep(network(8)), init=set(), comb=union, eval=lambda m: len(m.Data))
        assert answer.value == {0, 1, 2}
        assert len(calls) <= 9


class TestEdges:
    def test_every_edge_is_seen_with_both_states(self) -> None:
        found = queries.explore_edges(
            queries.Sweep(network()),
            init=frozenset(),
            comb=lambda a, b: a | {b},
            eval=lambda step: (step.label.action, len(step.source.Data), len(step.target.Data)),
            pred=lambda step: step.label.action != "Ack",
        )
        assert ("Send", 0, 1) in found.value
        assert all(action != "Ack" for action, _, _ in found.value)
        assert all(before - after == 1 for action, before, after in found.value if action == "Lose")

    def test_edges_are_counted_once(self) -> None:
        found = queries.explore_edges(
            queries.Sweep(network()), init=0, comb=lambda a, b: a + b, eval=lambda _: 1, store=lambda _: True
        )
        assert found.value == found.report.statistics.edges == len(found.stored)
        assert found.value == sum(len(edges) for _, _, edges in all_states(network()))

    @pytest.mark.parametrize("gc", ["layer", 3])
    def test_both_engines_see_the_same_edges(self, gc: str | int) -> None:
        def fold(engine: str) -> queries.Answer:
            return queries.explore_edges(
                queries.Sweep(network(), gc=gc, engine=engine),
                init=(),
                comb=lambda a, b: tuple(sorted((*a, b))),
                eval=lambda step: f"{step.source} {step.label} {step.target}",
                store=lambda step: step.label.action == "Accept",
            )

        native, reference = fold("native"), fold("reference")
        assert native.report.engine == "native"
        assert native.value == reference.value
        assert sorted(map(repr, native.stored)) == sorted(map(repr, reference.stored))
        assert native.report.statistics.edges == reference.report.statistics.edges == len(native.value)

    @pytest.mark.parametrize("engine", ENGINES)
    def test_a_function_that_raises_names_the_edge(self, engine: str) -> None:
        with pytest.raises(SweepcheckError) as caught:
            queries.explore_edges(queries.Sweep(network(), engine=engine), init=0, comb=max, eval=lambda _: 1 // 0)
        assert caught.value.code == "SC209"
        assert "Send(n=1)" in str(caught.value)


class TestTogether:
    def test_several_folds_in_one_sweep(self, sweep: queries.Sweep) -> None:
        def add(known: int, one: int) -> int:
            return known + one

        lost = queries.Fold(
            init=0, comb=add, eval=lambda _: 1, pred=lambda step: step.label.action == "Lose", over="edges"
        )
        states = queries.Fold(init=0, comb=add, eval=lambda m: len(m.Data), store=lambda m: len(m.Data) == 2)
        dead = queries.Fold(init=(), comb=lambda known, one: (*known, one), eval=lambda m: m.NextRec.token, over="dead")
        answers = queries.explore_together(sweep, lost, states, dead)
        truth = all_states(network())
        assert answers[0].value == sum(edge.label.action == "Lose" for _, _, edges in truth for edge in edges)
        assert answers[1].value == sum(len(m.Data) for _, m, _ in truth)
        assert len(answers[1].stored) == sum(len(m.Data) == 2 for _, m, _ in truth)
        assert answers[2].value == (5,)
        assert len({id(one.report) for one in answers}) == 1

    def test_the_fold_that_fails_is_named_by_its_state(self, sweep: queries.Sweep) -> None:
        edges = queries.Fold(init=0, comb=max, eval=lambda _: 1, over="edges")
        wrong = queries.Fold(init=0, comb=max, eval=lambda m: 1 // (3 - m.NextRec.token))
        with pytest.raises(SweepcheckError, match="NextRec=1\\*3") as caught:
            queries.explore_together(sweep, edges, wrong)
        assert caught.value.code == "SC209"

    @pytest.mark.parametrize("wrong", [{"over": "steps"}, {"comb": 3}, {"eval": None}])
    def test_what_is_no_fold(self, wrong) -> None:  # type: ignore[no-untyped-def]
        with pytest.raises(SweepcheckError) as caught:
            queries.explore_together(
                queries.Sweep(network()), queries.Fold(**{"init": 0, "comb": max, "eval": lambda _: 1, **wrong})
            )
        assert caught.value.code == "SC403"


class TestText:
    """Functions of states as expressions, in the language of the model's file."""

    def test_in_python(self, sweep: queries.Sweep) -> None:
        assert queries.best_upper(sweep, "len(Data)").value == 2
        assert queries.reachable(sweep, "len(Data) == 2 and NextRec.token == 3")
        assert queries.home(sweep, "NextSend.token == 5")
        kept = queries.explore_states(sweep, init=0, comb=max, eval="len(Data)", pred="len(Acks) == 1", store="True")
        assert kept.value == 1
        assert len(kept.stored) == sum(len(m.Acks) == 1 for _, m, _ in all_states(network()))

    @pytest.mark.parametrize("engine", ENGINES)
    def test_of_cpn_tools(self, engine: str) -> None:
        protocol = load(str(Path(__file__).parents[2] / "examples" / "protocol.cpn"))
        sweep = queries.Sweep(protocol, measure="NextRec", engine=engine)
        assert queries.best_upper(sweep, "size(Protocol'A)").value == 2
        assert queries.best_upper(sweep, lambda m: m.NextRec.token).value == 5
        assert queries.reachable(sweep, "hd NextRec = 3 andalso hd NextSend = 2")
        assert not queries.reachable(sweep, lambda m: m.NextRec.token == 9)
        assert queries.multiset_bounds(sweep, ["NextRec"]).value["NextRec"].upper == 1

    def test_an_edge_is_no_state(self) -> None:
        with pytest.raises(SweepcheckError, match="SC403"):
            queries.explore_edges(queries.Sweep(network()), init=0, comb=max, eval="len(Data)")  # type: ignore[arg-type]

    def test_a_name_that_is_unknown(self, sweep: queries.Sweep) -> None:
        with pytest.raises(SweepcheckError, match="SC402"):
            queries.best_upper(sweep, "len(Dada)")


class TestRepetition:
    """A measure that goes down: some queries do not mind states that are met again, and advice is given that works."""

    @staticmethod
    def back_and_forth() -> Model:
        m = Model("back", n=0)

        @m.action(by=(-1, 1))
        def go(s, by):  # type: ignore[no-untyped-def]
            require(0 <= s.n + by <= 4)
            s.n += by

        m.progress(lambda s: s.n)
        return m

    @pytest.mark.parametrize("engine", ENGINES)
    def test_advice_of_a_sweep_that_fails(self, engine: str) -> None:
        model = self.back_and_forth()
        with pytest.raises(SweepcheckError, match="SC301") as caught:
            queries.best_upper(queries.Sweep(model, engine=engine), lambda s: s.n)
        assert caught.value.suggestion.startswith('use strategy="generalised"')
        assert queries.best_upper(queries.Sweep(model, engine=engine, strategy="generalised"), lambda s: s.n).value == 4
        count = {"init": 0, "comb": lambda a, b: a + b, "eval": lambda _: 1}
        with pytest.raises(SweepcheckError, match="SC301") as caught:
            queries.explore_states(queries.Sweep(model, engine=engine), **count)
        assert caught.value.suggestion.startswith('use strategy="full"')
        assert queries.explore_states(queries.Sweep(model, engine=engine, strategy="full"), **count).value == 5

    def test_a_fold_of_ones_own_may_count(self) -> None:
        sweep = queries.Sweep(self.back_and_forth(), strategy="generalised")
        with pytest.raises(SweepcheckError, match="SC404") as caught:
            queries.explore_states(sweep, init=0, comb=max, eval=lambda s: s.n)
        assert "can be had with every strategy" in caught.value.suggestion


class TestStandardQueries:
    def test_reachable(self, sweep: queries.Sweep) -> None:
        assert queries.reachable(sweep, lambda m: len(m.Data) == 2 and m.NextRec.token == 3)
        assert not queries.reachable(sweep, lambda m: len(m.Data) == 3)

    def test_duplicate_packets_as_in_the_paper(self, sweep: queries.Sweep) -> None:
        answer = queries.reachable(sweep, lambda m: len(set(m.Received)) != len(m.Received))
        assert not answer.value
        assert answer.guarantee is Guarantee.EXACT

    def test_reachable_keeps_what_it_found(self, sweep: queries.Sweep) -> None:
        answer = queries.reachable(sweep, lambda m: len(m.Acks) == 2, keep=True)
        assert len(answer.stored) == sum(len(m.Acks) == 2 for _, m, _ in all_states(network())) > 0

    def test_integer_bounds(self, sweep: queries.Sweep) -> None:
        assert queries.best_upper(sweep, lambda m: len(m.Data)).value == 2
        assert queries.best_lower(sweep, lambda m: len(m.Data)).value == 0
        assert queries.best_lower(sweep, lambda m: m.NextSend.token - m.NextRec.token).value == -1

    def test_multiset_bounds(self, sweep: queries.Sweep) -> None:
        bounds = queries.multiset_bounds(sweep).value
        views = [m for _, m, _ in all_states(network())]
        for name in ("NextSend", "NextRec", "Data", "Acks", "Received", "Room"):
            tokens = {token for m in views for token in m[name]}
            assert bounds[name].upper == max(len(m[name]) for m in views)
            assert bounds[name].lower == min(len(m[name]) for m in views)
            assert bounds[name].upper_multiset == Bag({t: max(m[name].count(t) for m in views) for t in tokens})
            assert bounds[name].lower_multiset == Bag({t: min(m[name].count(t) for m in views) for t in tokens})

    def test_bounds_of_an_unknown_place(self, sweep: queries.Sweep) -> None:
        with pytest.raises(SweepcheckError) as caught:
            queries.multiset_bounds(sweep, ["Dada"])
        assert caught.value.code == "SC401"
        assert "Data" in str(caught.value)

    def test_dead_markings(self, sweep: queries.Sweep) -> None:
        answer = queries.dead_markings(sweep)
        assert answer.value == 1
        assert answer.stored[0].NextSend.token == 5

    def test_dead_transitions(self, sweep: queries.Sweep) -> None:
        assert queries.dead_transitions(sweep).value == ("Never",)

    def test_home(self, sweep: queries.Sweep) -> None:
        assert queries.home(sweep, lambda m: m.NextSend.token == 5)
        assert not queries.home(sweep, lambda m: len(m.Data) == 2)

    def test_on_a_model_of_actions(self) -> None:
        m = Model("counter", n=0, log=Bag())

        @m.action
        def up(s):  # type: ignore[no-untyped-def]
            require(s.n < 5)
            s.n += 1
            s.log.add(s.n % 2)

        for engine in ENGINES:
            sweep = queries.Sweep(m, measure=lambda s: s.n, engine=engine)
            assert queries.best_upper(sweep, lambda s: s.n).value == 5
            assert queries.multiset_bounds(sweep).value["log"].upper_multiset == Bag({0: 2, 1: 3})
            assert queries.dead_transitions(sweep).value == ()


MEASURES = {
    "sum": lambda m: m.NextRec.token,
    "tabulated": lambda m: len(m.Received),
    "product": product(lambda m: m.NextRec.token, lambda m: m.NextSend.token),
    "partial": partial_order(lambda m: frozenset(range(m.NextRec.token))),
}
STORES = {
    "all": lambda m: True,
    "none": lambda m: False,
    "some": lambda m: len(m.Data) == 2,
    "last": lambda m: m.NextSend.token == 5,
}


class TestPeak:
    """States that a query keeps count as long as they are kept; those that are stored anyway count once."""

    @pytest.mark.parametrize("engine", ENGINES)
    @pytest.mark.parametrize("gc", ["layer", 1, 20, "auto"])
    @pytest.mark.parametrize("measure", MEASURES)
    def test_whoever_keeps_all_states_saves_nothing(self, measure: str, gc: str | int, engine: str) -> None:
        sweep = queries.Sweep(network(), measure=MEASURES[measure], gc=gc, engine=engine)
        kept = queries.reachable(sweep, lambda m: True, keep=True)
        assert kept.report.statistics.peak == kept.report.statistics.states == len(kept.stored)

    @pytest.mark.parametrize("gc", ["layer", 1, 20])
    @pytest.mark.parametrize("measure", MEASURES)
    def test_both_engines_count_alike(self, measure: str, gc: str | int) -> None:
        peaks: dict[str, list[int]] = {}
        for engine in ENGINES:
            sweep = queries.Sweep(network(), measure=MEASURES[measure], gc=gc, engine=engine)
            plain = queries.best_upper(sweep, lambda m: 0).report.statistics.peak
            for store, keeps in STORES.items():
                kept = queries.reachable(sweep, keeps, keep=True)
                peak = kept.report.statistics.peak
                assert max(plain, len(kept.stored)) <= peak <= plain + len(kept.stored), store
                peaks.setdefault(store, []).append(peak)
        assert all(reference == native for reference, native in peaks.values()), peaks

    @pytest.mark.parametrize("engine", ENGINES)
    def test_nothing_counts_twice_where_nothing_is_deleted(self, engine: str) -> None:
        net = network()
        net.measure = None
        kept = queries.reachable(queries.Sweep(net, engine=engine), lambda m: True, keep=True)
        assert kept.report.statistics.peak == kept.report.statistics.states

    @pytest.mark.parametrize("engine", ENGINES)
    def test_dead_states_count_too(self, engine: str) -> None:
        """Of four states in each layer three are dead: in the end four are stored, four found, and three kept."""
        m = Model("tree", step=0, word=())

        @m.action(letter="abcd")
        def go(s, letter):  # type: ignore[no-untyped-def]
            require(s.step < 3 and (s.step == 0 or s.word[-1] == "a"))
            s.step += 1
            s.word += (letter,)

        dead = queries.dead_markings(queries.Sweep(m, measure=lambda s: s.step, engine=engine))
        assert dead.value == len(dead.stored) == 10
        assert dead.report.statistics.peak == 4 + 4 + 3

    @pytest.mark.parametrize("gc", ["layer", 3])
    def test_targets_of_edges_count(self, gc: str | int) -> None:
        sweep = queries.Sweep(network(), gc=gc)
        kept = queries.explore_edges(
            sweep, init=0, comb=lambda a, b: a + b, eval=lambda _: 1, store=lambda step: step.label.action == "Accept"
        )
        plain = queries.best_upper(sweep, lambda m: 0).report.statistics
        distinct = len({repr(target) for target in kept.stored})
        assert kept.value == plain.edges
        assert max(plain.peak, distinct) < kept.report.statistics.peak <= plain.peak + distinct


class TestGuarantees:
    def test_only_one_module_gives_guarantees(self) -> None:
        """Whoever wants one asks `core.verdict`; comparing with one is free."""
        source = Path(queries.__file__).parents[1]
        for path in source.rglob("*.py"):
            tree = ast.parse(path.read_text())
            compared = {id(part) for node in ast.walk(tree) if isinstance(node, ast.Compare) for part in ast.walk(node)}
            made = [
                node.lineno
                for node in ast.walk(tree)
                if isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id == "Guarantee"
                and id(node) not in compared
            ]
            assert not made or path.name == "verdict.py", (path, made)

    @pytest.mark.parametrize("engine", ENGINES)
    def test_a_run_that_ended_early(self, engine: str) -> None:
        sweep = queries.Sweep(network(), seconds=1e-9, engine=engine)
        assert queries.best_upper(sweep, lambda m: len(m.Data)).guarantee is Guarantee.BOUNDED
        assert queries.multiset_bounds(sweep).guarantee is Guarantee.BOUNDED
        assert queries.dead_transitions(sweep).guarantee is Guarantee.BOUNDED
        first = queries.reachable(sweep, lambda m: True)
        assert first.value
        assert first.guarantee is Guarantee.EXACT
        assert queries.reachable(sweep, lambda m: False).guarantee is Guarantee.BOUNDED
        home = queries.home(sweep, lambda m: True)
        assert home.value is None
        assert home.guarantee is Guarantee.NONE

    def test_a_comb_that_raises(self) -> None:
        with pytest.raises(SweepcheckError) as caught:
            queries.explore_states(
                queries.Sweep(network()), init=0, comb=lambda a, b: a / 0, eval=lambda m: len(m.Data)
            )
        assert caught.value.code == "SC209"
        assert "comb" in caught.value.what


class TestSpecification:
    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
    @pytest.mark.parametrize("engine", ENGINES)
    def test_a_log_on_a_full_disk(self, engine: str) -> None:
        with pytest.raises(SweepcheckError, match="SC406"):
            queries.dead_markings(queries.Sweep(network(8), gc=20, log="/dev/full", engine=engine))

    @pytest.mark.parametrize("engine", ENGINES)
    def test_the_log_has_a_line_per_collection(self, engine: str, tmp_path) -> None:  # type: ignore[no-untyped-def]
        log = tmp_path / "sweep.jsonl"
        answer = queries.dead_markings(queries.Sweep(network(8), gc=20, log=log, engine=engine))
        rows = [json.loads(line) for line in log.read_text().splitlines()]
        assert len(rows) > 3
        assert {*rows[0]} == {"seconds", "progress", "stored_before", "stored_after", "explored", "memory_bytes"}
        assert all(row["stored_after"] <= row["stored_before"] for row in rows)
        assert any(row["stored_after"] < row["stored_before"] for row in rows)
        assert [row["explored"] for row in rows] == sorted(row["explored"] for row in rows)
        assert rows[-1]["explored"] == answer.report.statistics.states
        assert max(row["stored_before"] for row in rows) <= answer.report.statistics.peak

    @pytest.mark.parametrize("gc", ["layer", 20])
    def test_both_engines_collect_at_the_same_moments(self, gc, tmp_path) -> None:  # type: ignore[no-untyped-def]
        rows = []
        for engine in ENGINES:
            log = tmp_path / f"{engine}.jsonl"
            queries.dead_markings(queries.Sweep(network(6), gc=gc, log=log, engine=engine))
            kept = ("progress", "stored_before", "stored_after", "explored")
            rows.append([[json.loads(line)[key] for key in kept] for line in log.read_text().splitlines()])
        assert rows[0] == rows[1]
        assert all(row[0] is not None and row[1] > 0 for row in rows[0])

    def test_a_log_that_cannot_be_written(self, tmp_path) -> None:  # type: ignore[no-untyped-def]
        with pytest.raises(SweepcheckError) as caught:
            queries.dead_markings(queries.Sweep(network(), log=tmp_path / "no" / "log"))
        assert caught.value.code == "SC406"

    @pytest.mark.parametrize("engine", ENGINES)
    def test_a_run_cut_short_says_so(self, engine: str) -> None:
        answer = queries.explore_states(
            queries.Sweep(network(200, 6), seconds=1e-6, engine=engine), init=0, comb=max, eval=lambda m: len(m.Data)
        )
        assert answer.guarantee is Guarantee.BOUNDED
        dead = queries.dead_transitions(queries.Sweep(network(200, 6), seconds=1e-6, engine=engine))
        assert dead.guarantee is Guarantee.BOUNDED
        assert (
            queries.home(
                queries.Sweep(network(200, 6), seconds=1e-6, engine=engine), lambda m: len(m.Data) == 0
            ).guarantee
            is Guarantee.NONE
        )

    @pytest.mark.parametrize("engine", ENGINES)
    def test_a_witness_counts_even_in_a_run_cut_short(self, engine: str) -> None:
        answer = queries.reachable(queries.Sweep(network(200, 6), seconds=1e-6, engine=engine), lambda m: True)
        assert answer.value
        assert answer.guarantee is Guarantee.EXACT

    def test_without_a_measure_everything_is_stored(self) -> None:
        net = network()
        net.measure = None
        assert queries.dead_markings(queries.Sweep(net)).report.strategy == "full"
