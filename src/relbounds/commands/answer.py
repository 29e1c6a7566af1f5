"""What is there to tell? A result, and all that a reader needs to judge and repeat it."""

from dataclasses import dataclass
from typing import Any

from relbounds.decision import Relevance
from relbounds.follow_up_wording import FollowUps, of_absence, of_blocks
from relbounds.intake import Prepared
from relbounds.problems import SIDES
from relbounds.result import Findings, RelevanceResult
from relbounds.wording import in_shell, summary


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
    def groups(self) -> dict[str, str]:
        return self.prepared.groups

    @property
    def notes(self) -> tuple[str, ...]:
        return self.prepared.notes

    @property
    def summary(self) -> list[str]:
        """The answer in sentences, with advice for the command line."""
        hidden = of_blocks(self.result, self.follow_ups.blocks)
        return [in_shell(sentence) for sentence in (*summary(self.result), *hidden)]

    @property
    def absence_sentences(self) -> list[list[str]]:
        """For each question what is said about models that do without some features."""
        return [of_absence(self.result, each, self.groups) for each in self.follow_ups.without]

    @property
    def sides(self) -> dict[str, Findings]:
        """Regular features, and privileged ones if there are any."""
        found = zip(SIDES, (self.result, self.result.privileged), strict=True)
        return {name: side for name, side in found if side is not None}

    def rows(self, name: str) -> list[dict[str, Any]]:
        """A row for each feature of a side, in the order of the data."""
        side = self.sides[name]
        return [
            {
                "feature": feature,
                "column": self.groups.get(feature, feature),
                "side": name,
                "relevance": Relevance(side.relevance[k]).name.lower(),
                "needed": bool(side.needed[k]),
                "minrel": float(side.intervals[k, 0]),
                "maxrel": float(side.intervals[k, 1]),
                "sign": int(side.signs[k]),
                "low": float(side.hulls[k, 0]),
                "high": float(side.hulls[k, 1]),
                "minrel_over_threshold": float(side.threshold_distances[k, 0]),
                "maxrel_over_threshold": float(side.threshold_distances[k, 1]),
            }
            for k, feature in enumerate(side.feature_names)
        ]
