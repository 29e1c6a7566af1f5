"""COMPAS, Figure 1: what is a risk score made of, with and without ethnicity?

People whose score is missing are left out, and so are those of whom it is unknown whether they
relapsed (-1): the paper calls that feature binary, and says nothing of rows. ``decile_score`` is
the score itself and no feature. Everything else is done as the library does it by default, and
again with other choices that the paper leaves open (``VARIANTS``).
"""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold
from sklearn.utils.class_weight import compute_sample_weight

from experiments import compas_claims, compas_page
from experiments.benchmark_data import load_compas
from experiments.compas_claims import WITH, WITHOUT
from experiments.pieces import Piece, Row
from relbounds import OrdinalRelevance
from relbounds.metrics import macro_mean_absolute_error

NAME = "compas"
TITLE = "COMPAS: what a risk score is made of"
NEEDS_DATA = True

VARIANTS: dict[str, dict[str, Any]] = {
    "defaults": {},
    "equal classes": {"classes_count_equally": True},
    "tolerance 0.1": {"settings": {"tolerance": 0.1}},
    "tolerance 0.001": {"settings": {"tolerance": 0.001}},
    "unknown kept": {"keep_unknown": True},
}
CROSS_VALIDATED = ("defaults", "equal classes")
N_FOLDS = 5
SCORES = ("Low", "Medium", "High")
_NUMBERS = (
    "juv_fel_count",
    "juv_misd_count",
    "juv_other_count",
    "priors_count",
    "is_recid",
    "is_violent_recid",
)
_CATEGORIES = {"race": "race", "sex": "sex", "age_cat": "age", "c_charge_degree": "charge degree"}
_CHARGES = {"F": "felony", "M": "misdemeanour", "O": "offence"}
_EVERY_IF_QUICK = 10
_BEST_MODEL_ONLY = {"n_probes": 10, "tolerance": 0.001}  # for accuracies: the fastest


def pieces(quick: bool) -> list[Piece]:
    every = _EVERY_IF_QUICK if quick else 1
    variants = CROSS_VALIDATED if quick else VARIANTS
    return [
        Piece(f"{variant}: {model}", explain, {"variant": variant, "model": model, "every": every})
        for variant in variants
        for model in (WITH, WITHOUT)
    ] + [
        Piece(
            f"{variant}: {model}: fold {fold}",
            cross_validate,
            {"variant": variant, "model": model, "fold": fold, "every": every},
        )
        for variant in CROSS_VALIDATED
        for model in (WITH, WITHOUT)
        for fold in range(N_FOLDS)
    ]


def explain(variant: str, model: str, every: int) -> list[Row]:
    """The relevance of each feature, and how well the model fits."""
    X, y, left_out = data(model, every, VARIANTS[variant].get("keep_unknown", False))
    fitted = _fitted(variant, X, y)
    found = fitted.result_
    predicted = fitted.predict(X)
    known = {
        "variant": variant,
        "model": model,
        "C": found.hyperparameters["C"],
        "tolerance": found.tolerances.norm,
        "threshold_minrel": found.thresholds.minrel,
        "threshold_maxrel": found.thresholds.maxrel,
        "accuracy": np.mean(predicted == y),
        "mmae": macro_mean_absolute_error(y, predicted, labels=SCORES),
        "people": len(y),
        **left_out,
    }
    features = found.to_frame()[["relevance", "minrel", "maxrel", "low", "high"]]
    return [{**known, "feature": name, **row} for name, row in features.to_dict("index").items()]


def cross_validate(variant: str, model: str, fold: int, every: int) -> list[Row]:
    """How well a model predicts people it has not seen; it is tuned without them."""
    X, y, _ = data(model, every)
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=0)
    train, test = list(folds.split(X, y))[fold]
    fitted = _fitted(variant, X.iloc[train], y[train], **_BEST_MODEL_ONLY)
    predicted = fitted.predict(X.iloc[test])
    errors = {
        "accuracy": np.mean(predicted == y[test]),
        "mmae": macro_mean_absolute_error(y[test], predicted, labels=SCORES),
    }
    return [{"variant": variant, "model": model, "fold": fold, **errors, "people": len(test)}]


def data(
    model: str, every: int, keep_unknown: bool = False
) -> tuple[pd.DataFrame, np.ndarray, Row]:
    """Features and scores of the people used, and how many are left out for which reason."""
    people = load_compas().iloc[::every]
    scored = people["score_text"].notna()
    known = scored & ((people["is_recid"] >= 0) | keep_unknown)
    categories = list(_CATEGORIES) if model == WITH else list(_CATEGORIES)[1:]
    coded = pd.get_dummies(people[categories], dtype=float).rename(columns=_readable)
    X = pd.concat([people[list(_NUMBERS)].astype(float), coded], axis=1)[known]
    left_out = {"without_score": (~scored).sum(), "unknown_recid": (scored & ~known).sum()}
    return X, people["score_text"][known].to_numpy(dtype=object), left_out


def _readable(column: str) -> str:
    """``age_cat_Less than 25`` as ``age: less than 25``."""
    category = next(name for name in _CATEGORIES if column.startswith(f"{name}_"))
    value = column.removeprefix(f"{category}_")
    value = value if category == "race" else _CHARGES.get(value, value.lower())
    return f"{_CATEGORIES[category]}: {value}"


def _fitted(variant: str, X: pd.DataFrame, y: np.ndarray, **settings: Any) -> OrdinalRelevance:
    chosen = VARIANTS[variant]
    weight = None
    if chosen.get("classes_count_equally"):
        weight = compute_sample_weight("balanced", y)
    settings = {**chosen.get("settings", {}), **settings}
    model = OrdinalRelevance(classes=SCORES, random_state=0, **settings)
    return model.fit(X, y, sample_weight=weight)


def write(rows: pd.DataFrame, out: Path, quick: bool) -> None:
    findings = {
        variant: compas_claims.Findings.of(each)
        for variant, each in rows.groupby("variant", sort=False)
        if {WITH, WITHOUT} <= set(each["model"][each["fold"].isna()])
    }
    compas_page.write(TITLE, rows, findings, out)
