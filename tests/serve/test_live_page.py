"""The live page: who may ask, what is answered about states, and what becomes of a run."""

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path
from urllib.parse import urlencode

import pytest

pytest.importorskip("starlette")
uvicorn = pytest.importorskip("uvicorn")

from sweepcheck.serve.server import LivePage, application  # noqa: E402

WEB = Path(__file__).parents[2] / "web"
MODEL = """
from sweepcheck import Model, require

m = Model("counter", n=0, log=())

@m.action(by=(1, 2))
def add(s, by):
    require(s.n + by <= 6)
    s.n += by

m.invariant("small", lambda s: s.n < 5)
m.progress(lambda s: s.n)
"""


class Response:
    def __init__(self, answered):
        self.status_code, self.headers = answered.status, answered.headers
        self.text = answered.read().decode()

    def json(self):
        return json.loads(self.text)


class Client:
    """A browser with our page, whose headers can be told otherwise."""

    def __init__(self, port, token):
        self.port = port
        host = f"127.0.0.1:{port}"
        self.headers = {"Host": host, "Authorization": f"Bearer {token}", "Origin": f"http://{host}"}

    def ask(self, method, path, content=None, headers=(), **more):
        params = f"?{urlencode(more['params'])}" if "params" in more else ""
        body = json.dumps(more["json"]).encode() if "json" in more else content
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.putrequest(method, path + params, skip_host=True)
            for name, value in {**self.headers, **dict(headers)}.items():
                connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            if "chunks" in more:  # nobody says how long they are
                connection.putheader("Transfer-Encoding", "chunked")
                connection.endheaders(iter(more["chunks"]), encode_chunked=True)
            else:
                connection.endheaders(body)
            return Response(connection.getresponse())
        finally:
            connection.close()

    def get(self, path, **more):
        return self.ask("GET", path, **more)

    def post(self, path, **more):
        return self.ask("POST", path, **more)

    def delete(self, path, **more):
        return self.ask("DELETE", path, **more)


@pytest.fixture
def listening():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        yield found


@pytest.fixture
def live(tmp_path, listening):
    path = tmp_path / "counter.py"
    path.write_text(MODEL)
    page = LivePage(str(path), [], [], listening.getsockname()[1])
    yield page
    page.close()


@pytest.fixture
def client(live, listening):
    server = uvicorn.Server(uvicorn.Config(application(live), log_level="error", lifespan="on"))
    serving = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    serving.start()
    while not server.started:
        time.sleep(0.01)
    yield Client(live.port, live.token)
    server.should_exit = True
    serving.join(timeout=30)


def explore(client, labels, **more):
    return client.post("/api/v1/explore", json={"root": None, "labels": labels, "have": 0, "known": 0, **more}).json()


def finished(client, have=0):
    for _ in range(600):
        now = client.get("/api/v1/run", params={"have": have}).json()
        if not now["running"]:
            return now
        time.sleep(0.1)
    raise AssertionError("the run does not end")


class TestWhoMayAsk:
    @pytest.mark.parametrize("path", ["/api/v1/model", "/api/v1/run"])
    @pytest.mark.parametrize(
        "headers",
        [
            {"Authorization": "Bearer wrong"},
            {"Authorization": ""},
            {"Host": "evil.example"},
            {"Host": "127.0.0.1:80"},
            {"Origin": "http://evil.example"},
        ],
    )
    def test_nobody_else(self, client, path, headers):
        assert client.get(path, headers=headers).status_code == 403

    def test_what_changes_something_comes_from_our_page(self, client):
        del client.headers["Origin"]
        assert client.post("/api/v1/run").status_code == 403
        assert client.get("/api/v1/model").status_code == 200

    def test_the_page_alone_needs_no_token(self, client):
        found = client.get("/", headers={"Authorization": ""})
        assert found.status_code == 200
        assert "connect-src 'self'" in found.text
        assert found.headers["cache-control"] == "no-store"
        assert client.get("/", headers={"Host": "evil.example"}).status_code == 403

    @pytest.mark.parametrize("path", ["/etc/passwd", "/..%2fetc/passwd", "/api/v1/../../counter.py", "/counter.py"])
    def test_no_file_can_be_read(self, client, path):
        assert client.get(path).status_code == 404

    def test_large_questions(self, client):
        assert client.post("/api/v1/explore", content=b"x" * 1_100_000).status_code == 413
        assert client.post("/api/v1/explore", chunks=[b"x" * 600_000] * 2).status_code == 413
        assert client.post("/api/v1/explore", content=b"{").status_code == 400
        assert client.post("/api/v1/explore", content=b"[]").status_code == 400
        assert "error" in client.post("/api/v1/explore", content=b"{}").json()


