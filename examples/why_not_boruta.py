"""What does Boruta say of twins? It finds all relevant features, and stops there.

The clinic's table is made up. Boruta compares each feature's importance in random forests with that
of shuffled copies, as relbounds does with weights. Which of the features it confirms can replace
one another it does not tell. (Boruta comes with the extra relbounds[reproduce].)
"""

import pandas as pd
from boruta import BorutaPy
from clinic import read_as_numbers
from sklearn.ensemble import RandomForestClassifier

from relbounds import OrdinalRelevance, Relevance


def main() -> None:
    X, y = read_as_numbers()
    forest = RandomForestClassifier(max_depth=5, class_weight="balanced", random_state=0)
    boruta = BorutaPy(forest, n_estimators=100, max_iter=40, random_state=0)
    boruta.fit(X.to_numpy(), y.to_numpy())
    model = OrdinalRelevance(random_state=0).fit(X, y)
    said = [
        "confirmed" if yes else "tentative" if maybe else "rejected"
        for yes, maybe in zip(boruta.support_, boruta.support_weak_, strict=True)
    ]
    found = pd.DataFrame(
        {
            "feature": X.columns,
            "boruta": said,
            "relbounds": [Relevance(each).name.lower() for each in model.relevance_],
            "minrel": model.intervals_[:, 0].round(2),
            "maxrel": model.intervals_[:, 1].round(2),
        }
    )
    print(found.to_string(index=False))


if __name__ == "__main__":
    main()
