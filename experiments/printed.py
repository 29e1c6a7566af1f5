"""What does the paper print? Its numbers, as facts to compare with; nothing else is fixed here.

Pfannschmidt et al., Feature relevance determination for ordinal regression in the context of
feature redundancies and privileged information, Neurocomputing 2020. Each dictionary is named after
its table. ``surrogate`` is the elastic net with recursive elimination, which the paper calls
M_e^(L1+L2).
"""

_TABLE2_COLUMNS = [
    (data, method)
    for data in ("clean", "noisy")
    for method in ("surrogate", "explicit", "implicit")
]
_TABLE2 = {
    "f1": """
        0.94 1.0 1.0   0.92 0.95 0.98
        0.79 1.0 1.0   0.89 0.97 0.98
        0.81 1.0 1.0   0.85 0.97 0.96
        0.83 1.0 1.0   0.80 0.96 0.97
        0.83 1.0 1.0   0.86 1.0 1.0
        0.25 1.0 1.0   0.56 0.94 0.94
        0.49 1.0 1.0   0.46 0.90 0.91
        0.95 1.0 1.0   0.80 0.98 0.98
        0.53 0.98 0.98   0.60 1.0 1.0
    """,
    "precision": """
        0.90 1.0 1.0   0.87 1.0 1.0
        0.86 1.0 1.0   0.86 1.0 1.0
        0.95 1.0 1.0   0.90 1.0 1.0
        0.95 1.0 1.0   0.91 1.0 1.0
        0.89 1.0 1.0   0.81 1.0 1.0
        1.0 1.0 1.0   1.0 1.0 1.0
        0.97 1.0 1.0   0.84 1.0 1.0
        0.91 1.0 1.0   0.95 1.0 1.0
        1.0 0.97 0.97   1.0 1.0 1.0
    """,
    "recall": """
        1.0 1.0 1.0   0.99 0.92 0.96
        0.82 1.0 1.0   0.94 0.96 0.96
        0.74 1.0 1.0   0.83 0.95 0.93
        0.77 1.0 1.0   0.74 0.93 0.94
        0.84 1.0 1.0   0.99 1.0 1.0
        0.15 1.0 1.0   0.40 0.89 0.89
        0.41 1.0 1.0   0.35 0.84 0.86
        1.0 1.0 1.0   0.70 0.97 0.97
        0.37 1.0 1.0   0.43 1.0 1.0
    """,
}

_TABLE4_COLUMNS = ("p-OGMLVQ", "a-OGMLVQ", "explicit", "implicit")
_TABLE4 = {  # MMAE in this order of columns, then run times (explicit, implicit)
    "automobile": (0.482, 0.446, 0.532, 0.516, 151.6, 876.8),
    "bondrate": (0.768, 0.737, 0.939, 0.949, 49.7, 133.6),
    "contact-lenses": (0.243, 0.221, 0.190, 0.265, 23.7, 53.9),
    "eucalyptus": (0.450, 0.477, 0.390, 0.390, 768.7, 3280.3),
    "newthyroid": (0.124, 0.097, 0.043, 0.045, 37.5, 92.3),
    "pasture": (0.307, 0.318, 0.374, 0.430, 28.6, 57.0),
    "squash-stored": (0.415, 0.411, 0.371, 0.371, 36.0, 68.9),
    "squash-unstored": (0.488, 0.228, 0.280, 0.300, 35.9, 69.4),
    "tae": (0.553, 0.537, 0.552, 0.664, 43.3, 83.4),
    "winequality-red": (1.078, 1.069, 0.868, 0.790, 349.4, 8359.4),
}

_TABLE5_COLUMNS = ("strong", "weak", "surrogate")
_TABLE5 = {
    "automobile": (4.5, 12.6, 4.0),
    "bondrate": (0.0, 5.4, 2.0),
    "contact-lenses": (0.9, 1.1, 2.0),
    "eucalyptus": (2.1, 33.2, 15.6),
    "newthyroid": (0.0, 4.7, 2.0),
    "pasture": (0.0, 15.5, 6.0),
    "squash-stored": (2.4, 7.9, 11.1),
    "squash-unstored": (1.8, 3.3, 8.0),
    "tae": (1.9, 5.4, 16.8),
    "winequality-red": (0.0, 7.6, 5.4),
}

