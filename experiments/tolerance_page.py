"""How is the study of the tolerance shown? Means of each rule beside the automatic one's."""

import numpy as np
import pandas as pd

from experiments import pages
from experiments.tolerance_rules import AUTOMATIC, LEAST, RESAMPLES

SCORES = ("f1", "rightly_classed")
IN_WORDS = {
    AUTOMATIC: "one standard error of the best model's loss (the library's `auto`)",
    "1.5 standard errors": "one and a half of it",
    "two standard errors": "twice that",
    "paired, without all features": (
        "standard error of the gain: of the difference to the best model without features"
    ),
    "paired, without a feature": (
        "standard error of the difference to the best model without a feature, the largest"
    ),
    "paired, mean": "the same, the mean over all features that the best model uses",
    "paired, resampled": "the same with models fitted to bootstrap samples, the mean",
    "cross-validated, samples": "standard error of the held-out losses",
    "cross-validated, folds": "standard error of the mean held-out loss, from five folds",
    "optimism": "by how much the held-out loss exceeds the loss",
    "bootstrap, best loss": "standard deviation of the best loss over bootstrap samples",
    "bootstrap, excess": "mean excess loss, on all data, of models fitted to bootstrap samples",
    "0.01": "always 0.01",
    "0.03": "always 0.03",
    "0.1": "always 0.1, as the paper's authors",
}
FOR_PRIVILEGED = {
    AUTOMATIC: "a fifth of the gain (the library's `auto`)",
    "one standard error": IN_WORDS[AUTOMATIC].removesuffix(" (the library's `auto`)"),
    "0.1 of the gain": "a tenth of the gain",
    "0.3 of the gain": "three tenths of the gain",
}
_ABOUT = (
    "A good model may exceed the loss and the norm of the best by the tolerance. All rules see the "
    "same draws, and models with the same C; what is found is compared with how the data were "
    f"made. Bootstrap rules have {RESAMPLES} samples. What would be less than {LEAST} is {LEAST}; "
    "where the best model has no loss, every rule but the constants takes 0.1. Means are over data "
    "sets, each the mean of its draws; the differences are those to the first line, with their "
    "standard errors over data sets."
)
_ABOUT_TRUTH = (
    "What the truth is deserves a caution: noisy copies are no exact substitutes, since averaging "
    "them removes noise. With enough samples each is rightly called strong; the truth here calls "
    "it weak. So a rule that tells models apart ever more finely loses in this table, as most "
    "paired ones do."
)
_ABOUT_PRIVILEGED = (
    "Where slacks are read from privileged features, the loss is large in every model, and its "
    "standard error says little. The library takes a fifth of what the best model gains over one "
    "without regular weights, at most a fifth of the loss."
)


def means(rows: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Means over draws."""
    columns = [*SCORES, "strong_called_weak", "weak_called_strong", "tolerance"]
    return rows.groupby(keys, as_index=False, sort=False)[columns].mean()


def by_rule(rows: pd.DataFrame) -> pd.DataFrame:
    """A line for each rule and side: means over data sets, and differences to the automatic one."""
    of_sets = means(rows.assign(kind=_kinds(rows)), ["kind", "data", "rule"])
    lines = []
    for (kind, rule), each in of_sets.groupby(["kind", "rule"], sort=False):
        own = of_sets[(of_sets["kind"] == kind) & (of_sets["rule"] == AUTOMATIC)]
        both = each.merge(own, on="data", suffixes=("", "_auto"))
        line = {"kind": kind, "rule": rule, "data_sets": len(both)}
        for score in SCORES:
            difference = both[score] - both[f"{score}_auto"]
            line |= {
                score: both[score].mean(),
                f"{score}_difference": difference.mean(),
                f"{score}_error": difference.std(ddof=1) / np.sqrt(len(both)),
            }
        of_tolerance = {"median_tolerance": both["tolerance"].median()}
        mistakes = {name: both[name].mean() for name in MISTAKES}
        lines.append(line | mistakes | of_tolerance)
    return pd.DataFrame(lines)


MISTAKES = ("strong_called_weak", "weak_called_strong")


def by_family(rows: pd.DataFrame) -> pd.DataFrame:
    """A line for each rule and family or noise."""
    kinds = _kinds(rows)
    families = means(rows.assign(group=rows["family"].where(kinds == "free", kinds)), _OF_GROUP)
    noisy = rows[rows["noise"].notna()]
    noises = means(noisy.assign(group=[f"noise {each:g}" for each in noisy["noise"]]), _OF_GROUP)
    columns = ["group", "rule"]
    both = pd.concat([noises, families]).groupby(columns, as_index=False, sort=False)
    return both[list(SCORES)].mean()


_OF_GROUP = ["group", "data", "rule"]


def _kinds(rows: pd.DataFrame) -> pd.Series:
    """Free slacks, or the side of privileged data."""
    told = "privileged data, " + rows["side"] + " features"
    return told.where(rows["family"] == "privileged", "free")


def parts(rows: pd.DataFrame, left_out: int) -> list[str]:
    """The paragraphs and tables of the page."""
    rules = by_rule(rows)
    told = f"Draws from which nothing was learned, and which are left out: {left_out}."
    return [
        _ABOUT,
        table(rules, "free", IN_WORDS),
        _ABOUT_TRUTH,
        "## By kind of data",
        "F1 / rightly classed.",
        families(by_family(rows)),
        "## Privileged features",
        f"{_ABOUT_PRIVILEGED} {told}",
        *(
            f"{kind[0].upper()}{kind[1:]}:\n\n{table(rules, kind, IN_WORDS | FOR_PRIVILEGED)}"
            for kind in rules["kind"].unique()
            if kind != "free"
        ),
    ]


def table(rules: pd.DataFrame, kind: str, words: dict[str, str]) -> str:
    """Rules in words, their scores, and the differences to the automatic one."""
    lines = [
        [
            words[each["rule"]],
            *(_with_difference(each, score) for score in SCORES),
            pages.number(each["weak_called_strong"], 3),
            pages.number(each["strong_called_weak"], 3),
            pages.number(each["median_tolerance"], 3),
        ]
        for _, each in rules[rules["kind"] == kind].iterrows()
    ]
    header = ["tolerance", "F1", "rightly classed", "weak called strong", "strong called weak"]
    return pages.markdown([*header, "median"], lines)


def _with_difference(line: pd.Series, score: str) -> str:
    mean = pages.number(line[score], 3)
    if line["rule"] == AUTOMATIC:
        return mean
    difference = pages.number(line[f"{score}_difference"], 3, signed=True)
    return f"{mean} ({difference} ± {pages.number(line[f'{score}_error'], 3)})"


def families(cells: pd.DataFrame) -> str:
    """A line for each family, a column for each rule."""
    rules = [rule for rule in IN_WORDS if rule in set(cells["rule"])]
    found = {
        (each["group"], each["rule"]): f"{each['f1']:.2f} / {each['rightly_classed']:.2f}"
        for _, each in cells.iterrows()
    }
    lines = [
        [group, *(found.get((group, rule), "-") for rule in rules)]
        for group in cells["group"].unique()
    ]
    return pages.markdown(["data", *rules], lines)
