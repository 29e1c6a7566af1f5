"""Which of two twins does the lasso keep? Ten random samples of the same (made-up) patients.

FEV1 and peak flow measure nearly the same thing. The lasso shares the effect out as the sample
happens to favour one or the other; relevance intervals say every time that each can replace the
other.
"""

import numpy as np
import pandas as pd
from clinic import read_as_numbers
from sklearn.linear_model import LassoCV
from sklearn.preprocessing import StandardScaler

from relbounds import OrdinalRelevance, Relevance

TWINS = ["fev1_percent", "peak_flow"]
N_SAMPLES, N_PATIENTS = 10, 160


def main() -> None:
    X, y = read_as_numbers()
    rng = np.random.default_rng(0)
    rows = []
    for _ in range(N_SAMPLES):
        drawn = rng.permutation(len(X))[:N_PATIENTS]
        points, grades = X.iloc[drawn], y.iloc[drawn]
        lasso = LassoCV(cv=5).fit(StandardScaler().fit_transform(points), grades)
        weights = dict(zip(X.columns, lasso.coef_, strict=True))
        model = OrdinalRelevance(random_state=0).fit(points, grades)
        relevance = dict(zip(X.columns, model.relevance_, strict=True))
        rows.append(
            {f"lasso {twin}": round(weights[twin], 2) + 0.0 for twin in TWINS}
            | {f"relbounds {twin}": Relevance(relevance[twin]).name.lower() for twin in TWINS}
        )
    print(pd.DataFrame(rows).to_string(index=False))


if __name__ == "__main__":
    main()
