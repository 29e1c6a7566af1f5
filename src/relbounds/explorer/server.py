"""How do questions of a page reach the session? On the loopback address, one after another."""

import asyncio
import json
import logging
import socket
from threading import Thread
from typing import Any

try:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.concurrency import run_in_threadpool
    from starlette.requests import Request
    from starlette.responses import PlainTextResponse, Response
    from starlette.routing import Route
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "The explorer needs Starlette and uvicorn: pip install 'relbounds[explore]'."
    ) from error

from relbounds.explorer.guard import Guard
from relbounds.explorer.questions import answered_or_refused, written
from relbounds.explorer.session import Recent, Session
from relbounds.front import FRONT

_log = logging.getLogger(__name__)
LOOPBACK = "127.0.0.1"
_KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript"}
_MOST_CLIENTS = 64
_PATIENCE = 5.0  # seconds for the server to begin and to end


class Desk:
    """Answers one question after another; what a newer one of the same kind overtakes is left."""

    def __init__(self, session: Session) -> None:
        self._session, self._turn = session, asyncio.Lock()
        self._latest: Recent[list[float]] = Recent(_MOST_CLIENTS)

    async def ask(self, request: Request) -> Response:
        try:
            asked = json.loads(await request.body())
        except (ValueError, RecursionError):
            return PlainTextResponse("A question is JSON.\n", 400)
        if not isinstance(asked, dict):
            return PlainTextResponse("A question is an object.\n", 400)
        latest, number = self._number(asked)
        async with self._turn:
            if number < latest[0]:
                return _json({"overtaken": True})
            try:
                found = await run_in_threadpool(answered_or_refused, self._session, asked)
            except Exception:  # whatever it is, it is logged, and the page goes on
                _log.exception("A question of the explorer has no answer.")
                found = {"error": "That went wrong; the explorer has told where it was started."}
        return _json(found, 422 if found.get("wrong") else 500 if "error" in found else 200)

    def _number(self, asked: dict[str, Any]) -> tuple[list[float], float]:
        """The latest number of this client and kind of question, and that of this one."""
        number = asked.get("number", 0)
        number = number if isinstance(number, int | float) else 0
        key = (str(asked.get("client"))[:64], str(asked.get("question"))[:64])
        latest = self._latest.known(key, lambda: [number])
        latest[0] = max(latest[0], number)
        return latest, number


def _json(content: Any, code: int = 200) -> Response:
    return Response(written(content), code, media_type="application/json")


async def _front(request: Request) -> Response:
    """The page itself, and the modules that it is made of."""
    name = request.path_params.get("name", "index.html")
    kind = _KINDS.get(name.rpartition(".")[2])
    found = {each.name: each for each in FRONT.iterdir()}
    if kind is None or name not in found:
        return PlainTextResponse("There is no such file.\n", 404)
    return Response(found[name].read_bytes(), media_type=kind)


def application(session: Session, token: str, hosts: frozenset[str]) -> Guard:
    """The whole of it, for any server of the kind that Starlette speaks to."""
    routes = [
        Route("/", _front, methods=["GET"]),
        Route("/ask", Desk(session).ask, methods=["POST"]),
        Route("/{name}", _front, methods=["GET"]),
    ]
    return Guard(Starlette(routes=routes), token, hosts)


class Server:
    """Listens from the moment that it is made, and answers as soon as it runs."""

    def __init__(self, session: Session, token: str, host: str = LOOPBACK, port: int = 0) -> None:
        self._socket = socket.create_server((host, port))
        self.port = int(self._socket.getsockname()[1])
        self.address = f"http://{host}:{self.port}/{token}/"
        names = {host, "localhost"} if host == LOOPBACK else {host}
        hosts = frozenset(f"{name}:{self.port}" for name in names)
        self._server = uvicorn.Server(
            uvicorn.Config(
                application(session, token, hosts),
                loop="asyncio",
                http="h11",
                ws="none",
                lifespan="off",
                log_level="critical",
                access_log=False,
                server_header=False,
                limit_concurrency=64,
                timeout_graceful_shutdown=1,
            )
        )
        self._thread: Thread | None = None

    def run(self) -> None:
        """Until somebody interrupts."""
        self._server.run(sockets=[self._socket])

    def begin(self) -> None:
        """Beside whatever else is done in this process."""
        self._thread = Thread(target=self.run, name="relbounds explore", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Answer no more; what is being computed comes to its end."""
        self._server.should_exit = True
        if self._thread is not None:
            self._thread.join(_PATIENCE)
        self._socket.close()
