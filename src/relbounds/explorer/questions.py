"""Which questions may a page ask, however it sends them? A name and arguments, both plain."""

import json
from collections.abc import Callable
from typing import Any

from relbounds.exceptions import ConstraintError, InfeasibleError, RelboundsError
from relbounds.explorer.session import Session
from relbounds.explorer.state import State

Asked = dict[str, Any]
_QUESTIONS: dict[str, Callable[[Session, Asked], Any]] = {
    "start": lambda session, _: session.start(),
    "answer": lambda session, asked: session.answer(State.read(asked.get("state"))),
    "model": lambda session, asked: session.model(State.read(asked.get("state"))),
    "groups": lambda session, _: session.groups(),
    "prices": lambda session, _: session.prices(),
    "path": lambda session, asked: session.path(_step(asked)),
    "report": lambda session, asked: session.report(State.read(asked.get("state"))),
}
WRONG = (ConstraintError, InfeasibleError)
"""What is the fault of whoever asked."""


def answered(session: Session, asked: Any) -> Any:
    """What the session says; a question that there is not is refused."""
    name = asked.get("question") if isinstance(asked, dict) else None
    if not isinstance(name, str) or name not in _QUESTIONS:
        raise ConstraintError(f"A question is one of {', '.join(_QUESTIONS)}.")
    return _QUESTIONS[name](session, asked)


def answered_or_refused(session: Session, asked: Any) -> dict[str, Any]:
    """The answer, or the sentence that says why there is none."""
    try:
        return {"answer": answered(session, asked)}
    except RelboundsError as error:
        return {"error": str(error), "wrong": isinstance(error, WRONG)}


def written(answer: Any) -> bytes:
    """JSON that any browser reads: no NaN, and nothing but ASCII."""
    return json.dumps(answer, allow_nan=False, separators=(",", ":")).encode("ascii")


def _step(asked: Asked) -> int:
    step = asked.get("step")
    if not isinstance(step, int) or isinstance(step, bool):
        raise ConstraintError("A step of the path is a whole number.")
    return step
