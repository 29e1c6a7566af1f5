"""The explorer in the output of a notebook's cell; the kernel answers."""

from typing import Any

try:
    import anywidget
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "The explorer in a notebook needs anywidget: pip install 'relbounds[notebook]'."
    ) from error

from relbounds.explorer.questions import answered_or_refused
from relbounds.explorer.session import Session
from relbounds.front import bundle, source


class ExplorerWidget(anywidget.AnyWidget):
    """The same page as in a browser, with the notebook's own way to the kernel."""

    _esm = f"{bundle('widget')}\nexport default {{ render: $widget.render }};\n"
    _css = source("explorer.css")

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.on_msg(self._told)

    def _told(self, _: Any, content: Any, __: Any) -> None:
        found = answered_or_refused(self._session, content.get("asked"))
        self.send({"id": content.get("id"), **found})
