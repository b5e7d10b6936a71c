"""Files that ask for too much, or lead elsewhere, are refused: soon, with a code, and without telling what is in them.

The limits are small here, so that what would take hours or all memory without them is refused at once.
"""

import os
import tracemalloc
from pathlib import Path
from unittest.mock import patch

import pytest

from sweepcheck import LTS, Drawing, FileLimits, SweepcheckError, load, read_aut
from sweepcheck.cli.tracefile import TraceFile, read_trace
from sweepcheck.models.processes.aut import parse_aut
from sweepcheck.models.processes.elaboration import network_from_text
from sweepcheck.models.processes.network import Network
from sweepcheck.models.processes.networkfile import read_network
from sweepcheck.models.processes.spelling import near_misses

SMALL = FileLimits(bytes=10_000, components=50, size=2000)
CELL = 'des (0, 2, 2)\n(0, "put", 1)\n(1, "get", 0)\n'
NETWORK = '[[component]]\nname = "c"\nfile = "{}"\n'
P = "process P = a -> P "


def refusal(read, *arguments):
    with pytest.raises(SweepcheckError) as raised:
        read(*arguments)
    assert raised.value.suggestion
    return raised.value


class TestAut:
    @pytest.mark.parametrize(
        "line",
        ["(0," + " " * 100_000 + "x", '(0, "a' + " " * 100_000 + ", 0", "(" + "," * 100_000, "(0, " + '"\\' * 50_000],
        ids=["spaces", "quote", "commas", "backslashes"],
    )
    def test_a_long_line_is_read_once(self, line):
        assert refusal(parse_aut, f"des (0, 1, 1)\n{line}").code == "SC605"
        assert refusal(parse_aut, line.replace("(0", "des")).code == "SC605"

    def test_labels_hold_anything(self):
        labels = ['"a, b) (0, 1"', "a, b", '"say \\"hi\\""', '"', "in !(1, 2)", "  spaced  ", "'", '"a","b"']
        text = f"des (0, {len(labels)}, 1)\n" + "\n".join(f"(0, {label}, 0)" for label in labels)
        assert sorted(parse_aut(text).events) == sorted(
            ["a, b) (0, 1", "a, b", 'say "hi"', '"', "in !(1, 2)", "spaced", "'", 'a","b']
        )

    @pytest.mark.parametrize("event", ["a\x0bb", "a\x1cb", "a\x85b", "a\u2028b", "\x1b[2J", "a\tb"])
    def test_what_is_written_is_read_again(self, event, tmp_path):
        from sweepcheck import write_aut

        lts = LTS.numbered(range(1), [(0, event, 0)])
        write_aut(lts, tmp_path / "x.aut")
        assert read_aut(tmp_path / "x.aut") == lts

    def test_a_header_takes_no_memory(self):
        tracemalloc.start()
        assert refusal(parse_aut, "des (0, 0, 20000000)").code == "SC607"
        assert refusal(parse_aut, "des (0, 999999999, 1)").code == "SC605"
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
        tracemalloc.stop()

    def test_locations_without_steps_are_cheap(self):
        tracemalloc.start()
        assert len(parse_aut("des (0, 0, 100000)")) == 100_000
        assert tracemalloc.get_traced_memory()[1] < 100_000 * 200
        tracemalloc.stop()

    def test_more_is_allowed_on_request(self, tmp_path):
        (tmp_path / "x.aut").write_text("des (0, 0, 3000)")
        assert refusal(lambda: read_aut(tmp_path / "x.aut", SMALL)).code == "SC607"
        assert len(read_aut(tmp_path / "x.aut", FileLimits(size=3000))) == 3000


