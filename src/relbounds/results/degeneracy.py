"""Why did the best model learn nothing from features, and what can be done about it?"""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from relbounds.results.result import RelevanceResult

_MOST_NAMES = 5


def degeneracy(result: "RelevanceResult") -> str:
    """What the best model does, what features tell all the same, and what was tried."""
    if result.slack == "privileged":
        does = (
            "The best model gains next to nothing from regular features: slacks that are read "
            "from privileged features alone have to cover every sample, which noise can make "
            "too dear."
        )
    else:
        used = "feature at all" if result.slack is None else "regular feature"
        does = f"The best model uses no {used}."
    told = _told_by_evidence(result)
    if not told and result.slack != "privileged":
        does = f"{does[:-1]}: the target may have nothing to do with the features."
    useless = all((side.relevance == 0).all() for side in result.sides)
    reported = "Every feature is reported as irrelevant." if useless else ""
    return " ".join(filter(None, [does, told, _tried(result) if told else "", reported]))


def advice(result: "RelevanceResult") -> str:
    """What can be done in Python."""
    if result.slack == "privileged":
        return "slack='mixed' gives samples slack of their own; a larger C may help too."
    if not result.data.is_even and result.class_weights is None:
        return (
            "class_weight='balanced' lets classes of different size count the same, which helps "
            "if the largest wins by being many; so may a larger C."
        )
    if result.data.is_mostly_one_value:
        return (
            "Most outcomes have the same value, and naming that errs least: ask "
            "ClassificationRelevance which ones have it, or cut the numbers into classes."
        )
    if not result.tuning:
        return "If C is too small for these data, a larger one helps, or C=None, which tunes it."
    return "A larger C than was tried may help, and so may more samples."


def _told_by_evidence(result: "RelevanceResult") -> str:
    """Which features tell something about the outcome although the best model is without."""
    limit, d = 1 - result.confidence, len(result.feature_names)
    for p, how in (
        (result.p_alone, "on {} own"),
        (result.p_needed, "beside the others"),
    ):
        found = np.flatnonzero(p <= limit)
        if len(found):
            tell, whose = ("tell", "their") if len(found) > 1 else ("tells", "its")
            names = [result.feature_names[k] for k in found[np.argsort(p[found], kind="stable")]]
            more = ", ..." if len(names) > _MOST_NAMES else ""
            return (
                f"Yet {len(found)} of {d} feature{'s' if d > 1 else ''} {tell} something about the "
                f"outcome {how.format(whose)}: {', '.join(names[:_MOST_NAMES])}{more}."
            )
    return ""


def _tried(result: "RelevanceResult") -> str:
    """From which models the best one was chosen."""
    Cs = sorted({each.C for each in result.tuning})
    if not Cs:
        tried = f"C was given, {result.hyperparameters['C']:.3g}"
    elif len(Cs) == 1:
        tried = f"C was {Cs[0]:.3g}"
    else:
        tried = f"{len(Cs)} values of C from {Cs[0]:.3g} to {Cs[-1]:.3g} were tried"
    if result.data.is_even:
        return f"{tried}."
    several = len({each.balance for each in result.tuning}) > 1
    if several:
        counted = "and rare classes that count as they come, up to as much as frequent ones"
    elif result.class_weights is None:
        counted = "and classes of different size counted as they come"
    else:
        counted = "and classes counted by their weights"
    return f"{tried}, {counted}."
