"""What does every picture need before it is drawn? A fitted estimator, and matplotlib."""

from typing import Any

from sklearn.utils.validation import check_is_fitted

from relbounds.results.result import RelevanceResult


def result_of(estimator: Any) -> RelevanceResult:
    """What a fitted estimator of relbounds found."""
    check_is_fitted(estimator)
    if not hasattr(estimator, "result_"):
        raise TypeError(
            "estimator must be one of relbounds, such as OrdinalRelevance; got "
            f"{type(estimator).__name__}. Of a pipeline or a search, pass the part that is."
        )
    result: RelevanceResult = estimator.result_
    return result


def require(name: str, value: Any, kind: type, source: str) -> None:
    """Refuse anything else than what a display shows."""
    if not isinstance(value, kind):
        raise TypeError(
            f"{name} must be a {kind.__name__}, such as {source}; got {type(value).__name__}. "
            "An estimator is drawn by from_estimator."
        )


def require_matplotlib(display: object) -> None:
    """Say which extra brings it, where it is missing."""
    try:
        import matplotlib as mpl  # noqa: F401
    except ModuleNotFoundError as missing:
        raise ImportError(
            f"{type(display).__name__} draws with matplotlib, which is not installed; "
            "pip install 'relbounds[plot]' brings it."
        ) from missing