HUGE = {
    "replication": (P + "system = all i in 1..1000000: x(i) = P", "SC607"),
    "replications": (P + "system = all i in 1..1000: all j in 1..1000: x(i, j) = P", "SC607"),
    "nothing, often": (P + "system = all i in 1..1000000: all j in 1..0: x(i) = P", "SC607"),
    "choices": ("process P = any i in 1..1000000: any j in 1..1000000: a.i.j -> P system = P", "SC607"),
    "calls": (
        "".join(f"process P{i} = P{i + 1} [] P{i + 1} " for i in range(90)) + "process P90 = a -> P90 system = P0",
        "SC607",
    ),
    "endless data": ("process P(k) = a -> P(k + 1) system = P(0)", "SC607"),
    "a quantifier": (P + "system = P check invariant x: all i in 1..1000000: all j in 1..1000000: 1 < 2", "SC607"),
    "a guard": ("process P = when all i in 1..1000000: i > 0: a -> P system = P", "SC607"),
    "where it stands": (P + "system = p(1) = P check invariant x: all i in 1..1000000: p(1) at P", "SC607"),
    "renaming": (
        "process P = any i in 1..500: a.i -> P system = P rename {"
        + ", ".join(f"a to b{i}" for i in range(100)) + "}",
        "SC607",
    ),
    "many characters": (P + "system = P" + " " * 2000, "SC607"),
    "parentheses": ("process P = " + "(" * 900 + "a -> STOP" + ")" * 900 + " system = P", "SC601"),
    "a chain": ("process P = " + "a->" * 600 + "STOP system = P", "SC601"),
    "a sum": ("const n = " + "1+" * 900 + "1 " + P + "system = P", "SC601"),
    "negations": ("process P = when " + "not " * 450 + "true: a -> P system = P", "SC601"),
    "a range": (P + "system = all i in 0..9999999: x(i) = P", "SC603"),
    "digits": ("const n = " + "9" * 1500 + " " + P + "system = P", "SC601"),
    "a product": ("const n = 999999999999 * 999999999999 " + P + "system = P", "SC603"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "code"), HUGE.values(), ids=HUGE)
def test_process_files(text, code):
    error = refusal(lambda: network_from_text(text, "huge.psl", limits=SMALL))
    assert error.code == code
    assert error.where.startswith("huge.psl")


def test_a_deep_process_file_of_any_length_is_refused():
    for text in ("process P = " + "(" * 50_000, "const n = " + "1+" * 20_000 + "1 system = P"):
        assert refusal(network_from_text, text, "deep.psl").code == "SC601"


def test_a_name_among_very_many_is_soon_refused():
    names = " [] ".join(f"{'a' * 300}{i} -> P" for i in range(3000))
    text = f"process P = {names} system = P hide {{{'a' * 299}b}}"
    error = refusal(network_from_text, text, "p.psl")
    assert error.code == "SC612"
    assert len(error.suggestion) < 3000


def test_equal_names_are_told_apart_in_one_go():
    lts = network_from_text("process P = any i in 1..3000: a -> b.i -> STOP system = P", "p.psl").components[0]
    assert len(set(lts.locations)) == 3002
    assert {"P after a", "P after a (2)", "P after a (3000)"} <= set(lts.locations)


def test_names_of_locations_do_not_grow_without_end():
    text = "process P = " + ("a" * 500 + " -> ") * 100 + "P system = P"
    assert max(len(str(name)) for name in network_from_text(text, "p.psl").components[0].locations) < 3000


