"""What an answer says, as named values with the doubt that each leaves by its own proof.

Two answers agree within their proofs if no value differs by more than both doubts together. Ends of
ranges have certificates; what follows from several of them has the largest. Prices have none: two
that differ by what the library calls rounding are the same. A doubt of zero means equal or not.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

ROUNDING = 0.5e-8
"""Of the norm, on each side: proofs are sums of rounded numbers too."""
PRICE_ROUNDING = 0.5e-6
OF_THRESHOLD = 6.0
"""A threshold is a mean and at most 4.3 * sqrt(1.1) standard deviations of ten probes or more."""
P_DOUBTS = {"p_alone": 0.5e-9, "p_needed": 0.5e-6, "p_in_models": 0.5e-3}
"""P-values have no proofs: of ranks, of models by Newton's method, of tails fitted to ranges."""
INFORMATION = "dictionary"
"""The name of a value that is compared without a verdict: layouts may change."""
_TIMES_AND_VERSION = {"seconds", "version"}


@dataclass(frozen=True)
class Value:
    found: Any
    doubt: Any = 0.0


Values = dict[str, Value]


def prefixed(prefix: str, values: Values) -> Values:
    return {f"{prefix}.{name}": value for name, value in values.items()}


def of_model(model: Any, X: Any, y: Any) -> Values:
    """A fitted estimator: its result, what it selects, and what it predicts."""
    doubt = 2 * _baseline_doubt(model.result_.baseline)
    predicted = np.asarray(model.predict(X))
    found = of_result(model.result_) | {
        "intervals_": Value(model.intervals_, _side_doubt(model.result_) / _unit(model.result_)),
        "weight_ranges_": Value(model.weight_ranges_, _side_doubt(model.result_)),
        "relevance_": Value(model.relevance_),
        "support_": Value(model.support_),
        "names": Value([str(each) for each in model.get_feature_names_out()]),
        "predictions": _scaled(predicted, doubt)
        if predicted.dtype.kind == "f"
        else Value(predicted),
        "score": Value(float(model.score(X, y)), doubt),
    }
    if model.result_.privileged is not None:
        found["support_priv_"] = Value(model.support_priv_)
    return found


def of_result(result: Any) -> Values:
    """All that a result says, by its properties rather than by its layout."""
    doubt = _baseline_doubt(result.baseline)
    found = prefixed("regular", of_side(result)) | prefixed("frame", of_frame(result))
    if result.privileged is not None:
        found |= prefixed("privileged", of_side(result.privileged))
        found |= prefixed("every", of_side(result.privileged.in_every_function))
    for name in ("weights", "offsets", "norm", "loss", "privileged_weights", "privileged_offsets"):
        found[f"baseline.{name}"] = _scaled(getattr(result.baseline, name), doubt)
    for name in ("task", "slack", "budget", "is_degenerate"):
        found[name] = Value(getattr(result, name))
    for name in ("norm_limit", "loss_limit"):
        found[name] = _scaled(getattr(result, name), doubt)
    found |= {
        "baseline.gap": Value(result.baseline.gap, np.inf),
        "tolerances": _scaled(_tolerances(result.tolerances), doubt),
        "hyperparameters": Value(sorted(result.hyperparameters)),
        **{name: _scaled(each, doubt) for name, each in result.hyperparameters.items()},
        "tuning.candidates": Value([(each.C, each.gamma, each.epsilon) for each in result.tuning]),
        "tuning.errors": _scaled([each.errors.tolist() for each in result.tuning], doubt),
        "tuning.has_weights": Value([bool(each.has_weights) for each in result.tuning]),
        "data.n_samples": Value(result.data.n_samples),
        "data.classes": Value(str(result.data.classes)),
        "data.largest_value": Value(result.data.largest_value),
        "data.constant_features": Value(list(result.data.constant_features)),
        "programs": Value(dict(result.programs), np.inf),
        "fallbacks": Value(result.fallbacks, np.inf),
        INFORMATION: Value(_dictionary(result)),
    }
    return found