_TABLE7_COLUMNS = [
    (side, method) for side in ("regular", "privileged") for method in ("surrogate", "explicit")
]
_TABLE7 = {
    "f1": """
        0.44 1.0   0.89 1.0
        0.48 1.0   0.85 1.0
        0.65 1.0   0.91 1.0
        0.58 1.0   0.88 1.0
        0.67 1.0   0.92 1.0
        0.40 1.0   0.69 0.99
        0.93 1.0   1.0 1.0
        0.70 1.0   1.0 1.0
    """,
    "precision": """
        0.72 1.0   0.91 1.0
        0.75 1.0   0.98 1.0
        1.0 1.0   1.0 1.0
        0.90 1.0   1.0 1.0
        0.80 1.0   1.0 1.0
        0.98 1.0   0.97 1.0
        0.94 1.0   1.0 1.0
        1.0 1.0   1.0 1.0
    """,
    "recall": """
        0.37 1.0   0.88 1.0
        0.38 1.0   0.78 1.0
        0.52 1.0   0.84 1.0
        0.48 1.0   0.80 1.0
        0.62 1.0   0.88 1.0
        0.26 0.99   0.54 0.98
        0.93 1.0   1.0 1.0
        0.55 1.0   1.0 1.0
    """,
}


def _cells(blocks: dict[str, str], columns: list[tuple[str, str]]) -> dict[tuple, float]:
    """``{(metric, set, *column): number}`` from blocks with a line for each set."""
    return {
        (metric, number, *column): float(value)
        for metric, block in blocks.items()
        for number, line in enumerate(block.split("\n")[1:-1], start=1)
        for column, value in zip(columns, line.split(), strict=True)
    }


TABLE2 = _cells(_TABLE2, _TABLE2_COLUMNS)
"""``(metric, set, "clean" or "noisy", "surrogate" or order)``: means of 30 runs."""

TABLE4_MMAE = {
    (name, column): value
    for name, values in _TABLE4.items()
    for column, value in zip(_TABLE4_COLUMNS, values[:4], strict=True)
}
"""``(set, "p-OGMLVQ", "a-OGMLVQ", "explicit" or "implicit")``: mean MMAE over 30 partitions."""

TABLE4_RUN_TIME = {
    (name, order): value
    for name, values in _TABLE4.items()
    for order, value in zip(("explicit", "implicit"), values[4:], strict=True)
}
"""``(set, order)``: run time over 30 partitions; the unit is not printed (seconds, presumably)."""

TABLE5 = {
    (name, column): value
    for name, values in _TABLE5.items()
    for column, value in zip(_TABLE5_COLUMNS, values, strict=True)
}
"""``(set, "strong", "weak" or "surrogate")``: mean number of features over 30 partitions."""

TABLE7 = _cells(_TABLE7, _TABLE7_COLUMNS)
"""``(metric, set, "regular" or "privileged", "surrogate" or "explicit")``; means of 10 runs."""

COMPAS_PEOPLE = 11757
COMPAS_FEATURES = {"with ethnicity": 20, "without ethnicity": 14}
COMPAS_ACCURACY = {"with ethnicity": 0.6673, "without ethnicity": 0.6599}
COMPAS_STRONG = {"with ethnicity": ("priors_count", "age: less than 25")}
"""The text calls the second one "the age group 17-25"."""
COMPAS_WEAK = {
    "with ethnicity": (
        "juv_fel_count",
        "juv_misd_count",
        "charge degree",
        "sex: male",
        "sex: female",
        "race: African-American",
        "race: Caucasian",
        "race: Native American",
    )
}
"""Named as examples of "many others"; of the charge degrees the text does not say which."""
COMPAS_SENTENCES = {
    "two strong": "Two features are strongly relevant: prior charges and the youngest age group.",
    "big share": "Both contribute much in absolute terms.",
    "juvenile": "Juvenile felonies and misdemeanours and the charge degree are weakly relevant.",
    "sex": "Both sexes are weakly relevant, with the same maximal relevance.",
    "race": "African-American, Caucasian and Native American are weakly relevant.",
    "accuracy": "Without ethnicity the accuracy hardly falls: 65.99 % instead of 66.73 %.",
    "changes": "Without ethnicity other juvenile offences and violent recidivism become relevant.",
    "others": "The relevance of the other features does not change profoundly.",
}
"""What the section on COMPAS and the caption of Figure 1 state, in our words."""

SEMANTIC_FACTS = {
    "irrelevant": "The three irrelevant regular features are dismissed.",
    "strong": "The three strong regular features are found.",
    "privileged": "All three privileged features are found.",
    "ascending": "The relevance of privileged features rises with their noise (0.1, 0.5, 2).",
}
"""What the text says of Figure 2, in our words."""

SURROGATE_MIXING = (0.0, 0.01, 0.1, 0.2, 0.5, 0.7, 1.0)
"""The values of the mixing parameter that the paper searches; 0 is the lasso."""
TABLE2_RUNS, TABLE7_RUNS = 30, 10