class TestStates:
    def test_the_initial_state(self, client):
        assert client.get("/api/v1/model").json()["model"] == "counter"
        found = explore(client, [])
        (state,), offers = found["states"], found["offers"]["enabled"]
        assert [edge["label"] for edge in offers] == ["add(by=1)", "add(by=2)"]
        assert offers[1]["changes"] == ["n: 0 -> 2"]
        assert state["holds"] == {"small": True}

    def test_steps(self, client):
        found = explore(client, ["add(by=2)", "add(by=2)", "add(by=1)"])
        texts = [found["values"][state["state"]["n"]][0] for state in found["states"]]
        assert texts == ["0", "2", "4", "5"]
        assert found["states"][-1]["holds"] == {"small": False}
        more = explore(client, ["add(by=2)", "add(by=2)", "add(by=1)", "add(by=1)"], have=4, known=len(found["values"]))
        assert [value[0] for value in more["values"]] == ["6"]
        assert more["offers"]["enabled"] == []

    def test_a_step_that_is_not_possible(self, client):
        assert "step 4, add(by=1), is not possible" in explore(client, ["add(by=2)"] * 3 + ["add(by=1)"])["error"]
        assert "no such initial state" in explore(client, [], root={"n": "7", "log": "()"})["error"]

    def test_random_steps(self, client):
        walked = [explore(client, ["add(by=1)"], random={"steps": 3, "seed": 5})["labels"] for _ in range(2)]
        assert walked[0] == walked[1]
        assert len(walked[0]) == 4
        found = explore(client, [], random={"steps": 100, "seed": 1, "until": "n >= 4"})
        assert "n >= 4 is true" in found["ended"]
        assert "nothing is possible" in explore(client, [], random={"steps": 100, "seed": 1})["ended"]
        assert "SC402" in explore(client, [], random={"steps": 9, "seed": 1, "until": "unknown"})["error"]
        assert "SC403" in explore(client, [], random={"steps": 0, "seed": 1})["error"]

    def test_the_process_dies(self, client, live):
        explore(client, [])
        os.kill(live._explorer._process.pid, signal.SIGKILL)
        live._explorer._process.wait()
        assert explore(client, ["add(by=1)"])["labels"] == ["add(by=1)"]

    def test_a_question_without_end_is_ended(self, client, live, tmp_path):
        (tmp_path / "counter.py").write_text(MODEL.replace("    s.n += by", "    s.n += by\n    while s.n == 2: pass"))
        assert client.get("/api/v1/model").json()["model"] == "counter"
        found = {}
        waiting = threading.Thread(target=lambda: found.update(explore(client, [])))
        waiting.start()
        while waiting.is_alive():
            client.delete("/api/v1/explore")
            waiting.join(timeout=0.2)
        assert "has ended" in found["error"]

    def test_a_model_that_takes_its_process_along(self, client, live, tmp_path):
        (tmp_path / "counter.py").write_text("import os\nos._exit(3)")
        assert "ended before it was loaded" in client.get("/api/v1/model").json()["error"]
        assert "ended before it was loaded" in explore(client, [])["error"]


