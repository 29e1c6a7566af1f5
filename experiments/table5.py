"""Table 5: how many features of ten real sets are strongly, and how many weakly relevant?

Explicit order. The library's defaults; the tolerance of 0.1 that the authors used, with the same C;
and how many features the elastic net keeps.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from experiments import elastic_net, pages, printed
from experiments.partitions import (
    Partition,
    in_papers_order,
    known_oddities,
    pieces_of_partitions,
)
from experiments.pieces import Piece, Row
from relbounds import OrdinalRelevance, Relevance

NAME = "table5"
TITLE = "Table 5: relevant features of ten real data sets"
NEEDS_DATA = True

PAPERS_TOLERANCE = 0.1
AUTO, PAPERS, PAPER, SURROGATE = "auto", "0.1", "paper", "surrogate"
COUNTS = {"strong": Relevance.STRONG, "weak": Relevance.WEAK}


def pieces(quick: bool) -> list[Piece]:
    return pieces_of_partitions(count_partition, quick)


def count_partition(name: str, number: int) -> list[Row]:
    """How many features are relevant in the training part of one partition."""
    data = Partition.load(name, number)
    with known_oddities():
        tuned = OrdinalRelevance(random_state=number).fit(data.X_train, data.y_train)
        C = tuned.result_.hyperparameters["C"]
        paper = OrdinalRelevance(tolerance=PAPERS_TOLERANCE, C=C, random_state=number)
        paper.fit(data.X_train, data.y_train)
        kept = elastic_net.select(data.X_train, data.y_train, number)[SURROGATE]
    known = {"set": name, "partition": number, "features": data.X_train.shape[1]}
    return [
        {**known, "method": AUTO, **_counts(tuned)},
        {**known, "method": PAPERS, **_counts(paper)},
        {**known, "method": SURROGATE, "C": kept.C, "p": kept.p, "kept": kept.support.sum()},
    ]


def _counts(model: OrdinalRelevance) -> Row:
    found = model.result_
    return {
        "C": found.hyperparameters["C"],
        "tolerance": np.nan if found.tolerances is None else found.tolerances.loss,
        **{name: (found.relevance == relevance).sum() for name, relevance in COUNTS.items()},
    }


def write(rows: pd.DataFrame, out: Path, quick: bool) -> None:
    table = summary(rows)
    pages.write_csv(table, out / "table5.csv")
    pages.write_page(
        out / "table5.md",
        TITLE,
        [_introduction(rows), _numbers(table), "## Beside the elastic net", _comparison(table)],
        rows,
        seeds="the number of the partition",
        packages=["clarabel"],
    )


def summary(rows: pd.DataFrame) -> pd.DataFrame:
    """Means over the partitions: a row for each set."""
    relevant = rows[rows["method"] != SURROGATE].assign(
        nothing=lambda each: each["strong"] + each["weak"] == 0
    )
    table = rows.groupby("set")[["features"]].first()
    for method, each in relevant.groupby("method", sort=False):
        means = each.groupby("set")[["strong", "weak", "nothing", "tolerance"]].mean()
        table = table.join(means.add_suffix(f", {method}"))
    table[SURROGATE] = rows[rows["method"] == SURROGATE].groupby("set")["kept"].mean()
    for column in (*COUNTS, SURROGATE):
        table[f"{column}, paper"] = [printed.TABLE5[name, column] for name in table.index]
    return in_papers_order(table.reset_index()).reset_index(drop=True)


def _introduction(rows: pd.DataFrame) -> str:
    return (
        "Mean number of features that are strongly and weakly relevant in the training parts of "
        f"{rows['partition'].nunique()} partitions, explicit order, and how many features the "
        "elastic net with recursive elimination keeps. In brackets the paper's figure, and by how "
        "much ours is larger. *auto*: the library's default, a tolerance of one standard error of "
        f"the mean loss; *{PAPERS}*: good models may have a tenth more norm and loss, as in the "
        "authors' code, with the same C. *tolerance*: the mean of the automatic one. *nothing*: "
        "the share of partitions in which no feature is relevant by default.\n\n"
        "Fewer features are relevant than in the paper. Two reasons are known. The library's limit "
        "of chance is passed by one idle feature in a thousand, as it says; the paper's, which "
        "takes the relevance of permuted features for normal, by eight (see "
        "docs/decisions/probes.md). And the authors' program drops permuted features that "
        "take a needed one's place, which lowers its limit further. Which of the two accounts for "
        "how much of the difference was not computed."
    )


def _numbers(table: pd.DataFrame) -> str:
    header = [
        "set",
        "features",
        *(f"{kind}, {method}" for method in (AUTO, PAPERS) for kind in COUNTS),
        "elastic net",
        "tolerance",
        "nothing",
    ]
    lines = [
        [
            row["set"],
            row["features"],
            *(
                pages.beside(row[f"{kind}, {method}"], row[f"{kind}, paper"], 1)
                for method in (AUTO, PAPERS)
                for kind in COUNTS
            ),
            pages.beside(row[SURROGATE], row[f"{SURROGATE}, paper"], 1),
            pages.number(row[f"tolerance, {AUTO}"], 2),
            f"{row[f'nothing, {AUTO}']:.0%}",
        ]
        for _, row in table.iterrows()
    ]
    return pages.markdown(header, lines)


def _comparison(table: pd.DataFrame) -> str:
    """The paper names three sets with fewer relevant features, and three with more."""
    lines = [
        [row["set"], *(_surplus(row, source) for source in (PAPER, AUTO, PAPERS))]
        for _, row in table.iterrows()
    ]
    return (
        "By how many features the relevant ones (strong and weak together) are more than those "
        "that the elastic net keeps:\n\n" + pages.markdown(["set", PAPER, AUTO, PAPERS], lines)
    )


def _surplus(row: pd.Series, source: str) -> str:
    kept = row[f"{SURROGATE}, {PAPER}"] if source == PAPER else row[SURROGATE]
    relevant = sum(row[f"{kind}, {source}"] for kind in COUNTS)
    return pages.number(relevant - kept, 1, signed=True)
