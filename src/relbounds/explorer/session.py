"""What does a fitted model answer to gestures? Plain dictionaries; knows nothing of any web.

One engine answers all: a lock keeps questions apart, and what was asked lately is remembered.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import inf, isfinite, prod
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from relbounds.answer.answer import Answer
from relbounds.estimators.base import RelevanceSelector
from relbounds.exceptions import ConstraintError, InfeasibleError
from relbounds.explorer.state import State
from relbounds.explorer.views import description, groups_view, model_view
from relbounds.method.parallel import Workers
from relbounds.method.state import Study, learned_set
from relbounds.questions.at_tolerance import study_at
from relbounds.questions.constraints import Constraint, Reader
from relbounds.questions.feasibility import absence, over_baseline
from relbounds.questions.foreseen import studies_along, tolerances_along
from relbounds.questions.reached import reached
from relbounds.questions.redundancy import redundancy
from relbounds.questions.what_if import what_if
from relbounds.report import write_report
from relbounds.report.moving import numbers
from relbounds.results.result import RelevanceResult
from relbounds.wording.exploring import of_constraints, of_tolerance

T = TypeVar("T")
_MOST_ANSWERS, _MOST_STUDIES = 128, 3
_MOST_CASES = 32
"""Sets that constraints may leave, one for each choice of signs."""
_FEW = 60
"""Features of which stand-ins, prices and other tolerances are looked at before anybody asks. With
more, a gesture would have to wait for that."""


_LOCKS: "WeakKeyDictionary[Study, Lock]" = WeakKeyDictionary()


def _lock_of(study: Study) -> Lock:
    """One for all sessions of a study: its walks are remembered, and change while they go on."""
    return _LOCKS.setdefault(study, Lock())


class Recent(OrderedDict[Any, T]):
    """What was asked last, so many."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def known(self, key: Any, ask: Callable[[], T]) -> T:
        """What is known, or else what asking gives."""
        if key not in self:
            self[key] = ask()
        self.move_to_end(key)
        while len(self) > self._most:
            self.popitem(last=False)
        return self[key]


