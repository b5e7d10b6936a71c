"""Processes that go through sets, bags and queues: their steps ask for parts as actions do."""

from sweepcheck import Bag, Model, Queue, Set, choose, explore, require, state_graph


def voting(voters: int) -> Model:
    m = Model("voting", sent=Set(), noise=Bag(), line=Queue(), won=None)
    quorum = voters // 2 + 1

    @m.process(p=range(voters))
    def voter(s, p):
        s.sent.add(("hello", p, 0))
        yield "asked"
        s.sent.add(("vote", p, choose(x for x in range(3) if x not in (s.won, 1))))
        yield "voted"
        for kind, by, value in s.sent:
            if kind == "vote" and by > p and value == 2:
                s.noise.add(by)
        least = min((value for kind, _, value in s.sent if kind == "vote"), default=0)
        yield "counting"
        require(len([x for x in s.sent if x[0] == "vote"]) >= quorum)
        if not any(x == p for x in s.line):
            s.line.put(p)
        if s.won is None and least == 0:
            s.won = choose([v for v in (0, 2) if any(x[0] == "vote" and x[2] == v for x in s.sent)])

    return m


def test_both_engines_find_the_same() -> None:
    found = [
        [(source, str(label), target) for source, label, target in state_graph(voting(3), engine=engine).edges()]
        for engine in ("native", "reference")
    ]
    assert found[0] == found[1]


def test_steps_run_for_what_they_are_after() -> None:
    """They ran once for each content of the set."""
    report = explore(voting(4), engine="native")
    runs = sum(one.evaluations for one in report.actions)
    assert runs < report.statistics.explored / 30, runs
