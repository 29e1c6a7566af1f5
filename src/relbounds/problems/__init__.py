"""Which models are admissible? Each problem only says which rows its models obey."""

from relbounds.problems.classification import ClassificationProblem
from relbounds.problems.ordinal import OrdinalProblem
from relbounds.problems.problem import Problem
from relbounds.problems.regression import RegressionProblem

__all__ = ["ClassificationProblem", "OrdinalProblem", "Problem", "RegressionProblem"]