class TestNetworkFiles:
    @pytest.fixture
    def inside(self, tmp_path):
        folder = tmp_path / "inside"
        (folder / "below").mkdir(parents=True)
        (tmp_path / "cell.aut").write_text(CELL)
        (tmp_path / "letter.txt").write_text("dear secret diary\n")
        (folder / "below" / "cell.aut").write_text(CELL)
        return folder

    def written(self, inside, file):
        path = inside / "n.network"
        path.write_text(NETWORK.format(file), encoding="utf-8")
        return path

    def test_files_below_the_folder_are_read(self, inside, monkeypatch):
        for file in ("below/cell.aut", "./below/../below/cell.aut", str(inside / "below" / "cell.aut")):
            assert len(read_network(self.written(inside, file)).components) == 1
        monkeypatch.chdir(inside)
        assert load("n.network").variables == ("c",)

    @pytest.mark.parametrize("file", ["../cell.aut", "../letter.txt", "/etc/passwd", "/dev/zero", "below/link.aut"])
    def test_others_only_if_told_so(self, inside, file):
        (inside / "below" / "link.aut").symlink_to(inside.parent / "cell.aut")
        path = self.written(inside, file)
        error = refusal(read_network, path)
        assert error.code == "SC608"
        assert "--allow-outside" in error.suggestion
        if file.endswith(("cell.aut", "link.aut")):
            assert len(read_network(path, FileLimits(outside=True)).components) == 1

    @pytest.mark.parametrize("file", ["x.**", "x.[", "long" * 100, "none/x.aut", ".", ""])
    def test_odd_names(self, inside, file):
        assert refusal(read_network, self.written(inside, file)).code in ("SC101", "SC606")

    @pytest.mark.parametrize("file", ["../letter.txt", "n.network", "/etc/passwd"])
    def test_nothing_is_told_of_other_files(self, inside, file):
        error = refusal(lambda: read_network(self.written(inside, file), FileLimits(outside=True)))
        assert error.code == "SC605"
        assert "secret" not in str(error)
        assert "root" not in str(error)
        assert "component" not in str(error)

    def test_bytes_of_other_files_are_not_told(self, inside):
        (inside / "x.aut").write_bytes(b"des \xff\xfe")
        assert "0xff" not in str(refusal(read_network, self.written(inside, "x.aut")))

    def test_pipes_and_devices_are_not_waited_for(self, inside):
        os.mkfifo(inside / "pipe.aut")
        assert refusal(read_network, self.written(inside, "pipe.aut")).code == "SC101"
        (inside / "zero.aut").symlink_to("/dev/zero")
        allowed = FileLimits(outside=True)
        assert refusal(lambda: read_network(self.written(inside, "zero.aut"), allowed)).code == "SC101"
        (inside / "circle.aut").symlink_to(inside / "circle.aut")
        assert refusal(read_network, self.written(inside, "circle.aut")).code in ("SC101", "SC606")
        assert refusal(read_network, self.written(inside, "a\\u0000b.aut")).code in ("SC101", "SC606")

    def test_components_count_together(self, inside):
        path = inside / "n.network"
        path.write_text("".join(f'[[component]]\nname = "c{i}"\nfile = "below/cell.aut"\n' for i in range(51)))
        assert refusal(lambda: read_network(path, SMALL)).code == "SC607"
        (inside / "below" / "cell.aut").write_text("des (0, 0, 900)")
        path.write_text("".join(f'[[component]]\nname = "c{i}"\nfile = "below/cell.aut"\n' for i in range(3)))
        assert refusal(lambda: read_network(path, SMALL)).code == "SC607"

    @pytest.mark.parametrize(
        "more",
        [
            "x = " + "[" * 100_000,
            "x = " + "9" * 5000,
            "[parameters]\nn = 0x" + "f" * 5000,
            "[parameters]\nn = [1]",
            "[parameters]\nn = 1979-05-27",
            "x" + ".x" * 500_000 + " = 1",
            "name = " + "{a = " * 5000,
        ],
        ids=["nesting", "digits", "hexadecimal", "list", "date", "dotted", "tables"],
    )
    def test_toml_that_goes_too_far(self, inside, more):
        path = inside / "n.network"
        path.write_text(f"{more}\n" + NETWORK.format("below/cell.aut"))
        assert refusal(read_network, path).code == "SC606"


