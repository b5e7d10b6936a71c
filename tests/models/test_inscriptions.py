"""Inscriptions: how multisets, guards, delays and functions are read, and what a transition then does."""

import pytest
from playing import Play, counts

from sweepcheck import Bag, Net, colours
from sweepcheck.models.net.inscription import Computed, Either, Tokens, conjuncts, expression, free_names, multiset
from sweepcheck.models.net.structure import Arc


def terms(text: str, **constants: object) -> list[object]:
    """A multiset in short: (coefficient, token, delay) for tokens."""

    def short(term: object) -> object:
        if isinstance(term, Either):
            return term.condition.text, [short(one) for one in term.then], [short(one) for one in term.otherwise]
        if isinstance(term, Computed):
            return term.value.text if term.delay is None else (term.value.text, term.delay.text)
        assert isinstance(term, Tokens)
        coefficient = "1" if term.coefficient is None else term.coefficient.text
        return (coefficient, term.token.text, *([] if term.delay is None else [term.delay.text]))

    return [short(term) for term in multiset(text, "the inscription", constants)]


READ = [
    ("n", [("1", "n")]),
    ("  n ", [("1", "n")]),
    ("5", [("1", "5")]),
    ("()", [("1", "()")]),
    ("(n, k)", [("1", "(n, k)")]),
    ("n, k", [("1", "(n, k)")]),
    ("'red'", [("1", "'red'")]),
    ("n + 1", [("1", "n + 1")]),
    ("2*n", [("2", "n")]),
    ("1*n", [("1", "n")]),
    ("0*n", []),
    ("2*3", [("2", "3")]),
    ("n*2", [("1", "n * 2")]),
    ("n * -2", [("1", "n * -2")]),
    ("2*(n + 1)", [("2", "n + 1")]),
    ("k*n", [("1", "k * n")]),
    ("n ++ k", [("1", "n"), ("1", "k")]),
    ("2*n ++ 3*k ++ m", [("2", "n"), ("3", "k"), ("1", "m")]),
    ("n ++ 0*k", [("1", "n")]),
    ("n + 1 ++ n + 2", [("1", "n + 1"), ("1", "n + 2")]),
    ("n - 1 ++ 2*n ++ n + 1 - k ++ m", [("1", "n - 1"), ("2", "n"), ("1", "n + 1 - k"), ("1", "m")]),
    ("n - -1", [("1", "n - -1")]),
    ("n @+ 1 ++ (k + 1) @+ 2", [("1", "n", "1"), ("1", "k + 1", "2")]),
    ("(n + 1, k) ++ m", [("1", "(n + 1, k)"), ("1", "m")]),
    ("(n, 1) ++ 2*(k, 2)", [("1", "(n, 1)"), ("2", "(k, 2)")]),
    ("{}", []),
    ("{n: 2}", [("2", "n")]),
    ("{n: 1, k: 2}", [("1", "n"), ("2", "k")]),
    ("{n: k}", [("k", "n")]),
    ("{n: 0, k: 1}", [("1", "k")]),
    ("{n: 1} ++ k", [("1", "n"), ("1", "k")]),
    ("n @+ 5", [("1", "n", "5")]),
    ("2*n @+ 5", [("2", "n", "5")]),
    ("n @+ (k + 1)", [("1", "n", "k + 1")]),
    ("n @+ k + 1", [("1", "n", "k + 1")]),
    ("2*n @+ k * 2 ++ m + 1 @+ 3", [("2", "n", "k * 2"), ("1", "m + 1", "3")]),
    ("n @+ 5 ++ 2*k @+ 3", [("1", "n", "5"), ("2", "k", "3")]),
    ("{n: 2, k: 1} @+ 5", [("2", "n", "5"), ("1", "k", "5")]),
    ("n if ok else k", [("1", "n if ok else k")]),
    ("n if ok else {}", [("ok", [("1", "n")], [])]),
    ("2*n if ok else k", [("ok", [("2", "n")], [("1", "k")])]),
    ("(n if ok else {}) @+ 5", [("ok", [("1", "n", "5")], [])]),
    ("n @+ 1 if ok else n @+ 2", [("ok", [("1", "n", "1")], [("1", "n", "2")])]),
    ("n if a else k if b else {}", [("a", [("1", "n")], [("b", [("1", "k")], [])])]),
    ("f(n)", ["f(n)"]),
    ("f(n) @+ 5", [("f(n)", "5")]),
    ("n ++ f(n)", [("1", "n"), "f(n)"]),
    ("max(n, k)", [("1", "max(n, k)")]),
    ("n.next()", ["n.next()"]),
]