@dataclass(eq=False)
class Session:
    """A fitted model that is being explored.

    Attributes
    ----------
    study : Study
    title, target, command : str or None
        What the page is called, the name of the outcome, and what computed it at the shell.
    made_from : mapping
        The column that each feature was made from.
    whole_report : callable or None
        Writes the report of the answer without constraints.
    """

    study: Study
    title: str = "Which features does the outcome need?"
    target: str | None = None
    command: str | None = None
    made_from: Mapping[str, str] = field(default_factory=dict)
    whole_report: Callable[[Path], object] | None = None

    def __post_init__(self) -> None:
        learned_set(self.study)
        self._lock, self._workers = _lock_of(self.study), Workers(1)
        self._answers: Recent[dict[str, Any]] = Recent(_MOST_ANSWERS)
        self._studies: Recent[Study] = Recent(_MOST_STUDIES)
        self._path: list[dict[str, Any]] = []
        self._steps = self._along_tolerances()

    @classmethod
    def of(cls, fitted: RelevanceSelector | Answer) -> "Session":
        """Of a fitted estimator, or of what ``analyze`` gave."""
        if isinstance(fitted, Answer):
            return cls(
                fitted.model._known(),
                f"Which features does {fitted.target} need?",
                fitted.target,
                fitted.command,
                fitted.made_from,
                fitted.report,
            )
        if not isinstance(fitted, RelevanceSelector):
            raise TypeError(
                "explore takes a fitted estimator of relbounds, or what analyze gave; got a "
                f"{type(fitted).__name__}."
            )
        return cls(fitted._known())

    def start(self) -> dict[str, Any]:
        """What a page begins with: names, what stays as it is, and the answer of the fit."""
        with self._lock:
            return {
                **description(self.study),
                "title": self.title,
                "target": self.target,
                "command": self.command,
                "madeFrom": [self.made_from.get(each.name) for each in self.study.features],
                "steps": len(self._tolerances) if self._is_small else 0,
                "answer": self._answered(State()),
                "model": model_view(reached(self.study, {})),
            }

    def answer(self, state: State) -> dict[str, Any]:
        """What is left of every range and class, or why nothing is."""
        with self._lock:
            return self._answers.known(state, lambda: self._answered(state))

    def model(self, state: State) -> dict[str, Any]:
        """The good model that keeps all that was asked and needs the least tolerance for it."""
        with self._lock:
            return model_view(reached(self._study_of(state), state.asked))

    def groups(self) -> list[dict[str, Any]]:
        """Who stands in for whom; nobody is asked about where that would take long."""
        with self._lock:
            if not self._is_small:
                return []
            return groups_view(redundancy(self.study, self._workers))

    def prices(self) -> list[float | None]:
        """From which tolerance on a good model does without each feature; nothing, if many."""
        if not self._is_small:
            return []
        own = self.study.own_loss_tolerance
        with self._lock:
            found = [
                over_baseline(self.study, [absence(self.study, [each])], own)
                for each in self.study.features
            ]
        return [each if isfinite(each) else None for each in found]

    def path(self, step: int) -> dict[str, Any]:
        """The answer at one of several tolerances, which are asked for one after another."""
        if not 0 <= step < len(self._tolerances):
            raise ConstraintError(f"There are {len(self._tolerances)} steps; got {step!r}.")
        while True:
            with self._lock:
                if len(self._path) > step:
                    return self._path[step]
                self._path.append(next(self._steps))

    def report(self, state: State) -> str:
        """A page that stands alone, of what is asked now."""
        with self._lock, TemporaryDirectory() as folder:
            place = Path(folder) / "report.html"
            self._write(state, place)
            return place.read_text(encoding="utf-8")

    def _write(self, state: State, place: Path) -> None:
        if state == State() and self.whole_report is not None:
            self.whole_report(place)
            return
        study = self._study_of(state)
        result: RelevanceResult = study.result
        said = [f"The tolerance is {state.tolerance:g}."] if state.tolerance is not None else []
        if state.constraints:
            found = what_if(study, state.asked, self._workers)
            result, said = found, [*said, *(f"Models keep {each}." for each in found.constraints)]
        write_report(
            result,
            place,
            title=self.title,
            target=self.target,
            made_from=self.made_from,
            notes=said,
        )

    @property
    def _is_small(self) -> bool:
        return len(self.study.features) <= _FEW

    @property
    def _tolerances(self) -> tuple[float, ...]:
        return tolerances_along(self.study)

    def _along_tolerances(self) -> Iterator[dict[str, Any]]:
        for study in studies_along(self.study, self._workers):
            yield numbers(study.result)

    def _study_of(self, state: State) -> Study:
        used = self.study.result.tolerances
        if state.tolerance is None or (used is not None and state.tolerance == used.norm):
            return self.study
        wanted = state.tolerance
        near = min((self.study, *self._studies.values()), key=lambda each: _distance(each, wanted))
        return self._studies.known(
            wanted, lambda: study_at(self.study, wanted, self._workers, near=near)
        )

    def _answered(self, state: State) -> dict[str, Any]:
        study = self._study_of(state)
        if not state.constraints:
            is_first = study is self.study
            said = [] if is_first else of_tolerance(study.result, self.study.result)
            return {**numbers(study.result), "sentences": said}
        asked = Reader.of(study).read(state.asked)
        if prod(len(each.cases) for each in asked) > _MOST_CASES:
            raise ConstraintError(
                "So many ranges of either sign leave too many cases; give them a sign."
            )
        try:
            found = what_if(study, state.asked, self._workers)
        except InfeasibleError as error:
            return _conflict(error, asked)
        named = {key: Reader.of(study).features(key) for key in state.asked}
        absent, limited = (
            [
                each.name
                for key, what in state.constraints
                if (what == "absent") is gone
                for each in named[key]
            ]
            for gone in (True, False)
        )
        said = of_constraints(found, absent, limited)
        return {**numbers(found), "sentences": said}


def _distance(study: Study, tolerance: float) -> float:
    used = study.result.tolerances
    return abs(used.norm - tolerance) if used else inf


def _conflict(error: InfeasibleError, asked: list[Constraint]) -> dict[str, Any]:
    """Which of the constraints cannot be kept together, and the tolerance that would allow all."""
    needed = error.tolerance
    return {
        "conflict": [place for place, each in enumerate(asked) if each.text in error.conflict],
        "needs": needed if needed is not None and isfinite(needed) else None,
        "sentences": [str(error)],
    }