class TestRuns:
    def test_a_run(self, client):
        assert client.post("/api/v1/run").json() == {"version": 1}
        now = finished(client)
        (run,) = now["view"]["runs"]
        assert [verdict["status"] for verdict in run["verdicts"]] == ["violated"]
        assert "view" not in client.get("/api/v1/run", params={"have": 1}).json()
        assert 'id="data"' in client.get("/api/v1/page").text

    def test_no_result_yet(self, client):
        assert client.get("/api/v1/page").status_code == 404

    def test_the_file_has_changed(self, client, live, tmp_path):
        client.post("/api/v1/run")
        finished(client)
        (tmp_path / "counter.py").write_text(MODEL.replace("s.n < 5", "s.n < 9").replace("(1, 2)", "(2, 3)"))
        os.utime(tmp_path / "counter.py", ns=(1, live._stamp + 10**9))
        assert client.get("/api/v1/run").json()["stale"]
        client.post("/api/v1/run")
        (run,) = finished(client)["view"]["runs"]
        assert [verdict["status"] for verdict in run["verdicts"]] == ["holds"]
        assert not client.get("/api/v1/run").json()["stale"]
        assert "add(by=3)" in [edge["label"] for edge in explore(client, [])["offers"]["enabled"]]

    def test_the_file_changes_while_a_run_is_going_on(self, client, tmp_path):
        path = tmp_path / "counter.py"
        path.write_text(MODEL.replace("<= 6", "<= 10**9").replace("s.n < 5", "s.n >= 0"))
        client.post("/api/v1/run")
        for _ in range(600):
            if client.get("/api/v1/run").json()["snapshots"]:
                break
            time.sleep(0.1)
        assert not client.get("/api/v1/run").json()["stale"]
        path.write_text(f"# another line\n{MODEL}".replace("small", "other"))
        os.utime(path, ns=(1, path.stat().st_mtime_ns + 10**9))
        now = client.get("/api/v1/run").json()
        assert (now["running"], now["stale"]) == (True, True)
        client.delete("/api/v1/run")
        (run,) = finished(client)["view"]["runs"]  # of the model as it was
        assert [(one["name"], one["source"]) for one in run["verdicts"]] == [
            ("small", 'm.invariant("small", lambda s: s.n >= 0)')
        ]
        assert client.get("/api/v1/run").json()["stale"]
        client.post("/api/v1/run")
        (run,) = finished(client)["view"]["runs"]
        assert [(one["name"], one["status"]) for one in run["verdicts"]] == [("other", "violated")]

    def test_a_model_that_is_wrong(self, client, live, tmp_path):
        (tmp_path / "counter.py").write_text("import nothing_like_it")
        assert "SC103" in client.get("/api/v1/model").json()["error"]
        client.post("/api/v1/run")
        (run,) = finished(client)["view"]["runs"]
        assert "SC103" in run["error"]

    def test_interrupted_and_only_one(self, client, live, tmp_path):
        (tmp_path / "counter.py").write_text(MODEL.replace("<= 6", "<= 10**9").replace("s.n < 5", "s.n >= 0"))
        client.post("/api/v1/run")
        assert client.post("/api/v1/run").status_code == 409
        for _ in range(600):
            if client.get("/api/v1/run").json()["snapshots"]:
                break
            time.sleep(0.1)
        client.delete("/api/v1/run")
        (run,) = finished(client)["view"]["runs"]
        assert [verdict["status"] for verdict in run["verdicts"]] == ["inconclusive"]
        assert "interrupted" in run["stopped"]


@pytest.mark.skipif(not (WEB / "node_modules").is_dir(), reason="the tools of web/ are not installed: npm ci in web/")
@pytest.mark.skipif(shutil.which("chromium") is None, reason="there is no Chromium")
def test_in_a_browser(client, live, tmp_path):
    (tmp_path / "counter.py").write_text(MODEL.replace("<= 6", "<= 10**9").replace("s.n < 5", "s.n >= 0"))
    address = f"http://127.0.0.1:{live.port}/#token={live.token}"
    command = ["node", "tests/live.mjs", shutil.which("chromium"), address, str(tmp_path / "counter.py")]
    ran = subprocess.run(command, cwd=WEB, check=False, capture_output=True, text=True, timeout=120)
    assert (ran.stdout.strip(), ran.returncode) == ("", 0), ran.stderr
