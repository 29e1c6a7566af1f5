"""Which models are admissible? A problem says which rows they obey, a slack model at what cost."""

from relbounds.problems.classification import ClassificationProblem
from relbounds.problems.ordinal import OrdinalProblem
from relbounds.problems.problem import Problem
from relbounds.problems.regression import RegressionProblem
from relbounds.problems.slack import SIDES, Composition, Side, SlackModel

__all__ = [
    "SIDES",
    "ClassificationProblem",
    "Composition",
    "OrdinalProblem",
    "Problem",
    "RegressionProblem",
    "Side",
    "SlackModel",
]
