"""Select first, then fit: which weights should a model of the selected features have?

The clinic's table is made up. The best model behind the intervals is sparse: of two twins it takes
whichever the sample favours. An L2 penalty shares the effect out between them, so that the weights
change little from sample to sample. Hence the paper's advice: select, then fit with L2.
"""

import numpy as np
import pandas as pd
from clinic import read_as_numbers
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from relbounds import OrdinalRelevance

SHOWN = ["fev1_percent", "peak_flow", "walk_metres", "crp"]
N_SAMPLES, N_PATIENTS = 10, 160
PENALTIES = np.logspace(-2, 3, 16)


def pipeline():
    """Relevant columns only, then ridge regression on the grade 0, 1, 2."""
    selector = OrdinalRelevance(min_features=1, random_state=0).set_output(transform="pandas")
    return make_pipeline(selector, StandardScaler(), RidgeCV(PENALTIES))


def shares(weights: np.ndarray, names: list[str]) -> pd.Series:
    """Weights as shares of their sum, so that models can be compared."""
    return pd.Series(weights / np.abs(weights).sum(), names).reindex(SHOWN, fill_value=0.0)


def main() -> None:
    X, y = read_as_numbers()
    rng = np.random.default_rng(0)
    sparse, ridge = [], []
    for _ in range(N_SAMPLES):
        drawn = rng.permutation(len(X))[:N_PATIENTS]
        fitted = pipeline().fit(X.iloc[drawn], y.iloc[drawn])
        selector, _, model = (step for _, step in fitted.steps)
        sparse.append(shares(selector.result_.baseline.weights, X.columns))
        ridge.append(shares(model.coef_, selector.get_feature_names_out()))
    table = {
        (name, what): getattr(pd.DataFrame(found), what)()
        for name, found in {"best sparse model": sparse, "ridge": ridge}.items()
        for what in ("mean", "std")
    }
    print(f"Shares of the weights in {N_SAMPLES} samples of {N_PATIENTS} patients:")
    print(pd.DataFrame(table).round(2).to_string())
    everything = make_pipeline(StandardScaler(), RidgeCV(PENALTIES))
    for name, model in {"all columns": everything, "selected": pipeline()}.items():
        folds = KFold(10, shuffle=True, random_state=0)
        errors = -cross_val_score(model, X, y, cv=folds, scoring="neg_mean_absolute_error")
        print(f"mean error in grades, ridge, {name}: {errors.mean():.3f}")


if __name__ == "__main__":
    main()
