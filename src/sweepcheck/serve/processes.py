"""The processes behind the live page. Whatever happens to them, the server goes on and says so."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from base64 import b64decode
from contextlib import suppress
from gzip import decompress
from pathlib import Path
from typing import Any

DATA = re.compile(r'<script id="data" type="application/(json|gzip)">([^<]*)</script>')
ENDED = {"error": "the process with the model has ended; the next question starts it again"}


def data_of(page: str) -> Any:
    """The document in a page that was written."""
    found = DATA.search(page)
    if found is None:
        raise ValueError("this is no page of sweepcheck")
    text = found[2] if found[1] == "json" else decompress(b64decode(found[2])).decode()
    return json.loads(text)


class ExplorerProcess:
    """The process that answers about single states; started when it is first asked, and again after it has died."""

    def __init__(self, words: list[str]) -> None:
        self._words = words
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()
        self.first: dict[str, Any] = {}

    def begin(self) -> dict[str, Any]:
        """What the process says of the model."""
        with self._lock:
            self._start()
            return self.first

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """The answer to a question; one in words where there is none."""
        with self._lock:
            self._start()
            process = self._process
            if process is None:  # it has died while it loaded the model
                return self.first
            assert process.stdin is not None
            try:
                process.stdin.write(json.dumps(question) + "\n")
                process.stdin.flush()
            except OSError:
                self._end()
                return ENDED
            return self._read() or ENDED

    def restart(self) -> dict[str, Any]:
        """Load the model anew."""
        self.interrupt()
        with self._lock:
            self._end()
            self._start()
            return self.first

    def interrupt(self) -> None:
        """End it though it is at work: a function of a model need not come to an end."""
        process = self._process
        if process is not None:
            process.kill()

    def close(self) -> None:
        """End it."""
        self.interrupt()
        with self._lock:
            self._end()

    def _start(self) -> None:
        if self._process is not None and self._process.poll() is None:
            return
        self._end()
        command = [sys.executable, "-m", "sweepcheck.serve.child", *self._words]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.first = self._read() or {"error": "the process with the model has ended before it was loaded"}

    def _read(self) -> dict[str, Any] | None:
        assert self._process is not None
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            self._end()
            return None
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    with suppress(OSError):
                        stream.close()
            self._process = None


class RunProcess:
    """One `sweepcheck check` in a process of its own. Interrupted, it says what was found until then."""

    def __init__(self, words: list[str]) -> None:
        handle, name = tempfile.mkstemp(prefix="sweepcheck-", suffix=".html")
        os.close(handle)
        self._page = Path(name)
        command = [sys.executable, "-m", "sweepcheck", "check", *words, "--format", "jsonl", "--html", name]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.snapshots: list[dict[str, Any]] = []
        self.view: Any = None
        self.page = ""  # the same in a file of its own
        self.message = ""
        self._reader = threading.Thread(target=self._follow, daemon=True)
        self._reader.start()

    @property
    def running(self) -> bool:
        """Whether it is still at work, or its result is being read."""
        return self._reader.is_alive()

    def interrupt(self) -> None:
        """As Ctrl-C does; what was found so far is kept."""
        with suppress(OSError):
            self._process.terminate()

    def close(self) -> None:
        """End it, whatever it is doing."""
        self._process.kill()
        self._reader.join(timeout=10)

    def _follow(self) -> None:
        process = self._process
        assert process.stdout is not None
        assert process.stderr is not None
        notes: list[str] = []
        errors = threading.Thread(target=lambda: notes.extend(process.stderr or ()), daemon=True)
        errors.start()
        for line in process.stdout:
            with suppress(ValueError):
                event = json.loads(line)
                if event.get("event") == "snapshot":
                    self.snapshots.append(event)
        code = process.wait()
        errors.join(timeout=10)
        process.stdout.close()
        process.stderr.close()
        text = self._page.read_text("utf-8")
        self._page.unlink()
        if text:
            self.view, self.page = data_of(text), text
        else:
            ended = f"the run was ended by signal {-code}" if code < 0 else f"the run ended with exit code {code}"
            self.message = "".join(notes).strip() or ended
