"""The same systems in Promela, one transition per edge, so that SPIN's counts can be compared with ours.

Bags are rows of bytes kept in descending order with zeros at the end: equal bags are equal rows. Every rule is one
d_step, so nothing is interleaved within an edge. Scratch variables are `hidden`: no part of a state.
"""

from __future__ import annotations


def philosophers(n: int) -> str:
    """One process per philosopher; its location says what it holds."""
    return f"""#define N {n}
#define RIGHT ((_pid + 1) % N)
bit taken[N];

active [N] proctype philosopher() {{
    do
    :: d_step {{ !taken[_pid]; taken[_pid] = 1 }};
       d_step {{ !taken[RIGHT]; taken[RIGHT] = 1 }};
       taken[_pid] = 0;
       taken[RIGHT] = 0
    od
}}
"""


def token_ring(n: int) -> str:
    """One process per station; its location is idle, waiting or critical."""
    return f"""#define N {n}
#define NEXT ((_pid + 1) % N)
byte token;

active [N] proctype station() {{
idle:
    if
    :: true -> goto waiting
    :: d_step {{ token == _pid; token = NEXT }} -> goto idle
    fi;
waiting:
    if
    :: token == _pid -> goto critical
    :: d_step {{ token == _pid; token = NEXT }} -> goto waiting
    fi;
critical:
    true -> goto idle
}}
"""


def counter_grid(counters: int, top: int) -> str:
    """One process, one option per counter."""
    options = "\n".join(f"    :: d_step {{ count[{i}] < {top}; count[{i}] = count[{i}] + 1 }}" for i in range(counters))
    return f"""byte count[{counters}];

active proctype grid() {{
    do
{options}
    od
}}
"""


def remove(bag: str, index: int, capacity: int) -> str:
    """Statements that take a slot out of a row."""
    shifts = [f"{bag}[{i}] = {bag}[{i + 1}]" for i in range(index, capacity - 1)]
    return "; ".join([*shifts, f"{bag}[{capacity - 1}] = 0"])


def insert(bag: str, capacity: int) -> str:
    """Statements that put `token` into a row, which has room for it: it sinks until it is in order."""
    sinks = [
        f"if :: token > {bag}[{i}] -> swap = {bag}[{i}]; {bag}[{i}] = token; token = swap :: else fi"
        for i in range(capacity - 1)
    ]
    return ";\n         ".join(
        [*sinks, f"if :: token > {bag}[{capacity - 1}] -> {bag}[{capacity - 1}] = token :: else fi"]
    )


def first_of_its_kind(bag: str, index: int) -> str:
    """The slot is in use, and the one before it holds another token: equal tokens are one edge."""
    return f"{bag}[{index}] != 0" + (f" && {bag}[{index}] != {bag}[{index - 1}]" if index else "")


def rule(*statements: str) -> str:
    """One option of the loop, one edge."""
    return "    :: d_step {\n         " + ";\n         ".join(statements) + "\n       }"


def protocol(declarations: str, rules: list[str], first: str = "") -> str:
    """A process that applies rules for ever, after a first step where there is one."""
    options = "\n".join(rules)
    return f"""{declarations}
hidden byte token, swap;

active proctype protocol() {{{first}
    do
{options}
    od
}}
"""


RECEIVE = "if :: token == receiver -> receiver = receiver + 1 :: else fi"
ACKNOWLEDGE = "token = receiver"
RECEIVE_ACK = "if :: token > sender -> sender = token :: else fi"


def stop_and_wait(packets: int, capacity: int) -> str:
    """Sorted rows `data` and `acks`, and how many slots are in use."""
    rules = [rule(f"sender <= {packets} && used < {capacity}", "token = sender", insert("data", capacity), "used++")]
    for i in range(capacity):
        data, ack = (first_of_its_kind(bag, i) for bag in ("data", "acks"))
        take_data = [data, f"token = data[{i}]", remove("data", i, capacity)]
        take_ack = [ack, f"token = acks[{i}]", remove("acks", i, capacity), "used--"]
        rules += [
            rule(*take_data, RECEIVE, ACKNOWLEDGE, insert("acks", capacity)),
            rule(*take_ack, RECEIVE_ACK),
            rule(data, remove("data", i, capacity), "used--"),
            rule(ack, remove("acks", i, capacity), "used--"),
        ]
    return protocol(f"byte sender = 1, receiver = 1, data[{capacity}], acks[{capacity}], used;", rules)


def communication_protocol(packets: int, capacity: int) -> str:
    """Sorted rows a, b, c and d; the step that sets the counters is the model's `start`."""
    rules = [rule(f"sender <= {packets} && used < {capacity}", "token = sender", insert("a", capacity), "used++")]
    for i in range(capacity):
        take = {
            bag: [first_of_its_kind(bag, i), f"token = {bag}[{i}]", remove(bag, i, capacity)]
            for bag in ("a", "b", "c", "d")
        }
        rules += [
            rule(*take["a"], insert("b", capacity)),
            rule(*take["a"], "used--"),
            rule(*take["b"], RECEIVE, ACKNOWLEDGE, insert("c", capacity)),
            rule(*take["c"], insert("d", capacity)),
            rule(*take["c"], "used--"),
            rule(*take["d"], "used--", RECEIVE_ACK),
        ]
    rows = ", ".join(f"{bag}[{capacity}]" for bag in "abcd")
    return protocol(f"byte sender, receiver, {rows}, used;", rules, "\n    d_step { sender = 1; receiver = 1 };")
