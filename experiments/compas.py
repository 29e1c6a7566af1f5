"""COMPAS, Figure 1: what is a risk score made of, with and without ethnicity?

People whose score is missing are left out, and so are those of whom it is unknown whether they
relapsed (-1): the paper calls that feature binary, and says nothing of rows. ``decile_score`` is
the score itself and no feature. Everything else is done as the library does it by default, and
again with other choices that the paper leaves open (``VARIANTS``). Classes are those of the
library's rule and, with the same best model, of the paper's. Columns that were made of one (race,
sex, age, charge degree) are asked about as a whole, too.
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
from experiments.papers_rule import EVIDENCE, PAPERS, RULES, SELECTION, by_papers_rule
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
_BEST_MODEL_ONLY = {"n_probes": 10, "tolerance": 0.001, **SELECTION}  # for accuracies: the fastest
_EVIDENCE = ["p_alone", "p_in_models", "p_needed"]


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
    """The relevance of each feature by both rules, and of blocks; and how well the model fits."""
    X, y, left_out = data(model, every, VARIANTS[variant].get("keep_unknown", False))
    weight = _weight(variant, y)
    fitted = _unfitted(variant).fit(X, y, sample_weight=weight)
    ruled = by_papers_rule(fitted, X, y, sample_weight=weight)
    predicted = fitted.predict(X)
    known = {
        "variant": variant,
        "model": model,
        "C": fitted.result_.hyperparameters["C"],
        "tolerance": fitted.result_.tolerances.norm,
        "accuracy": np.mean(predicted == y),
        "mmae": macro_mean_absolute_error(y, predicted, labels=SCORES),
        "people": len(y),
        **left_out,
    }
    found = [
        {**known, "rule": rule, **row}
        for rule, each in ((EVIDENCE, fitted), (PAPERS, ruled))
        for row in _features(each)
    ]
    return [*found, *({**known, "rule": EVIDENCE, **row} for row in _blocks(fitted))]


def _features(fitted: OrdinalRelevance) -> list[Row]:
    found = fitted.result_
    columns = ["relevance", "needed", "minrel", "maxrel", "low", "high", *_EVIDENCE]
    table = found.to_frame()[columns].assign(chance=found.chance)
    limits = {
        "threshold_minrel": found.thresholds.minrel,
        "threshold_maxrel": found.thresholds.maxrel,
    }
    return [{"feature": name, **row, **limits} for name, row in table.to_dict("index").items()]


def _blocks(fitted: OrdinalRelevance) -> list[Row]:
    """Columns that were made of one; the most that they weigh is not searched for."""
    names = fitted.result_.feature_names
    blocks = {
        block: [name for name in names if name.startswith(f"{block}: ")]
        for block in _CATEGORIES.values()
    }
    found = fitted.blocks({block: made for block, made in blocks.items() if made}, most_programs=0)
    table = found.to_frame()[["relevance", "needed", "minrel", *_EVIDENCE]]
    return [{"block": name, **row} for name, row in table.to_dict("index").items()]


def cross_validate(variant: str, model: str, fold: int, every: int) -> list[Row]:
    """How well a model predicts people it has not seen; it is tuned without them."""
    X, y, _ = data(model, every)
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=0)
    train, test = list(folds.split(X, y))[fold]
    fitted = _unfitted(variant, **_BEST_MODEL_ONLY)
    fitted.fit(X.iloc[train], y[train], sample_weight=_weight(variant, y[train]))
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


def _unfitted(variant: str, **settings: Any) -> OrdinalRelevance:
    settings = {**VARIANTS[variant].get("settings", {}), **settings}
    return OrdinalRelevance(classes=SCORES, random_state=0, **settings)


def _weight(variant: str, y: np.ndarray) -> np.ndarray | None:
    if VARIANTS[variant].get("classes_count_equally"):
        return compute_sample_weight("balanced", y)
    return None


def write(rows: pd.DataFrame, out: Path, quick: bool) -> None:
    findings = {
        (variant, rule): compas_claims.Findings.of(each, rule)
        for variant, each in rows.groupby("variant", sort=False)
        if {WITH, WITHOUT} <= set(each["model"][each["fold"].isna()])
        for rule in RULES
    }
    compas_page.write(TITLE, rows, findings, out)
