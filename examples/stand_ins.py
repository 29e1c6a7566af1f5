"""Which features stand in for one another?

300 samples of 18 noisy features. The outcome is made of three features, and of three hidden ones
that were measured twice, four times and six times. No single one of these measurements is needed,
but of each hidden feature some measurement is.
"""

from pathlib import Path

import matplotlib as mpl
import pandas as pd

from relbounds import OrdinalRelevance, RedundancyDisplay
from relbounds.datasets import make_ordinal

MEASURED = {"strong": 3, "pair": 2, "four": 4, "six": 6, "idle": 3}


def main(folder: Path = Path("demo-output")) -> None:
    mpl.use("Agg")
    X, y, _ = make_ordinal(300, n_strong=3, weak_groups=(2, 4, 6), noise=0.3, random_state=0)
    names = [f"{name} {k}" for name, count in MEASURED.items() for k in range(1, count + 1)]
    model = OrdinalRelevance(random_state=0).fit(pd.DataFrame(X, columns=names), y)

    redundancy = model.redundancy()

    for number, (group, sentence) in enumerate(
        zip(redundancy.groups, redundancy.sentences(), strict=True), start=1
    ):
        price = model.price(group)
        print(f"group {number}: {sentence}")
        print(
            f"  Without all of them a model is at least {price.tolerance:.0%} worse than the best; "
            f"a good one may be {model.result_.tolerances.norm:.0%} worse."
        )
    folder.mkdir(exist_ok=True)
    picture = folder / "stand_ins.png"
    display = RedundancyDisplay.from_result(redundancy, model.result_)
    display.figure_.savefig(picture, dpi=150)
    print(f"picture: {picture}")


if __name__ == "__main__":
    main()
