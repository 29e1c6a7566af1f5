"""From a frame, as it is, to a decision: which examinations does the clinic need?

The clinic's table is made up. It has texts, gaps, an identifier and a column that is the same in
every row; `relbounds.analyze` takes it as it comes and says what it did. FEV1 and peak flow measure
the same lungs: one of them can go, not both.
"""

from pathlib import Path

import matplotlib as mpl
import pandas as pd

import relbounds

TABLE = Path(__file__).with_name("clinic.csv")


def main(folder: Path = Path("demo-output")) -> None:
    mpl.use("Agg")
    patients = pd.read_csv(TABLE)

    answer = relbounds.analyze(patients, "grade", order=["mild", "moderate", "severe"])

    print(answer)
    print("\nWithout one measurement of the lungs, and without both:")
    print(answer.price("peak_flow"))
    print(answer.price(["peak_flow", "fev1_percent"]))
    print("\nOf the first three patients the best model says:")
    print(answer.predict(patients.head(3)))
    folder.mkdir(exist_ok=True)
    print(f"\nreport: {answer.report(folder / 'clinic.html')}")
    picture = folder / "clinic.png"
    display = relbounds.RelevanceDisplay.from_result(answer.whole, sort="relevance")
    display.figure_.savefig(picture, dpi=150)
    print(f"picture: {picture}")


if __name__ == "__main__":
    main()
