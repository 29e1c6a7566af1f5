"""What does a teacher know that the outcome needs? Features that exist only while training.

400 samples in four groups. In each of the first three, one of the three features that the outcome
is made of was measured with noise (standard deviation 0.1, 0.5 and 2). The teacher noted that
noise. Nobody will when the model is used, so it cannot be a feature like others; but it can tell,
while training, which samples are hard and why.
"""

from pathlib import Path

import matplotlib as mpl
import pandas as pd

from relbounds import OrdinalRelevance, RelevanceDisplay
from relbounds.datasets import make_semantic


def main(folder: Path = Path("demo-output")) -> None:
    mpl.use("Agg")
    data = make_semantic(random_state=0)
    X = pd.DataFrame(data.X, columns=["first", "second", "third", "idle 1", "idle 2", "idle 3"])
    notes = pd.DataFrame(data.X_priv, columns=["noise 0.1", "noise 0.5", "noise 2"])

    model = OrdinalRelevance(random_state=0).fit(X, data.y, X_priv=notes)

    result = model.result_
    table = result.to_frame()[["side", "relevance", "needed", "minrel", "maxrel"]].round(3)
    with pd.option_context("display.width", 120, "display.max_columns", None):
        print(table)
    folder.mkdir(exist_ok=True)
    picture = folder / "hard_samples.png"
    RelevanceDisplay.from_result(result).figure_.savefig(picture, dpi=150)
    print(f"picture: {picture}")


if __name__ == "__main__":
    main()
