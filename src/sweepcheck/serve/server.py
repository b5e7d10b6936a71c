"""The server of the live page: for one user, on this machine, and for nobody else.

Every request must name this machine as its host (a page of somebody else's could otherwise reach us by a name of its
own), every question must bring the token, and what changes something must come from our own page.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from sweepcheck.serve.processes import ExplorerProcess, RunProcess

LARGEST = 1_000_000  # bytes of a question
HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
MOST_SNAPSHOTS = 500  # of a run that are sent at once

Handler = Callable[[Request], Awaitable[Response]]


class LivePage:
    """One model, the process that answers about it, and the run that is going on."""

    def __init__(self, reference: str, parameters: list[str], words: list[str], port: int) -> None:
        self.token = secrets.token_urlsafe(32)
        self.port = port
        self._reference = reference
        self._words = [reference, *(word for one in parameters for word in ("-p", one)), *words]
        self._explorer = ExplorerProcess([reference, *parameters])
        self._run: RunProcess | None = None
        self._version = 0
        self._stamp = self._changed_at()

    # -- what is asked -----------------------------------------------------------------------------------------------

    async def page(self, _request: Request) -> Response:
        """The page itself, which holds no data: it asks for them."""
        text = files("sweepcheck.report").joinpath("page.html").read_text("utf-8")
        text = text.replace("default-src 'none';", "default-src 'none'; connect-src 'self';", 1)
        return HTMLResponse(text.replace("<!--DATA-->", '<script id="data" type="application/json">null</script>', 1))

    async def model(self, _request: Request) -> Response:
        """The model, and where the run stands."""
        first = await run_in_threadpool(self._explorer.begin)
        return JSONResponse({**first, "reference": self._reference})

    async def standing(self, request: Request) -> Response:
        """How the run is going; its document when there is a newer one than the page has."""
        run = self._run
        since = _whole(request.query_params.get("since", "0"))
        found: dict[str, Any] = {
            "running": run is not None and run.running,
            "version": self._version,
            "stale": self._changed_at() != self._stamp,
            "message": "" if run is None else run.message,
            "snapshots": [] if run is None else run.snapshots[since : since + MOST_SNAPSHOTS],
        }
        if run is not None and not run.running and _whole(request.query_params.get("have", "0")) != self._version:
            found["view"] = run.view
        return JSONResponse(found)

    async def start(self, _request: Request) -> Response:
        """Check the model, as it is in its file now."""
        if self._run is not None and self._run.running:
            return JSONResponse({"error": "a run is going on"}, 409)
        before, self._stamp = self._stamp, self._changed_at()
        self._version += 1  # together with the run: who asks in between must not take it for one that has ended
        self._run = RunProcess(self._words)
        if self._stamp != before:
            await run_in_threadpool(self._explorer.restart)
        return JSONResponse({"version": self._version})

    async def stop(self, _request: Request) -> Response:
        """Interrupt the run."""
        if self._run is not None:
            self._run.interrupt()
        return JSONResponse({})

    async def result(self, _request: Request) -> Response:
        """The page of the last run, as `--html` writes it."""
        if self._run is None or self._run.running or not self._run.page:
            return JSONResponse({"error": "there is no result"}, 404)
        return HTMLResponse(self._run.page)

    async def explore(self, request: Request) -> Response:
        """A question about single states."""
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > LARGEST:
                return JSONResponse({"error": "too large"}, 413)
        try:
            question = json.loads(body)
        except ValueError:
            return JSONResponse({"error": "this is no JSON"}, 400)
        if not isinstance(question, dict):
            return JSONResponse({"error": "this is no question"}, 400)
        return JSONResponse(await run_in_threadpool(self._explorer.ask, question))

    async def leave(self, _request: Request) -> Response:
        """End a question about single states that takes too long."""
        self._explorer.interrupt()
        return JSONResponse({})

    # -- who may ask -------------------------------------------------------------------------------------------------

    def guarded(self, handler: Handler, *, token: bool = True) -> Handler:
        """A handler that answers only to our own page on this machine."""

        async def answer(request: Request) -> Response:
            if not self._is_ours(request, token):
                return JSONResponse({"error": "forbidden"}, 403, headers=HEADERS)
            response = await handler(request)
            response.headers.update(HEADERS)
            return response

        return answer

    def _is_ours(self, request: Request, token: bool) -> bool:
        hosts = {f"{name}:{self.port}" for name in ("127.0.0.1", "localhost", "[::1]")}
        if request.headers.get("host", "") not in hosts:
            return False
        origin = request.headers.get("origin")
        if origin is not None and origin not in {f"http://{host}" for host in hosts}:
            return False
        if request.method != "GET" and origin is None:
            return False
        given = request.headers.get("authorization", "")
        return not token or secrets.compare_digest(given.encode(), f"Bearer {self.token}".encode())

    def _changed_at(self) -> int:
        path = Path(self._reference.partition(".py:")[0] + ".py" if ".py:" in self._reference else self._reference)
        try:
            return path.stat().st_mtime_ns
        except OSError:
            return 0

    def close(self) -> None:
        """End what was started."""
        self._explorer.close()
        if self._run is not None:
            self._run.close()


def application(live: LivePage) -> Starlette:
    """The routes; none of them takes a path from a request."""

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> Any:
        yield
        live.close()

    routes = [
        Route("/", live.guarded(live.page, token=False)),
        Route("/api/v1/model", live.guarded(live.model)),
        Route("/api/v1/run", live.guarded(live.standing), methods=["GET"]),
        Route("/api/v1/run", live.guarded(live.start), methods=["POST"]),
        Route("/api/v1/run", live.guarded(live.stop), methods=["DELETE"]),
        Route("/api/v1/page", live.guarded(live.result)),
        Route("/api/v1/explore", live.guarded(live.explore), methods=["POST"]),
        Route("/api/v1/explore", live.guarded(live.leave), methods=["DELETE"]),
    ]
    return Starlette(routes=routes, lifespan=lifespan)


def _whole(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else 0
