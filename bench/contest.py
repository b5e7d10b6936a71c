"""Place/transition nets that are known from the literature and from the Model Checking Contest, written down again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

GRAMMAR = "http://www.pnml.org/version-2009/grammar/"
Tokens = dict[str, int]
Net = tuple[Tokens, dict[str, tuple[Tokens, Tokens]]]  # the initial marking; what each transition takes and puts


def ones(*places: str) -> Tokens:
    """A token of each place."""
    return dict.fromkeys(places, 1)


def kanban(n: int) -> Net:
    """Four cells with n cards each; 2 and 3 begin and end together (Ciardo and Tilgner, 1996)."""
    places: Tokens = {}
    moves: dict[str, tuple[Tokens, Tokens]] = {}
    for i in range(1, 5):
        places |= {f"P{i}": n, f"Pm{i}": 0, f"Pback{i}": 0, f"Pout{i}": 0}
        moves[f"tredo{i}"] = ones(f"Pm{i}"), ones(f"Pback{i}")
        moves[f"tok{i}"] = ones(f"Pm{i}"), ones(f"Pout{i}")
        moves[f"tback{i}"] = ones(f"Pback{i}"), ones(f"Pm{i}")
    moves["tin1"] = ones("P1"), ones("Pm1")
    moves["tout4"] = ones("Pout4"), ones("P4")
    moves["tsynch1_23"] = ones("Pout1", "P2", "P3"), ones("P1", "Pm2", "Pm3")
    moves["tsynch4_23"] = ones("Pout2", "Pout3", "P4"), ones("P2", "P3", "Pm4")
    return places, moves


def fms(n: int) -> Net:
    """A flexible manufacturing system with n pallets of each of three kinds (Ciardo and Trivedi, 1993)."""
    names = "P1wM1 P1M1 P1d P1s P1wP2 P2wM2 P2M2 P2d P2s P2wP1 P12 P12wM3 P12M3 P12s P3M2 P3s"
    places = dict.fromkeys(names.split(), 0) | {"P1": n, "P2": n, "P3": n, "M1": 3, "M2": 1, "M3": 2}
    return places, {
        "tP1": (ones("P1"), ones("P1wM1")),
        "tP1M1": (ones("P1wM1", "M1"), ones("P1M1")),
        "tP1end": (ones("P1M1"), ones("P1d", "M1")),
        "tP1s": (ones("P1d"), ones("P1s")),
        "tP1wP2": (ones("P1d"), ones("P1wP2")),
        "tP1e": (ones("P1s"), ones("P1")),
        "tP2": (ones("P2"), ones("P2wM2")),
        "tP2M2": (ones("P2wM2", "M2"), ones("P2M2")),
        "tP2end": (ones("P2M2"), ones("P2d", "M2")),
        "tP2s": (ones("P2d"), ones("P2s")),
        "tP2wP1": (ones("P2d"), ones("P2wP1")),
        "tP2e": (ones("P2s"), ones("P2")),
        "tjoin": (ones("P1wP2", "P2wP1"), ones("P12")),
        "tP12": (ones("P12"), ones("P12wM3")),
        "tP12M3": (ones("P12wM3", "M3"), ones("P12M3")),
        "tP12end": (ones("P12M3"), ones("P12s", "M3")),
        "tP12e": (ones("P12s"), ones("P1", "P2")),
        "tP3": (ones("P3", "M2"), ones("P3M2")),
        "tP3end": (ones("P3M2"), ones("P3s", "M2")),
        "tP3e": (ones("P3s"), ones("P3")),
    }


def erk(n: int) -> Net:
    """The ERK pathway with n molecules of each kind (Cho and others, 2003; a net by Gilbert and Heiner)."""
    first, second, third = "Raf1_RKIP", "Raf1_RKIP_ERKPP", "MEKPP_ERK"
    places = dict.fromkeys(("Raf1", "RKIP", "ERK", "MEKPP", "RP"), n)
    places |= dict.fromkeys((first, second, third, "ERKPP", "RKIPP", "RKIPP_RP"), 0)
    return places, {
        "k1": (ones("Raf1", "RKIP"), ones(first)),
        "k2": (ones(first), ones("Raf1", "RKIP")),
        "k3": (ones(first, "ERKPP"), ones(second)),
        "k4": (ones(second), ones(first, "ERKPP")),
        "k5": (ones(second), ones("Raf1", "ERK", "RKIPP")),
        "k6": (ones("MEKPP", "ERK"), ones(third)),
        "k7": (ones(third), ones("MEKPP", "ERK")),
        "k8": (ones(third), ones("MEKPP", "ERKPP")),
        "k9": (ones("RKIPP", "RP"), ones("RKIPP_RP")),
        "k10": (ones("RKIPP_RP"), ones("RKIPP", "RP")),
        "k11": (ones("RKIPP_RP"), ones("RKIP", "RP")),
    }


def swimming_pool(n: int) -> Net:
    """Bathers, who need a cabin to change and a bag for their clothes (Latorre and others)."""
    places = {"Out": 20 * n, "Cabins": 10 * n, "Bags": 15 * n}
    places |= dict.fromkeys(("Entered", "WaitBag", "Undress", "InBath", "Dress", "Dressed"), 0)
    return places, {
        "GetK": (ones("Out", "Cabins"), ones("Entered")),
        "GetB": (ones("Entered", "Bags"), ones("WaitBag")),
        "Change": (ones("WaitBag"), ones("Undress")),
        "RelK": (ones("Undress"), ones("InBath", "Cabins")),
        "GetK2": (ones("InBath", "Cabins"), ones("Dress")),
        "RelB": (ones("Dress"), ones("Dressed", "Bags")),
        "RelK2": (ones("Dressed"), ones("Out", "Cabins")),
    }


def philosophers(n: int) -> Net:
    """Each takes one of the two forks first, whichever it is."""
    places: Tokens = {}
    moves: dict[str, tuple[Tokens, Tokens]] = {}
    for i in range(n):
        left, right = f"fork{i}", f"fork{(i + 1) % n}"
        places |= {f"think{i}": 1, left: 1, f"left{i}": 0, f"right{i}": 0, f"eat{i}": 0}
        moves[f"first_left{i}"] = ones(f"think{i}", left), ones(f"left{i}")
        moves[f"first_right{i}"] = ones(f"think{i}", right), ones(f"right{i}")
        moves[f"then_right{i}"] = ones(f"left{i}", right), ones(f"eat{i}")
        moves[f"then_left{i}"] = ones(f"right{i}", left), ones(f"eat{i}")
        moves[f"end{i}"] = ones(f"eat{i}"), ones(f"think{i}", left, right)
    return places, moves


def queens(n: int) -> Net:
    """Queens on a board of n by n: each takes a row, a column and two diagonals."""
    places: Tokens = {}
    moves: dict[str, tuple[Tokens, Tokens]] = {}
    for i in range(n):
        for j in range(n):
            lines = (f"row{i}", f"column{j}", f"rising{i + j}", f"falling{i - j + n - 1}")
            places |= ones(*lines) | {f"queen{i}_{j}": 0}
            moves[f"put{i}_{j}"] = ones(*lines), ones(f"queen{i}_{j}")
    return places, moves


def referendum(n: int) -> Net:
    """A call, and then n votes."""
    places = {"ready": 1} | {f"{name}{i}": 0 for i in range(n) for name in ("voting", "yes", "no")}
    moves = {"call": (ones("ready"), ones(*(f"voting{i}" for i in range(n))))}
    for i in range(n):
        moves |= {f"vote_{said}{i}": (ones(f"voting{i}"), ones(f"{said}{i}")) for said in ("yes", "no")}
    return places, moves


def sieve(n: int) -> Net:
    """Eratosthenes: a number that is there removes its multiples, in any order."""
    places = {f"n{k}": 1 for k in range(2, n + 1)}
    pairs = [(k, many) for k in range(2, n + 1) for many in range(2 * k, n + 1, k)]
    return places, {f"by{k}_{many}": (ones(f"n{k}", f"n{many}"), ones(f"n{k}")) for k, many in pairs}


def building(n: int) -> Net:
    """So many houses are built: tasks that wait for others."""
    after = {2: [1], 3: [2], 4: [2], 5: [3], 6: [4], 7: [5, 6], 8: [7], 9: [7], 10: [8, 9]}
    before = {task: [later for later, tasks in after.items() if task in tasks] for task in range(1, 11)}
    moves = {}
    for task in range(1, 11):
        takes = ones(*(f"done{one}_{task}" for one in after.get(task, ()))) or ones("site")
        moves[f"task{task}"] = takes, ones(*(f"done{task}_{one}" for one in before[task])) or ones("built")
    places = {place: 0 for takes, puts in moves.values() for place in (*takes, *puts)}
    return places | {"site": n}, moves


def assembly_line(n: int) -> Net:
    """n stations in a line, a buffer with room for two between any two, and as many parts as stations."""
    places: Tokens = {"raw": n, "done": 0}
    moves: dict[str, tuple[Tokens, Tokens]] = {}
    for i in range(n):
        source, target = "raw" if i == 0 else f"buffer{i}", "done" if i == n - 1 else f"buffer{i + 1}"
        places |= {f"idle{i}": 1, f"busy{i}": 0, f"buffer{i + 1}": 0, f"room{i + 1}": 2}
        freed = {} if i == 0 else ones(f"room{i}")
        needed = {} if i == n - 1 else ones(f"room{i + 1}")
        moves[f"load{i}"] = ones(source, f"idle{i}"), ones(f"busy{i}") | freed
        moves[f"unload{i}"] = ones(f"busy{i}") | needed, ones(target, f"idle{i}")
    return places, moves


def leader_ring(n: int) -> Net:
    """A token goes round n stations, each of which works while it has it, as often as there is fuel."""
    places: Tokens = {"fuel": 3 * n}
    moves: dict[str, tuple[Tokens, Tokens]] = {}
    for i in range(n):
        places |= {f"token{i}": int(i == 0), f"idle{i}": 1, f"waiting{i}": 0, f"working{i}": 0}
        moves[f"ask{i}"] = ones(f"idle{i}"), ones(f"waiting{i}")
        moves[f"begin{i}"] = ones(f"waiting{i}", f"token{i}"), ones(f"working{i}")
        moves[f"end{i}"] = ones(f"working{i}"), ones(f"idle{i}", f"token{(i + 1) % n}")
        moves[f"pass{i}"] = ones(f"token{i}", "fuel"), ones(f"token{(i + 1) % n}")
    return places, moves


def write_pnml(net: Net, name: str, folder: Path) -> Path:
    """The net as a PNML file."""
    places, moves = net
    body = "".join(_node("place", place, count) for place, count in places.items())
    for move, (takes, puts) in moves.items():
        body += _node("transition", move)
        body += "".join(_arc(place, move, count) for place, count in takes.items())
        body += "".join(_arc(move, place, count) for place, count in puts.items())
    grammar = f"{GRAMMAR}ptnet"
    path = folder / f"{name}.pnml"
    text = f'<pnml xmlns="{GRAMMAR}pnml"><net id="n" type="{grammar}"><page id="g">{body}</page></net></pnml>'
    path.write_text(text, encoding="utf-8")
    return path


def _node(kind: str, name: str, count: int = 0) -> str:
    held = f"<initialMarking><text>{count}</text></initialMarking>" if count else ""
    return f'<{kind} id="{name}"><name><text>{name}</text></name>{held}</{kind}>'


def _arc(source: str, target: str, count: int) -> str:
    inscription = f"<inscription><text>{count}</text></inscription>"
    return f'<arc id="{source}-{target}" source="{source}" target="{target}">{inscription}</arc>'


NETS: Mapping[str, tuple[object, int]] = {
    "kanban": (kanban, 4),
    "fms": (fms, 4),
    "erk": (erk, 10),
    "swimming_pool": (swimming_pool, 1),
    "philosophers": (philosophers, 10),
    "queens": (queens, 8),
    "referendum": (referendum, 11),
    "sieve": (sieve, 22),
    "building": (building, 6),
    "assembly_line": (assembly_line, 9),
    "leader_ring": (leader_ring, 7),
}