@pytest.mark.parametrize(("text", "expected"), READ)
def test_multisets(text, expected) -> None:
    assert terms(text) == expected


def test_constructors_make_one_token() -> None:
    packet, message = colours.record("Packet", n=int), colours.union("Message", data=int)
    assert terms("Packet(n)", Packet=packet) == [("1", "Packet(n)")]
    assert terms("2*Packet(n)", Packet=packet) == [("2", "Packet(n)")]
    assert terms("Message.data(n)", Message=message) == [("1", "Message.data(n)")]
    assert terms("Packet(n)") == ["Packet(n)"], "an unknown function may return a bag"


def test_the_names_an_expression_reads() -> None:
    def names(text: str) -> set[str]:
        return set(free_names(expression(text, "it").node))

    assert names("n + k * n") == {"n", "k"}
    assert names("[x for x in xs if x > n]") == {"xs", "n"}
    assert names("sum(x * y for x in xs for y in ys)") == {"sum", "xs", "ys"}
    assert names("(lambda x, y=n: x + y + k)(m)") == {"n", "k", "m"}
    assert names("{k: v for k, v in d}") == {"d"}
    assert names("p.number + q[i]") == {"p", "q", "i"}
    assert names("'n'") == set()
    assert names("f'{n}'") == {"n"}


def test_a_function_is_called_with_the_variables_it_names() -> None:
    read = expression(lambda n, k, limit=3: n + k + limit, "it")
    assert read.names == {"n", "k"}
    assert read.text == "f(n, k)"

    def total(n):
        return n

    assert expression(total, "it").text == "total(n)"


GUARDS = [
    (None, []),
    ("n > 1", ["n > 1"]),
    ("n > 1 and k < 2", ["n > 1", "k < 2"]),
    ("a and (b and c)", ["a", "b", "c"]),
    ("a or b and c", ["a or (b and c)"]),
    (["a", "b and c"], ["a", "b", "c"]),
    ("[n > 1, k < 2]", ["n > 1", "k < 2"]),  # as in other tools
    ("n > 1, k < 2", ["n > 1", "k < 2"]),
    ("[]", []),
    ("True", ["True"]),
    (True, ["True"]),
    (lambda n: n > 1, ["f(n)"]),
]


@pytest.mark.parametrize(("given", "expected"), GUARDS)
def test_guards_are_split_into_conditions(given, expected) -> None:
    assert [one.text for one in conjuncts(given, "the guard")] == expected


def test_arcs_keep_their_text() -> None:
    net = Net("n")
    place = net.place("P", colours.timed(int))
    arcs = [place.take("2*n"), place.put("n", delay=3), place.inhibit(), place.reset(), place.put(5), place.take()]
    assert [arc.text for arc in arcs] == ["2*n", "n @+ 3", "", "", "5", "()"]
    assert [str(Arc(kind, place, None)) for kind in ("take", "put", "test", "inhibit", "reset")] == [
        "the arc from 'P'",
        "the arc to 'P'",
        "the test arc of 'P'",
        "the inhibitor arc of 'P'",
        "the reset arc of 'P'",
    ]


# -- what transitions do ---------------------------------------------------------------------------------------------


def net_of(*tokens: int, **constants: object) -> tuple[Net, object, object]:
    net = Net("n", **constants)
    return net, net.place("A", int, tokens and list(tokens)), net.place("B", int)


def test_coefficients_take_and_put_several() -> None:
    net, a, b = net_of(1, 1, 2)
    net.transition("T", a.take("2*n"), b.put("3*n ++ 0*n ++ 7"))
    play = Play(net)
    assert play.labels == ["T(n=1)"]
    assert play.occur("T(n=1)").marking == {"A": "1*2", "B": "3*1 + 1*7"}
    assert counts(net) == (2, 1, 1)


