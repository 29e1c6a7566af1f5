"""What was found about the columns of a table, and what more can be asked of it?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from relbounds.estimators.base import RelevanceSelector
from relbounds.report import notebook_view, write_report
from relbounds.results.answers import ConstrainedResult, Price
from relbounds.results.columns import ColumnFacts
from relbounds.results.follow_ups import FollowUps
from relbounds.results.result import RelevanceResult
from relbounds.results.whole_columns import whole_columns
from relbounds.wording.first import first_lines
from relbounds.wording.further import of_absence
from relbounds.wording.relevance import (
    evidence_without_models,
    needed_for_classes,
    summary,
    why_degenerate_in_shell,
)


@dataclass(frozen=True, eq=False, repr=False)
class Answer:
    """Which columns of a table the target needs: what ``relbounds.analyze`` gives.

    It shows itself: as a text, and as a table in notebooks. A text column is one column here;
    ``result`` has the features that it became.

    Attributes
    ----------
    pipeline : sklearn.pipeline.Pipeline
        A ``TableEncoder`` and the fitted estimator. Its ``predict`` takes rows of the table as they
        come.
    target, source : str
        Names of the column to explain, and of the file.
    columns : tuple of ColumnFacts
        What is known of each column that was used: gaps, range or values.
    made_from : dict
        The text column that each feature of 0 and 1 was made from.
    notes, warnings : tuples of str
        What was done to the data, and what a reader should have a look at.
    follow_ups : FollowUps
        Answers to further questions.
    command : str or None
        What computes the answer again at the shell.
    seed : int
    """

    pipeline: Any
    target: str
    source: str
    columns: tuple[ColumnFacts, ...]
    made_from: dict[str, str]
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    seed: int
    command: str | None = None
    follow_ups: FollowUps = field(default_factory=FollowUps)

    @property
    def model(self) -> RelevanceSelector:
        """The fitted estimator, which answers further questions about features."""
        model: RelevanceSelector = self.pipeline[-1]
        return model

    @property
    def result(self) -> RelevanceResult:
        """All that was found about features."""
        result: RelevanceResult = self.model.result_
        return result

    @cached_property
    def whole(self) -> RelevanceResult:
        """The same about whole columns."""
        return whole_columns(self.result, self.follow_ups.blocks)

    @property
    def summary(self) -> list[str]:
        """The answer in sentences."""
        if self.result.is_degenerate:
            why = why_degenerate_in_shell if self.command else _why_degenerate
            first = first_lines(self.result)
            return [*first, why(self.result), *evidence_without_models(self.whole)]
        of_classes = [] if self.whole.regular.classes else needed_for_classes(self.result.regular)
        return [*summary(self.whole), *of_classes]

    @property
    def absence_sentences(self) -> list[list[str]]:
        """For each question what is said about models that do without some features."""
        return [of_absence(self.result, each, self.made_from) for each in self.follow_ups.without]

    def to_frame(self, *, levels: bool = False) -> pd.DataFrame:
        """A row for each column of the table; or for each feature, with the column it is from.

        Parameters
        ----------
        levels : bool
            Whether each value of a text has a row of its own.
        """
        if not levels:
            whole = self.whole.to_frame()
            columns = [self._column(name) for name in whole.index]
            return whole.set_axis(pd.Index(columns, name="column"))
        table = self.result.to_frame()
        table.insert(0, "column", [self.made_from.get(name, name) for name in table.index])
        return table

    def predict(self, rows: Any) -> Any:
        """What the best model says of rows of the table as they come; columns may be more."""
        return self.pipeline.predict(rows)

    def what_if(self, constraints: Mapping[Any, Any]) -> ConstrainedResult:
        """The answer among good models that keep constraints, on columns or on features.

        Parameters
        ----------
        constraints : dict
            As of ``model.what_if``: ``{"age": "absent"}``. The name of a text means all its values.
        """
        named = {self._features(key): value for key, value in constraints.items()}
        found: ConstrainedResult = self.model.what_if(named)
        return found

    def price(self, columns: str | Sequence[str]) -> Price:
        """What it costs to do without some columns, all at once."""
        names = [columns] if isinstance(columns, str) else columns
        return self.model.price([name for each in names for name in self.features_of(each)])

    def features_of(self, name: str) -> list[str]:
        """The features that a column became; a feature's own name stands for itself."""
        return [each for each, column in self.made_from.items() if column == name] or [name]

    def levels_of(self, name: str) -> list[str]:
        """The features that a text became, if they are several."""
        made = self.features_of(name)
        return made if len(made) > 1 else []

    def _column(self, name: str) -> str:
        """The column that a feature is all of; one of several values keeps its own name."""
        column = self.made_from.get(name, name)
        return name if self.levels_of(column) else column

    def _features(self, key: Any) -> Any:
        names = [key] if isinstance(key, str) else key
        if not isinstance(names, list | tuple):
            return key
        features = tuple(feature for each in names for feature in self.features_of(each))
        return features if len(features) > 1 else features[0]

    def report(self, path: str | PathLike[str], *, title: str | None = None) -> Path:
        """Write the answer as one HTML file that stands alone: to read, to send, to print."""
        return write_report(
            self.result,
            path,
            title=title,
            target=self.target,
            source=self.source,
            made_from=self.made_from,
            columns={each.name: each for each in self.columns},
            notes=self.notes,
            warnings=self.warnings,
            command=self.command,
            random_state=self.seed,
            blocks=self.follow_ups.blocks,
            without=self.follow_ups.without,
            stand_ins=self.follow_ups.stand_ins,
            covers=self.follow_ups.covers,
            stability=self.follow_ups.stability,
            held_out=self.follow_ups.held_out,
            absences=self.follow_ups.absences,
            foreseen=self.follow_ups.foreseen,
        )

    def explore(self, **where: Any) -> Any:
        """Pull at one feature and watch the others move: see ``relbounds.explore``."""
        from relbounds.explorer.door import explore  # noqa: PLC0415 - an explorer asks answers

        return explore(self, **where)

    def __repr__(self) -> str:
        from relbounds.answer.screen import screen  # noqa: PLC0415 - a screen reads answers

        return screen(self)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return notebook_view(self.whole)


def _why_degenerate(result: RelevanceResult) -> str:
    return result.why_degenerate
