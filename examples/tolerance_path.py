"""How does the answer depend on how much worse than the best a good model may be?

300 samples of 18 noisy features. The outcome is made of three features, and of three hidden ones
that were measured twice, four times and six times. If only the best model counts, whatever it uses
and is proved to add something is indispensable. The more tolerance, the more often others stand in.
"""

from pathlib import Path

import matplotlib as mpl
import pandas as pd

from relbounds import OrdinalRelevance, RelevancePathDisplay
from relbounds.datasets import make_ordinal

MEASURED = {"strong": 3, "pair": 2, "four": 4, "six": 6, "idle": 3}


def main(folder: Path = Path("demo-output")) -> None:
    mpl.use("Agg")
    X, y, _ = make_ordinal(300, n_strong=3, weak_groups=(2, 4, 6), noise=0.3, random_state=0)
    names = [f"{name} {k}" for name, count in MEASURED.items() for k in range(1, count + 1)]
    model = OrdinalRelevance(random_state=0).fit(pd.DataFrame(X, columns=names), y)

    path = model.tolerance_path()

    with pd.option_context("display.width", 120, "display.max_columns", None):
        print(path.to_frame()[["0", "0.01", "0.1", "1", "strong_until"]].round(4))
    print(f"\nThe fit used a tolerance of {path.used:.3f}.")
    folder.mkdir(exist_ok=True)
    for name, feature in {"tolerance_path": None, "tolerance_path_pair": "pair 1"}.items():
        picture = folder / f"{name}.png"
        display = RelevancePathDisplay.from_result(path, feature=feature)
        display.figure_.savefig(picture, dpi=150)
        print(f"picture: {picture}")


if __name__ == "__main__":
    main()
