"""What does the paper's rule make of the same data?

There one line for all features, from single permuted columns, says what is more than chance; the
library's own rule asks for three kinds of evidence. The best model, the good ones and all intervals
are the same. So nothing is tuned again: a second fit gets what the first one chose.
"""

from typing import Any

from sklearn.base import clone

EVIDENCE, PAPERS = "evidence", "paper's rule"
RULES = (EVIDENCE, PAPERS)
"""The library's default, and the paper's."""
SELECTION = {"selection": "probe"}
"""The setting that is the paper's rule."""


def by_papers_rule(model: Any, X: Any, y: Any, **more: Any) -> Any:
    """A model like a fitted one, with what that chose, fitted to the same data by that rule."""
    chosen = {**SELECTION, **chosen_settings(model)}
    return clone(model).set_params(**chosen).fit(X, y, **more)


def chosen_settings(model: Any) -> dict[str, Any]:
    """What a fitted model chose, as settings of another one."""
    result = model.result_
    chosen: dict[str, Any] = dict(result.hyperparameters)
    if chosen.pop("balance", None) is not None:
        weights = result.class_weights
        labels = None if weights is None else dict(zip(result.data.classes, weights, strict=True))
        chosen["class_weight"] = labels
    return chosen
