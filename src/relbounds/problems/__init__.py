"""Which models are admissible? A problem says which rows they obey, a slack model at what cost."""

from relbounds.problems.slack import Composition, Layout, SlackModel
from relbounds.problems.tasks import (
    ClassificationProblem,
    OrdinalProblem,
    Problem,
    RegressionProblem,
    UnorderedProblem,
)
from relbounds.results.records import SIDES

__all__ = [
    "SIDES",
    "ClassificationProblem",
    "Composition",
    "Layout",
    "OrdinalProblem",
    "Problem",
    "RegressionProblem",
    "SlackModel",
    "UnorderedProblem",
]
