"""Which features does an outcome need, which can stand in for one another, and which can go?"""

from relbounds._version import __version__
from relbounds.display import RedundancyDisplay, RelevanceDisplay, RelevancePathDisplay
from relbounds.estimators.tasks import (
    ClassificationRelevance,
    OrdinalRelevance,
    RegressionRelevance,
)
from relbounds.report import write_report
from relbounds.results.records import Relevance
from relbounds.results.result import RelevanceResult

__all__ = [
    "ClassificationRelevance",
    "OrdinalRelevance",
    "RedundancyDisplay",
    "RegressionRelevance",
    "Relevance",
    "RelevanceDisplay",
    "RelevancePathDisplay",
    "RelevanceResult",
    "__version__",
    "write_report",
]