def of_side(side: Any) -> Values:
    """What is found of regular features, or of privileged ones."""
    unit, doubts = _unit(side), _side_doubt(side)
    largest = float(np.max(doubts, initial=0.0))
    found = {name: Value(getattr(side, name)) for name in ("relevance", "signs", "needed")} | {
        "feature_names": Value(list(side.feature_names)),
        "in_every_model": Value(side.in_every_model),
        "chance": Value(side.chance, OF_THRESHOLD * largest / unit),
        **{name: Value(getattr(side, name), doubt) for name, doubt in P_DOUBTS.items()},
        "weight_ranges": Value(side.weight_ranges, _ends_doubt(side)),
        "certificate_gaps": Value(side.certificate_gaps, np.inf),
        "raw_intervals": Value(side.raw_intervals, doubts),
        "intervals": Value(side.intervals, doubts / unit),
        "probe_intervals": Value(side.probe_intervals, largest / unit),
        "threshold_distances": Value(side.threshold_distances, OF_THRESHOLD * largest / unit),
    }
    if side.probes is not None:
        for name in ("mode", "asked", "infeasible", "solved"):
            found[f"probes.{name}"] = Value(getattr(side.probes, name))
        found["probes.intervals"] = Value(side.probes.intervals, largest)
    if side.thresholds is not None:
        ends = np.array([side.thresholds.minrel, side.thresholds.maxrel])
        found["thresholds"] = Value(ends, OF_THRESHOLD * largest / unit)
    return found


def of_frame(result: Any) -> Values:
    """The table of a result, with the doubts of what its columns come from."""
    sides = [result] if result.privileged is None else [result, result.privileged]
    ends = max(float(np.max(_side_doubt(each), initial=0.0)) for each in sides)
    relative = ends / min(_unit(each) for each in sides)
    doubts = dict.fromkeys(("minrel", "maxrel"), relative) | dict.fromkeys(("low", "high"), ends)
    over = dict.fromkeys(
        ("minrel_over_threshold", "maxrel_over_threshold"), OF_THRESHOLD * relative
    )
    return of_table(result.to_frame(), doubts | over | P_DOUBTS)


def of_table(table: pd.DataFrame, doubts: Mapping[str, float]) -> Values:
    columns = {
        str(name): Value(np.asarray(column), doubts.get(str(name), 0.0))
        for name, column in table.items()
    }
    return columns | {
        "index": Value([str(each) for each in table.index]),
        "columns": Value([str(each) for each in table.columns]),
    }


def of_constrained(result: Any) -> Values:
    """The answer to a what-if question."""
    sides = [result] if result.privileged is None else [result, result.privileged]
    moved = max(float(np.max(_side_doubt(each) / _unit(each), initial=0.0)) for each in sides)
    ends = dict.fromkeys(("minrel", "maxrel"), moved)
    both = dict.fromkeys(("minrel_moved", "maxrel_moved"), 2 * moved)
    return (
        of_result(result)
        | prefixed("changes", of_table(result.changes(all_features=True), ends | both))
        | {"constraints": Value(list(result.constraints)), "became": Value(result.became("strong"))}
    )


def of_price(price: Any) -> Values:
    return {
        "features": Value(list(price.features)),
        "tolerance": Value(price.tolerance, PRICE_ROUNDING),
        "is_indispensable": Value(bool(price.is_indispensable)),
        "cv_error": Value(price.error, PRICE_ROUNDING),
        "cv_error_without": Value(price.error_without, PRICE_ROUNDING),
    }


def of_prices(table: pd.DataFrame) -> Values:
    numbers = ("price", "error_without", "score_fall")
    return of_table(table, dict.fromkeys(numbers, PRICE_ROUNDING))


