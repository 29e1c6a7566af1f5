"""What a user might pick instead: Boruta with a random forest, as its documentation sets it up.

It selects all relevant features too, but has no bounds and does not tell strong from weak.
"""

import warnings

from boruta import BorutaPy
from sklearn.ensemble import RandomForestClassifier

warnings.simplefilter("ignore")


def run(data, settings):
    forest = RandomForestClassifier(n_jobs=1, class_weight="balanced", max_depth=5, random_state=0)
    selector = BorutaPy(
        forest, n_estimators="auto", max_iter=settings.get("rounds", 100), random_state=0
    )
    return selector.fit(data["X"], data["y"])


def report(selector, data, settings):
    return {"selected": selector.support_.tolist()}
