"""Which measurements does the progression of diabetes need?

scikit-learn's diabetes data: ten measurements of 442 patients, and how far the disease had
progressed a year later, cut into five ordered stages of equal size.
"""

from pathlib import Path

import matplotlib as mpl
import pandas as pd
from sklearn.datasets import load_diabetes

from relbounds import OrdinalRelevance, RelevanceDisplay

NAMES = {
    "bp": "blood pressure",
    "s1": "total cholesterol",
    "s2": "LDL",
    "s3": "HDL",
    "s4": "cholesterol/HDL",
    "s5": "log triglycerides",
    "s6": "blood sugar",
}


def main(folder: Path = Path("demo-output")) -> None:
    mpl.use("Agg")
    X, progression = load_diabetes(return_X_y=True, as_frame=True)
    X = X.rename(columns=NAMES)
    stages = ["mild", "slow", "medium", "fast", "severe"]
    stage = pd.qcut(progression, len(stages), labels=stages)

    model = OrdinalRelevance(random_state=0).fit(X, stage)

    result = model.result_
    with pd.option_context("display.width", 120, "display.max_columns", None):
        table = result.to_frame().sort_values(["relevance", "maxrel"], ascending=False)
        print(table[["relevance", "needed", "minrel", "maxrel", "sign", "low", "high"]].round(3))
    print(
        f"\n{len(X)} patients, C={result.hyperparameters['C']:.3g}, "
        f"tolerance {result.tolerances.norm:.1%}, mean stages missed {-model.score(X, stage):.2f}; "
        f"{sum(result.programs.values())} programs, every bound proved"
    )
    folder.mkdir(exist_ok=True)
    picture = folder / "diabetes.png"
    display = RelevanceDisplay.from_result(result, sort="relevance")
    display.figure_.savefig(picture, dpi=150)
    print(f"picture: {picture}")


if __name__ == "__main__":
    main()