def test_coefficients_may_be_computed() -> None:
    net, a, b = net_of(3, 3, 3, 5)
    need = net.place("Need", int, [0, 2, 4])
    net.transition("T", need.take("k"), a.take("{n: k}"), b.put("{n: k - 1, k: 1}"), guard="k > 0")
    play = Play(net)
    assert play.labels == ["T(k=2, n=3)"]
    assert play.occur("T(k=2, n=3)").marking == {"A": "1*3 + 1*5", "B": "1*2 + 1*3", "Need": "1*0 + 1*4"}
    counts(net)


def test_a_computed_coefficient_of_no_known_token_takes_nothing() -> None:
    net, a, b = net_of(1)
    need = net.place("Need", int, [0])
    net.transition("T", need.take("k"), a.take("{9: k}"), a.test("{8: k}"), b.put("{7: k}"))
    assert Play(net).occur("T(k=0)").marking == {"A": "1*1"}
    assert counts(net) == (2, 1, 1)


def test_one_or_the_other() -> None:
    net, a, b = net_of(1, 2)
    net.transition("T", a.take("n"), b.put("n if n > 1 else {}"), a.put("2*n if n > 5 else {}"))
    assert Play(net).occur("T(n=1)").marking == {"A": "1*2"}
    assert Play(net).occur("T(n=2)").marking == {"A": "1*1", "B": "1*2"}
    counts(net)


def test_one_or_the_other_is_taken_too() -> None:
    net, a, b = net_of(1, 2, 2)
    kind = net.place("Kind", bool, [True, False])
    net.transition("T", kind.take("k"), a.take("2*2 if k else {}"), a.test("{} if k else 1"), b.put("1"))
    assert Play(net).labels == ["T(k=False)", "T(k=True)"]
    assert Play(net).occur("T(k=True)").marking == {"A": "1*1", "B": "1*1", "Kind": "1*False"}
    assert Play(net).occur("T(k=False)").marking == {"A": "1*1 + 2*2", "B": "1*1", "Kind": "1*True"}
    counts(net)


def test_functions_return_one_token_or_a_bag() -> None:
    net, a, b = net_of(3)
    net.transition("T", a.take("n"), b.put(lambda n: Bag(range(n))), a.put(lambda n: n - 1), guard=lambda n: n > 1)
    assert Play(net).occur("T(n=3)").marking == {"A": "1*2", "B": "1*0 + 1*1 + 1*2"}
    counts(net)


def test_functions_take_what_they_return() -> None:
    net, a, b = net_of(1, 2, 3)
    net.transition("T", b.put("n"), a.take(lambda n: Bag([n, n + 1])), free={"n": range(4)})
    assert Play(net).labels == ["T(n=1)", "T(n=2)"]
    assert Play(net).occur("T(n=2)").marking == {"A": "1*1", "B": "1*2"}
    counts(net)


def test_constants_and_pure_functions() -> None:
    net, a, b = net_of(1, 2, limit=2, double=lambda n: 2 * n)
    net.transition("T", a.take("n"), b.put("max(double(n), limit, len(str(n)))"), guard="n < limit")
    assert Play(net).labels == ["T(n=1)"]
    assert Play(net).occur("T(n=1)").marking == {"A": "1*2", "B": "1*2"}
    counts(net)


@pytest.mark.parametrize("name", ["max", "sum", "str", "list", "id", "self", "p0", "occur", "m"])
def test_variables_may_have_any_name(name) -> None:
    net, a, b = net_of(1, 2)
    net.transition("T", a.take(name), b.put(f"{name} + 1"), guard=f"{name} > 1")
    assert Play(net).labels == [f"T({name}=2)"]
    assert Play(net).occur(f"T({name}=2)").marking == {"A": "1*1", "B": "1*3"}
    counts(net)


def test_let_names_a_value_for_several_arcs() -> None:
    net, a, b = net_of(1)
    net.transition("T", a.take("n"), a.put("m"), b.put("k"), let={"k": "m + 1", "m": "n + 1"}, guard="k < 5")
    play = Play(net)
    assert play.labels == ["T(n=1)"], "what is computed is no part of the binding"
    assert play.occur("T(n=1)").marking == {"A": "1*2", "B": "1*3"}
    assert counts(net) == (3, 2, 1)


def test_a_guard_may_define_a_variable() -> None:
    net, a, b = net_of(1, 2)
    net.transition("T", a.take("n"), b.put("k"), guard="k == n + 10")
    assert Play(net).labels == ["T(n=1, k=11)", "T(n=2, k=12)"]
    counts(net)


