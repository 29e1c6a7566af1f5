"""Which features does an outcome need, which can stand in for one another, and which can go?"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from relbounds._version import __version__

if TYPE_CHECKING:
    from relbounds.answer.answer import Answer
    from relbounds.answer.door import analyze
    from relbounds.answer.encoder import TableEncoder
    from relbounds.display import RedundancyDisplay, RelevanceDisplay, RelevancePathDisplay
    from relbounds.estimators import (
        ClassificationRelevance,
        OrdinalRelevance,
        RegressionRelevance,
    )
    from relbounds.explorer.door import explore
    from relbounds.report import write_report
    from relbounds.results.records import Relevance
    from relbounds.results.result import RelevanceResult

__all__ = [
    "Answer",
    "ClassificationRelevance",
    "OrdinalRelevance",
    "RedundancyDisplay",
    "RegressionRelevance",
    "Relevance",
    "RelevanceDisplay",
    "RelevancePathDisplay",
    "RelevanceResult",
    "TableEncoder",
    "__version__",
    "analyze",
    "explore",
    "write_report",
]
_HOMES = {
    "Answer": "relbounds.answer.answer",
    "TableEncoder": "relbounds.answer.encoder",
    "analyze": "relbounds.answer.door",
    "ClassificationRelevance": "relbounds.estimators",
    "OrdinalRelevance": "relbounds.estimators",
    "RedundancyDisplay": "relbounds.display",
    "RegressionRelevance": "relbounds.estimators",
    "Relevance": "relbounds.results.records",
    "RelevanceDisplay": "relbounds.display",
    "RelevancePathDisplay": "relbounds.display",
    "RelevanceResult": "relbounds.results.result",
    "explore": "relbounds.explorer.door",
    "write_report": "relbounds.report",
}
"""Where each name is loaded from when it is first asked for: solvers take seconds to load."""
_MODULES = ("datasets", "exceptions", "metrics")
"""Those of the reference, which can be used without importing them."""

if not TYPE_CHECKING:  # or type checkers would take any name

    def __getattr__(name: str) -> Any:
        if name in _MODULES:
            return import_module(f"{__name__}.{name}")
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = globals()[name] = getattr(import_module(_HOMES[name]), name)
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_MODULES})
