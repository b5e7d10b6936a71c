"""The tables of what functions said about states go when the states go."""

from sweepcheck import Array, Model, explore, require

MEBIBYTE = 1 << 20


def cells(count: int, top: int) -> Model:
    m = Model("cells", x=Array([0] * count))

    @m.action(i=range(count))
    def up(s, i) -> None:
        require(s.x[i] < top)
        s.x[i] += 1

    return m


def together(s):
    """One function of all cells, which nobody can take apart."""
    return sum(cell if isinstance(cell, int) else 0 for cell in s.x)


def test_the_table_of_a_measure_weighs_no_more_than_the_states() -> None:
    report = explore(cells(8, 4), measure=together, strategy="sweep", engine="native")
    computed = explore(cells(8, 4), measure=lambda s: sum(s.x), strategy="sweep", engine="native")
    numbers, expected = report.statistics, computed.statistics
    assert (numbers.states, numbers.peak, numbers.layers) == (expected.states, expected.peak, expected.layers)
    assert list(report.profile) == list(computed.profile)
    assert numbers.table_bytes < 10 * MEBIBYTE  # of all states it would be 15
    cost = report.measure_cost
    assert numbers.states <= cost.evaluations < 1.5 * numbers.states  # few are asked for again


def test_a_slice_of_an_array_looks_at_its_elements_alone() -> None:
    m = cells(6, 3)

    @m.action
    def rest(s) -> None:
        require(sum(s.x[:4:2]) == 6 and s.x[-1:] == (0,))
        s.x[5] = 1

    (found,) = (one for one in explore(m, engine="native").actions if one.action == "rest")
    assert found.evaluations == 4 * 4 - 1 + 4  # of two cells; where these are 3, of a third one
