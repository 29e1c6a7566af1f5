"""What is there to tell? A result, where it comes from, and what it says in sentences."""

from dataclasses import dataclass

import pandas as pd

from relbounds.intake import Prepared
from relbounds.results.answers import FollowUps
from relbounds.results.result import RelevanceResult
from relbounds.wording.further import of_absence, of_blocks
from relbounds.wording.relevance import (
    evidence_without_models,
    summary,
    why_degenerate_in_shell,
)


@dataclass(frozen=True, eq=False)
class Answer:
    """A result with where it comes from.

    Attributes
    ----------
    result : RelevanceResult
    prepared : Prepared
    source, target : str
        Names of the file and of the column to explain.
    warnings : tuple of str
        Those of reading and those of fitting.
    command : str
        The command that gives this answer again.
    seed : int
    follow_ups : FollowUps
        Answers to further questions.
    """

    result: RelevanceResult
    prepared: Prepared
    source: str
    target: str
    warnings: tuple[str, ...]
    command: str
    seed: int
    follow_ups: FollowUps

    @property
    def made_from(self) -> dict[str, str]:
        return self.prepared.made_from

    @property
    def notes(self) -> tuple[str, ...]:
        return self.prepared.notes

    @property
    def summary(self) -> list[str]:
        """The answer in sentences, with advice for the command line."""
        if self.result.is_degenerate:
            return [why_degenerate_in_shell(self.result), *evidence_without_models(self.result)]
        return [*summary(self.result), *of_blocks(self.result, self.follow_ups.blocks)]

    @property
    def absence_sentences(self) -> list[list[str]]:
        """For each question what is said about models that do without some features."""
        return [of_absence(self.result, each, self.made_from) for each in self.follow_ups.without]

    @property
    def table(self) -> pd.DataFrame:
        """``to_frame``, with the column that a feature was made from, and what is close."""
        table = self.result.to_frame().reset_index()
        column = [self.made_from.get(feature, feature) for feature in table["feature"]]
        table.insert(1, "column", column)
        table["close"] = [bool(each) for side in self.result.sides for each in side.is_close]
        return table
