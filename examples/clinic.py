"""A small clinic's table, made up: writes examples/clinic.csv.

No patient in it exists. It has what real tables have: identifiers, a column that never changes,
text, gaps, and two measurements of nearly the same thing. The grade of the disease was made from
the walking distance, the state of the lungs (which is not in the table, but FEV1 and peak flow both
show it), a marker of inflammation (crp), whether the patient smokes, and a little chance.

The seed was chosen, when relbounds decided by another rule. It is one of the 18 of the first twenty
in which relbounds finds exactly these; clinic_draws.py counts.
"""

from pathlib import Path

import numpy as np
import pandas as pd

TABLE = Path(__file__).parent / "clinic.csv"
N_PATIENTS = 240
GRADES = ["mild", "moderate", "severe"]


def made_up(seed: int = 6) -> pd.DataFrame:
    """The table, with gaps."""
    rng = np.random.default_rng(seed)
    lungs, walking, inflammation, chance = rng.standard_normal((4, N_PATIENTS))
    smoking = rng.choice(["non-smoker", "smoker"], N_PATIENTS, p=[0.7, 0.3])
    severity = -lungs - walking + 0.8 * inflammation + 1.2 * (smoking == "smoker") + 0.3 * chance
    table = pd.DataFrame(
        {
            "patient": [f"P{number:04d}" for number in rng.permutation(9000)[:N_PATIENTS]],
            "ward": "outpatients",
            "age": rng.integers(41, 86, N_PATIENTS),
            "sex": rng.choice(["female", "male"], N_PATIENTS),
            "smoking": smoking,
            "site": rng.choice(["north", "south", "east"], N_PATIENTS),
            "height_cm": rng.normal(170, 9, N_PATIENTS).round(),
            "fev1_percent": (62 + 15 * (lungs + 0.1 * rng.standard_normal(N_PATIENTS))).round(1),
            "peak_flow": (360 + 80 * (lungs + 0.1 * rng.standard_normal(N_PATIENTS))).round(),
            "walk_metres": (390 + 90 * walking).round(),
            "crp": np.exp(1.2 + 0.7 * inflammation).round(1),
            "haemoglobin": rng.normal(14, 1.3, N_PATIENTS).round(1),
            "grade": np.array(GRADES)[
                np.searchsorted(np.quantile(severity, [0.4, 0.75]), severity)
            ],
        }
    )
    with_gaps = ["haemoglobin", "crp", "peak_flow"]
    gaps = rng.random((N_PATIENTS, len(with_gaps))) < 0.03
    table[with_gaps] = table[with_gaps].mask(gaps)
    return table


def as_numbers(
    table: pd.DataFrame, *, every_value: bool = False
) -> tuple[pd.DataFrame, "pd.Series[int]"]:
    """The features as numbers, gaps filled with medians, and the grade as 0, 1, 2.

    One value of each text has no column of its own: the others being 0 say it. ``every_value``
    gives it one all the same.
    """
    table = table.drop(columns=["patient", "ward"])
    y = table.pop("grade").map({grade: rank for rank, grade in enumerate(GRADES)})
    X = pd.get_dummies(table, prefix_sep="=", dtype=float)
    if not every_value:
        X = X.drop(columns=["sex=female", "smoking=non-smoker", "site=north"])
    return X.fillna(X.median()), y


def read_as_numbers() -> tuple[pd.DataFrame, "pd.Series[int]"]:
    """The table that is shipped, as numbers."""
    return as_numbers(pd.read_csv(TABLE))


if __name__ == "__main__":
    made_up().to_csv(TABLE, index=False)
    print(f"{N_PATIENTS} made-up patients: {TABLE.name}")
