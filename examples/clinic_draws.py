"""How often is the answer right? Twenty draws of the made-up clinic, two codings of its texts.

examples/clinic.csv is one draw, and a chosen one (see clinic.py); this script shows others too.
Each is analysed with a column for every value of a text, and with one value left out.
"""

import warnings

import pandas as pd
from clinic import as_numbers, made_up

from relbounds import OrdinalRelevance
from relbounds.exceptions import OneHotWarning

TRUTH = {"walk_metres": 2, "crp": 2, "smoking=smoker": 2, "fev1_percent": 1, "peak_flow": 1}
IDLE_TEXTS = ("sex=", "site=")
N_DRAWS = 20


def _as_one(model: OrdinalRelevance, text: str) -> str:
    """The class of all columns of a text together."""
    return str(model.blocks().to_frame().loc[text, "relevance"])


def main() -> None:
    warnings.simplefilter("ignore", OneHotWarning)  # a column for every value is the point
    rows = []
    for seed in range(N_DRAWS):
        for every_value in (True, False):
            X, y = as_numbers(made_up(seed), every_value=every_value)
            model = OrdinalRelevance(random_state=0).fit(X, y)
            found = dict(zip(X.columns, model.relevance_, strict=True))
            rows.append(
                {
                    "columns": "every value" if every_value else "one value left out",
                    "all classes true": found == {name: TRUTH.get(name, 0) for name in found},
                    "smoking strong": found["smoking=smoker"] == 2,
                    "smoking strong as one": _as_one(model, "smoking") == "strong",
                    "idle text relevant": any(
                        found[name] for name in found if name.startswith(IDLE_TEXTS)
                    ),
                    "other idle relevant": any(
                        found[name] for name in ("age", "height_cm", "haemoglobin")
                    ),
                }
            )
    print(f"Of {N_DRAWS} draws:")
    print(pd.DataFrame(rows).groupby("columns").sum().T.to_string())


if __name__ == "__main__":
    main()