def test_a_guard_may_take_a_value_apart() -> None:
    net, a, b = net_of(1, 2)
    net.transition("T", a.take("n"), b.put("k + m"), guard="(k, m) == (n, n + 1)")
    assert Play(net).labels == ["T(n=1, k=1, m=2)", "T(n=2, k=2, m=3)"]
    counts(net)


def test_a_guard_may_take_a_value_apart_that_only_sometimes_fits() -> None:
    net, a, b = net_of(1, 2)
    net.transition("T", a.take("n"), b.put("k"), guard="(2, k) == (n, n + 1)")
    assert Play(net).labels == ["T(n=2, k=3)"]
    counts(net)


def test_free_variables_run_through_their_colour() -> None:
    net, a, b = net_of(1)
    net.transition("T", a.take("n"), b.put("k"), free={"k": range(3), "ok": bool}, guard="k > n or ok")
    assert Play(net).labels == [
        "T(n=1, k=0, ok=True)",
        "T(n=1, k=1, ok=True)",
        "T(n=1, k=2, ok=False)",
        "T(n=1, k=2, ok=True)",
    ]
    counts(net)


def test_a_free_variable_that_an_arc_binds_keeps_its_colour() -> None:
    net, a, b = net_of(1, 2, 3)
    net.transition("T", a.take("n"), b.put("n"), free={"n": range(2, 9)})
    assert Play(net).labels == ["T(n=2)", "T(n=3)"]
    counts(net)


def test_inhibitors_count() -> None:
    net, a, b = net_of(1, 1, 2)
    net.transition("None", a.inhibit(), b.put("0"))
    net.transition("Below", a.inhibit("2*1"), b.put("0"))
    net.transition("Equal", a.inhibit("3*1"), b.inhibit("5"), b.put("5"))
    net.transition("Other", b.take("n"), a.inhibit("n"))
    play = Play(net)
    assert play.labels == ["Equal"]
    assert play.occur("Equal").labels == ["Other(n=5)"]


def test_an_inhibitor_sees_the_marking_before_anything_is_taken() -> None:
    net, a, b = net_of(1, 2, 2)
    net.transition("Any", a.take("n"), a.inhibit(), b.put("n"))
    net.transition("This", a.take("n"), a.inhibit("n"), b.put("n"))
    net.transition("Two", a.take("n"), a.inhibit("2*n"), b.put("n"))
    net.transition("Other", a.take("n"), a.inhibit("n + 1"), b.put("n"))
    play = Play(net)
    assert play.labels == ["Two(n=1)", "Other(n=2)"]
    assert play.occur("Other(n=2)").labels == ["Two(n=1)", "Two(n=2)", "Other(n=2)"]
    counts(net)


def test_reset_removes_everything() -> None:
    net, a, b = net_of(1, 2, 2)
    net.transition("T", b.inhibit(), a.reset(), a.put("9"), b.put("1"))
    assert Play(net).occur("T").marking == {"A": "1*9", "B": "1*1"}
    assert counts(net) == (2, 1, 1)


def test_test_arcs_see_what_is_left() -> None:
    net, a, b = net_of(1, 2)
    net.transition("Both", a.test("k"), a.take("n"), b.put("(n * 10 + k)"))
    net.transition("Same", a.take("n"), a.test("n"))
    assert Play(net).labels == ["Both(k=2, n=1)", "Both(k=1, n=2)"]
    assert Play(net).occur("Both(k=2, n=1)").marking == {"A": "1*2", "B": "1*12"}
    counts(net)


def test_capacity_disables() -> None:
    net = Net("n")
    source, small = net.place("Source", int, [1, 2, 3]), net.place("Small", int, [0], capacity=2)
    net.transition("One", source.take("n"), small.put("n"))
    net.transition("Two", source.take("n"), small.put("2*n"))
    net.transition("Swap", source.take("n"), small.take("k"), small.put("2*n"))
    net.transition("Maybe", source.take("n"), small.put("{n: n}"))
    assert Play(net).labels == [
        "One(n=1)",
        "One(n=2)",
        "One(n=3)",
        *(f"Swap(n={n}, k=0)" for n in (1, 2, 3)),
        "Maybe(n=1)",
    ]
    play = Play(net).occur("One(n=3)")
    assert play.labels == []
    counts(net)