class TestFilesThatAreNone:
    @pytest.mark.parametrize("suffix", ["py", "psl", "network", "aut", "json"])
    def test_pipes_devices_folders_and_large_files(self, tmp_path, suffix):
        read = read_trace if suffix == "json" else lambda path, limits: load(str(path), limits=limits)
        code = "SC501" if suffix == "json" else "SC101"
        os.mkfifo(tmp_path / f"pipe.{suffix}")
        (tmp_path / f"zero.{suffix}").symlink_to("/dev/zero")
        (tmp_path / f"folder.{suffix}").mkdir()
        (tmp_path / f"bytes.{suffix}").write_bytes(b"\xff\xfe\x00")
        for name in ("pipe", "zero", "folder", "bytes", "none", "zero\0byte", "long" * 100, "no/where", "bytes.*/x"):
            assert refusal(read, tmp_path / f"{name}.{suffix}", SMALL).code == code
        large = tmp_path / f"large.{suffix}"
        with large.open("wb") as file:
            file.truncate(10 << 30)  # takes no room on the disk
        error = refusal(read, large, SMALL)
        assert error.code == "SC410"
        assert "10,000 bytes" in error.what

    def test_pipes_are_not_written_to_either(self, tmp_path):
        for suffix in ("json", "mmd"):
            os.mkfifo(tmp_path / f"pipe.{suffix}")
            assert refusal(TraceFile, tmp_path / f"pipe.{suffix}").code == "SC406"
        os.mkfifo(tmp_path / "pipe.svg")
        assert refusal(Drawing("d", "digraph {}").save, tmp_path / "pipe.svg").code == "SC406"

    @pytest.mark.parametrize("name", ["/dev/zero", "x" * 5000, "zero\0byte", "", ".", "x.**", "x.[", "x.py:y:z"])
    def test_odd_names(self, name):
        assert refusal(load, name).code == "SC101"


class TestTraces:
    TRACE = (
        '{"schema": 1, "model": "m", "reference": null, "parameters": {}, "property": null, '
        '"trace": {"initial": {"x": "0"}, "steps": [], "loop": null}}'
    )

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("null", "[" * 100_000),
            ("null", '{"a":' * 100_000),
            ('"loop": null', '"loop": ' + "9" * 5000),
            ('"loop": null', '"loop": NaN'),
            ('"loop": null', '"loop": -Infinity'),
            ('"loop": null', '"loop": 1e999'),
            ('"loop": null', '"loop": -1'),
            ('"loop": null', '"loop": true'),
            ('"schema": 1', '"schema": 1.0'),
            ('"schema": 1', '"schema": true'),
            ('"schema": 1', '"schema": 1, "schema": 1'),
            ('{"x": "0"}', '{"x": "0", "x": "1"}'),
            ('{"x": "0"}', '{"x": {"y": "0"}}'),
            ('"steps": []', '"steps": [[]]'),
            ('"parameters": {}', '"parameters": []'),
        ],
    )
    def test_what_is_no_trace(self, tmp_path, old, new):
        path = tmp_path / "trace.json"
        path.write_text(self.TRACE)
        assert read_trace(path).model == "m"
        path.write_text(self.TRACE.replace(old, new, 1))
        assert refusal(read_trace, path).code == "SC501"


def test_very_many_events_are_not_compared_in_pairs(tmp_path: Path) -> None:
    for name in ("left", "right"):
        steps = "".join(f'(0, "{name}_{number}_event", 0)\n' for number in range(5000))
        (tmp_path / f"{name}.aut").write_text(f"des (0, 5000, 1)\n{steps}")
    rows = "".join(f'[[component]]\nname = "{name}"\nfile = "{name}.aut"\n' for name in ("left", "right"))
    (tmp_path / "many.network").write_text(rows)
    network = load(str(tmp_path / "many.network"))
    assert isinstance(network, Network)
    with patch("sweepcheck.models.processes.spelling.slip") as slip:
        assert list(near_misses(network)) == []
    slip.assert_not_called()


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    """Some editors begin every file with one."""
    mark = b"\xef\xbb\xbf"
    (tmp_path / "cell.aut").write_bytes(mark + CELL.encode())
    (tmp_path / "cells.network").write_bytes(mark + NETWORK.format("cell.aut").encode())
    (tmp_path / "model.py").write_bytes(mark + b"from sweepcheck import Model\nm = Model('m', x=0)\n")
    for name in ("cell.aut", "cells.network", "model.py"):
        load(str(tmp_path / name))
