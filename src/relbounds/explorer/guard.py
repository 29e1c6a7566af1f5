"""Who may ask? Only a page of this server, opened by the one who was given its address."""

from collections.abc import Mapping
from secrets import compare_digest

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 65_536
"""Of a request."""
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS: Mapping[str, str] = {
    "content-security-policy": _POLICY,
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
_ANOTHER = (
    "This address belongs to no explorer that is running. Open the one that relbounds has printed; "
    "what stands after # in an older link can be added to it.\n"
)


class Guard:
    """Lets through what has the token, comes from its own page, and is small.

    Addresses are ``/token/...``. A page elsewhere cannot know the token; it is refused by its
    origin as well, and a name that was made to point here by its host.
    """

    def __init__(self, app: ASGIApp, token: str, hosts: frozenset[str]) -> None:
        self._app, self._token, self._hosts = app, token, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        refused = self._refused(scope["method"], scope["path"], Headers(scope=scope))

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]
                message = {**message, "headers": [*message["headers"], *added]}
            await send(message)

        if refused is None:
            inside = {**scope, "path": scope["path"].removeprefix(f"/{self._token}")}
            await self._app(inside, receive, with_headers)
            return
        code, sentence = refused
        await PlainTextResponse(sentence, code)(scope, receive, with_headers)

    def _refused(self, method: str, path: str, headers: Headers) -> tuple[int, str] | None:
        if headers.get("host", "") not in self._hosts:
            return 403, "This host is not served.\n"
        if not compare_digest(path.split("/")[1].encode(), self._token.encode()):
            return 403, _ANOTHER
        if method not in ("GET", "POST"):
            return 405, "Only GET and POST.\n"
        if not self._is_own(method, headers):
            return 403, "Only the explorer's own page may ask.\n"
        return _too_much(headers) if method == "POST" else None

    def _is_own(self, method: str, headers: Headers) -> bool:
        """Whether the explorer's own page asks, or its address was opened."""
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return False
        own = f"http://{headers.get('host')}"
        return headers.get("origin", own if method == "GET" else None) == own


def _too_much(headers: Headers) -> tuple[int, str] | None:
    if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        return 415, "A question is JSON.\n"
    size = headers.get("content-length", "")
    if not size.isascii() or not size.isdigit():
        return 411, "How long is the question?\n"
    return (413, "The question is too long.\n") if int(size) > MOST_BYTES else None
