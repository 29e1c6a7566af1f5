"""Which settings do all estimators have, what do they mean, and which features do they select?"""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import numpy as np

from relbounds import checks
from relbounds.arrays import BoolArray
from relbounds.engine import ENGINES
from relbounds.method.decision import SELECTIONS
from relbounds.method.probes import FEWEST_PROBES, PROBE_MODES
from relbounds.results.findings import Findings
from relbounds.results.records import SLACKS


def check_settings(asked: Any) -> None:
    """Refuse what an estimator was asked for, if it makes no sense."""
    checks.one_of("budget", asked.budget, ("split", "joint"))
    checks.one_of("probes", asked.probes, PROBE_MODES)
    checks.one_of("engine", asked.engine, ENGINES)
    checks.one_of("standardize", asked.standardize, (True, False))
    checks.one_of("exact", asked.exact, (True, False))
    checks.one_of("slack", asked.slack, SLACKS)
    if asked.C is not None:
        checks.positive("C", asked.C)
    if asked.gamma is not None:
        checks.positive("gamma", asked.gamma)
    if asked.free_slack_price is not None:
        checks.at_least("free_slack_price", asked.free_slack_price, 1, " or None")
        if asked.slack != "mixed":
            raise ValueError(
                "free_slack_price is for slack='mixed'; with slack='privileged' there is no "
                f"free slack. Leave it None; got {asked.free_slack_price!r}."
            )
    if asked.tolerance not in ("auto", "confidence"):
        checks.at_least("tolerance", asked.tolerance, 0, ", 'auto' or 'confidence'")
    if asked.tolerance == "confidence" and asked.budget != "joint":
        raise ValueError(
            "tolerance='confidence' is for budget='joint', whose one limit it sets; "
            f"got budget={asked.budget!r}."
        )
    if asked.loss_tolerance not in (None, "auto"):
        checks.at_least("loss_tolerance", asked.loss_tolerance, 0, ", 'auto' or None")
    if asked.budget == "joint" and asked.loss_tolerance is not None:
        raise ValueError(
            "loss_tolerance is for budget='split'; a joint budget has one tolerance for norm "
            f"and loss together. Leave it None; got {asked.loss_tolerance!r}."
        )
    checks.share("confidence", asked.confidence)
    checks.one_of("selection", asked.selection, SELECTIONS)
    checks.share("level", asked.level)
    checks.share("coverage", asked.coverage)
    checks.whole("n_probes", asked.n_probes, FEWEST_PROBES, " to tell relevance from chance")
    checks.whole("min_features", asked.min_features, 0)


T = TypeVar("T")
_PARAMETERS = """C : float or None
        Weight of the loss against the norm; None tunes it by cross-validation.
    tolerance : float, "auto" or "confidence"
        How much worse than the best a good model may be, relatively. "auto": by one standard
        error of the best model's loss; with privileged features by a fifth of its loss, or of
        what it gains over a model without regular weights, whichever is less. "confidence": by
        what chance can do, so that ``weight_ranges_`` are confidence intervals; for
        ``budget="joint"``, at a C that is large enough for it, without privileged features.
    loss_tolerance : float, "auto" or None
        The same for the loss alone (split budget); None: as ``tolerance``.
    budget : {"split", "joint"}
        Limit norm and loss each, or ``|w|_1 / 2 + C * loss`` as a whole.
    coverage : float
        With ``tolerance="confidence"``: how often a range holds the weight that endless data
        would have.
    n_probes : int
        Permuted features that show what chance can reach.
    confidence : float
        With which each kind of evidence does not speak for a feature that is of no use. With
        "evidence" it is raised where features are many, from 334 on at 0.999, so that one that is
        of no use is expected to be relevant in all.
    selection : {"evidence", "fdr", "fwer", "probe"}
        When a feature is relevant. "evidence": if it is proved to tell something alone, to get more
        weight in good models than chance would, or to add to all others, each with ``confidence``.
        "fdr" and "fwer": the same, but with a false discovery rate of at most ``level`` over all
        features (Benjamini and Hochberg), or so that with probability ``1 - level`` nothing is
        relevant that is not (Holm). "probe": as in the paper, if it exceeds one threshold that
        permuted columns give; no other evidence counts.
    level : float
        The error rate over all features: of ``needed_`` (a false discovery rate, but for "fwer"),
        and of relevance with "fdr" and "fwer".
    probes : {"append", "replace", "refit"}
        A probe joins the features, takes its original's place, or does so with the budget
        computed anew.
    engine : {"auto", "interior", "simplex"}
        What solves the programs: interior points in batches, which are fast, the simplex method,
        which is exact, or whichever is faster for the size of the problem. Each proves its
        answers to the same accuracy.
    exact : bool
        Compute both ends of every weight. False: where features outnumber samples (and are more
        than 100), only of those that may be relevant. Of the others a bound is proved: ``maxrel``
        is at most what is given (``result_.is_bounded``), and their weight speaks for nothing.
    cv : int, splitter, iterable or None
        Folds for tuning; None: five, shuffled (always alike), stratified where there are classes.
        Groups given to ``fit`` stay together in them, and a splitter gets the groups.
    gamma : float or None
        What privileged weights count in the norm, regular ones counting one; None tunes it with C.
    slack : {"privileged", "mixed"}
        With privileged features: a slack is what the features say (as in the paper), or that and
        slack of the sample's own on top, which keeps noisy data from leaving nothing to learn.
    free_slack_price : float or None
        What slack of a sample's own costs with mixed slacks, slack that is read costing one. The
        larger, the more privileged features are used; None: as far as is safe for these data.
    standardize : bool
        Give every feature (and the target of a regression) mean 0 and standard deviation 1
        first, so that weights can be compared. False: take columns as they are.
    keep : sequence of names or indices, optional
        Features to select whatever their relevance.
    min_features : int
        Select at least so many, filling up by ``maxrel``.
    random_state : int, RandomState or None
        Decides which permuted columns are drawn. Folds are always the same.
    n_jobs : int or None
        Workers: threads, unless joblib's ``parallel_config`` says otherwise. The answer does not
        depend on it.
    verbose : int
        1 shows progress."""
