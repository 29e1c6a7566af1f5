"""What becomes of a feature's importance when a twin joins the table?

The clinic's table is made up. Permutation importance asks how much worse a fitted model gets when
one column is shuffled. If another column says the same, the model can lean on that one: both look
less important than either is alone. Relevance intervals keep their upper end.
"""

import pandas as pd
from clinic import read_as_numbers
from sklearn.ensemble import RandomForestClassifier
from sklearn.inspection import permutation_importance
from sklearn.model_selection import train_test_split

from relbounds import OrdinalRelevance

WITHOUT = {"all columns": [], "no peak_flow": ["peak_flow"], "no fev1_percent": ["fev1_percent"]}
SHOWN = ["fev1_percent", "peak_flow", "walk_metres"]


def importance(X: pd.DataFrame, y: pd.Series) -> pd.Series:
    """Loss of accuracy on patients that the forest has not seen."""
    seen, new, y_seen, y_new = train_test_split(X, y, stratify=y, random_state=0)
    forest = RandomForestClassifier(100, random_state=0).fit(seen, y_seen)
    found = permutation_importance(forest, new, y_new, n_repeats=10, random_state=0)
    return pd.Series(found.importances_mean, X.columns)


def main() -> None:
    X, y = read_as_numbers()
    columns = {}
    for name, left_out in WITHOUT.items():
        points = X.drop(columns=left_out)
        model = OrdinalRelevance(random_state=0).fit(points, y)
        columns[f"importance, {name}"] = importance(points, y)
        columns[f"maxrel, {name}"] = pd.Series(model.intervals_[:, 1], points.columns)
    table = pd.DataFrame(columns).loc[SHOWN].T.round(2)
    print(table.sort_index().to_string(na_rep="-"))


if __name__ == "__main__":
    main()