def of_blocks(blocks: Any) -> Values:
    return {
        "names": Value(list(blocks.names)),
        "features": Value([list(each) for each in blocks.features]),
        "intervals": Value(blocks.intervals, blocks.gaps + ROUNDING),
        "gaps": Value(blocks.gaps, np.inf),
        "relevance": Value(blocks.relevance),
        "needed": Value(blocks.needed),
        **{name: Value(getattr(blocks, name), doubt) for name, doubt in P_DOUBTS.items()},
    }


def of_redundancy(found: Any) -> Values:
    prices = [(each.first_price, each.second_price, each.price) for each in found.joins]
    return {
        "feature_names": Value(list(found.feature_names)),
        "groups": Value(found.groups),
        "needed": Value(found.needed),
        "labels": Value(found.labels),
        "sentences": Value(found.sentences()),
        "joined": Value([(each.first, each.second) for each in found.joins]),
        "distances": Value(np.array([each.distance for each in found.joins]), ROUNDING),
        "prices": Value(np.array(prices), PRICE_ROUNDING),
    }


def of_path_ends(path: Any, result: Any) -> Values:
    """What a path says without chance: how far weights go, and how long a feature is needed."""
    ends = float(np.max(_side_doubt(result) / _unit(result), initial=0.0))
    found = {
        "tolerances": Value(path.tolerances),
        "used": Value(path.used),
        "intervals": Value(path.intervals, ends),
        "strong_until": Value(path.strong_until, PRICE_ROUNDING),
    }
    if path.privileged is not None:
        found |= prefixed("privileged", of_path_ends(path.privileged, result.privileged))
    return found


def of_path_chance(path: Any, result: Any) -> Values:
    """What a path says by its probes: thresholds and classes."""
    ends = float(np.max(_side_doubt(result) / _unit(result), initial=0.0))
    found = {
        "thresholds": Value(path.thresholds, OF_THRESHOLD * ends),
        "relevance": Value(path.relevance),
    }
    if path.privileged is not None:
        found |= prefixed("privileged", of_path_chance(path.privileged, result.privileged))
    return found


def of_error(error: Exception) -> Values:
    """Its type and its sentence, in which numbers may differ where those of an answer may."""
    found = {
        "raised": Value(type(error).__name__),
        "message": Value(str(error), np.inf),
        "message without numbers": Value(re.sub(r"\d[\d.]*(e[+-]?\d+)?", "#", str(error))),
    }
    if hasattr(error, "conflict"):
        found["conflict"] = Value(list(error.conflict))
        found["tolerance"] = Value(error.tolerance, PRICE_ROUNDING)
    return found


def without_times(text: str) -> str:
    """A text without the seconds that things took."""
    return re.sub(r"\d[\d.]* ?(s|ms|seconds?)\b", "# s", text)


def _unit(side: Any) -> float:
    return float(side.norm) or 1.0


def _ends_doubt(side: Any) -> Any:
    return side.certificate_gaps + ROUNDING * side.norm


def _side_doubt(side: Any) -> Any:
    """Of each feature's interval: the largest of all its ends."""
    ends = _ends_doubt(side)
    return ends.reshape(len(ends), -1).max(axis=1, keepdims=True, initial=0.0)


def _baseline_doubt(baseline: Any) -> float:
    return float(baseline.gap) + ROUNDING


def _scaled(found: Any, doubt: float) -> Value:
    """A value whose doubt is relative to its largest number."""
    if found is None:
        return Value(None)
    numbers = np.asarray(found, dtype=np.float64)
    return Value(found, doubt * float(np.abs(numbers).max(initial=0.0, where=~np.isnan(numbers))))


def _tolerances(used: Any) -> Any:
    if used is None:
        return None
    return np.array([used.norm, np.nan if used.loss is None else used.loss])


def _dictionary(result: Any) -> str:
    return json.dumps(_lasting(result.to_dict()), sort_keys=True, default=str)


def _lasting(value: Any) -> Any:
    """A dictionary without what differs from run to run."""
    if not isinstance(value, dict):
        return value
    return {k: _lasting(v) for k, v in value.items() if k not in _TIMES_AND_VERSION}