_CLASS_WEIGHT = """class_weight : "auto", "balanced", dict or None
        What multiplies the losses of a class's samples, beside ``sample_weight``. "auto": where
        sizes differ and C is tuned, a power of the size (from 0, as classes come, to -1, all
        alike) that is tuned with C; else None. "balanced": all classes count alike. A dictionary
        gives each label's weight. None: classes count as they come. What features prove alone and
        beside others does not depend on it."""
_ATTRIBUTES = """result_ : RelevanceResult
        All that was found.
    relevance_ : (n_features,) array
        0 irrelevant, 1 weak, 2 strong.
    needed_ : (n_features,) bool array
        Relevant features that are proved to add to all others.
    intervals_ : (n_features, 2) array
        ``minrel`` and ``maxrel``, divided by the best model's norm.
    weight_ranges_ : (n_features, 2) array
        Signed ends of each weight's range, not divided; (n_features, n_classes, 2) of three or more
        classes without order.
    support_ : (n_features,) bool array
        The selected features.
    n_features_in_, feature_names_in_
        As in scikit-learn.
    relevance_priv_, needed_priv_, intervals_priv_, weight_ranges_priv_, support_priv_
        The same for privileged features, if there are any; a weight range in each of the two
        slack functions.
    n_features_priv_in_, feature_names_priv_in_
        Their number and names."""


def documented(cls: type[T]) -> type[T]:
    """Write what all estimators share into a class's docstring."""
    if cls.__doc__ is None:  # python -OO
        return cls
    shared = {
        "{class_weight}": _CLASS_WEIGHT,
        "{parameters}": _PARAMETERS,
        "{attributes}": _ATTRIBUTES,
    }
    for place, text in shared.items():
        cls.__doc__ = cls.__doc__.replace(place, text)
    return cls


def kept_positions(keep: Any, min_features: int, names: Sequence[str]) -> list[int]:
    """Positions of the features to keep; says what cannot be before anything is computed."""
    if min_features > len(names):
        raise ValueError(f"min_features is {min_features}, but there are {len(names)} features.")
    positions: dict[Any, int] = {name: index for index, name in enumerate(names)}
    positions.update((index, index) for index in range(len(names)))
    is_list = isinstance(keep, Iterable) and not isinstance(keep, str)
    kept = list(keep) if is_list else [] if keep is None else [keep]
    unknown = [each for each in kept if isinstance(each, bool | np.bool_) or each not in positions]
    if unknown or not (is_list or keep is None):
        raise ValueError(
            f"keep must be a list of names or of indices from 0 to {len(names) - 1}; "
            f"got {(unknown or kept)[0]!r}."
        )
    return [positions[each] for each in kept]


def selected(found: Findings, kept: list[int], min_features: int) -> BoolArray:
    """Relevant and kept features, topped up by ``maxrel`` to the least number asked for."""
    support: BoolArray = found.relevance > 0
    support[kept] = True
    by_maxrel = np.lexsort((-found.intervals[:, 1], found.is_bounded))
    others = by_maxrel[~support[by_maxrel]]
    support[others[: max(0, min_features - int(support.sum()))]] = True
    return support
