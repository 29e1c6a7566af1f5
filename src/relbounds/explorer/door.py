"""From a fitted model to a page in the browser."""

import os
import sys
import warnings
import webbrowser
from importlib.util import find_spec
from secrets import token_urlsafe
from typing import Any, Self
from urllib.parse import quote

from relbounds.exceptions import RelboundsWarning
from relbounds.explorer.server import LOOPBACK, Server
from relbounds.explorer.session import Session
from relbounds.explorer.state import State

TOKEN = "RELBOUNDS_TOKEN"
"""A variable of the environment that holds a token to use again, so that links stay valid."""


class Explorer:
    """A page on this machine, and the server that answers its questions.

    Attributes
    ----------
    address : str
        Whoever knows it may ask.
    """

    def __init__(
        self, session: Session, *, host: str = LOOPBACK, port: int = 0, state: State | None = None
    ) -> None:
        if host != LOOPBACK:
            warnings.warn(
                f"The explorer listens on {host}, not only on this machine: whoever sees the "
                "traffic, which is not encrypted, learns the address and may ask.",
                RelboundsWarning,
                stacklevel=3,
            )
        token = os.environ.get(TOKEN) or token_urlsafe(18)
        self._server = Server(session, token, host, port)
        fragment = "" if state is None or state == State() else f"#{quote(state.text)}"
        self.address = f"{self._server.address}{fragment}"

    def open(self) -> Self:
        """Show the page in a browser."""
        webbrowser.open(self.address)
        return self

    def begin(self) -> Self:
        """Answer beside whatever else is done in this process."""
        self._server.begin()
        return self

    def run(self) -> None:
        """Answer until somebody interrupts."""
        self._server.run()

    def close(self) -> None:
        """Answer no more."""
        self._server.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Explorer at {self.address} (close() ends it)"


def explore(
    fitted: Any,
    *,
    notebook: bool | None = None,
    host: str = LOOPBACK,
    port: int = 0,
    browser: bool = True,
) -> Any:
    """Pull at one feature and watch the others move: a page in the browser, or in a notebook.

    Every number on it is an answer of ``what_if``, proved like the intervals. The page is served
    by this process, on this machine alone; no data leave it.

    Parameters
    ----------
    fitted : fitted estimator, or Answer
    notebook : bool, optional
        Whether to show it in the output of a cell, which needs anywidget. By default so in a
        notebook that has it.
    host : str
        Where to listen; other addresses than the loopback one are warned of.
    port : int
        0: any that is free.
    browser : bool
        Whether to open the page.

    Returns
    -------
    Explorer or widget
        An explorer's ``address`` can be opened as often as you like, until ``close()``.
    """
    session = Session.of(fitted)
    if _is_in_notebook() if notebook is None else notebook:
        from relbounds.explorer.widget import ExplorerWidget  # noqa: PLC0415 - an extra

        return ExplorerWidget(session)
    explorer = Explorer(session, host=host, port=port).begin()
    return explorer.open() if browser else explorer


def _is_in_notebook() -> bool:
    """Whether a kernel runs this, and widgets can be shown."""
    kernel = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(kernel, "kernel") and find_spec("anywidget") is not None
