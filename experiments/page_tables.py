"""Tables of pages in docs: ``python -m experiments.page_tables`` prints them."""

from pathlib import Path

import pandas as pd

from experiments import pages, tolerance_page
from relbounds.datasets import PAPER_PRIVILEGED_SETS, PAPER_SETS

RESULTS = Path(__file__).parent / "results"
_COLUMNS = [(data, order) for data in ("clean", "noisy") for order in ("explicit", "implicit")]


def artificial_sets() -> str:
    """F1 on the sets of Table 2, the paper's in brackets; and what others reach on noisy data."""
    table = pd.read_csv(RESULTS / "table2" / "table2.csv")
    cells = table.set_index(["metric", "set", "data", "method"])
    header = [
        "set",
        "samples",
        "strong / weak / irrelevant",
        *(f"{data}, {order}" for data, order in _COLUMNS),
        "rightly classed (noisy, explicit)",
        "elastic net (noisy)",
        "Boruta (noisy)",
    ]
    rows = []
    for number, shape in PAPER_SETS.items():
        mean = cells["mean"].xs(number, level="set")
        paper = cells["paper"].xs(number, level="set")
        rows.append(
            [
                number,
                shape.n_samples,
                f"{shape.n_strong} / {shape.n_weak} / {shape.n_irrelevant}",
                *(_beside(mean["f1", *each], paper["f1", *each]) for each in _COLUMNS),
                pages.number(mean["rightly_classed", "noisy", "explicit"], 3),
                pages.number(mean["f1", "noisy", "surrogate"], 2),
                pages.number(mean["f1", "noisy", "boruta"], 2),
            ]
        )
    return pages.markdown(header, rows)


def privileged_sets() -> str:
    """F1 on the sets of Table 7, the paper's in brackets."""
    table = pd.read_csv(RESULTS / "table7" / "table7.csv")
    f1 = table[(table["metric"] == "f1") & (table["method"] == "explicit")]
    cells = f1.set_index(["set", "side"])
    rows = [
        [number, *(_beside(*cells.loc[(number, side), ["mean", "paper"]]) for side in _SIDES)]
        for number in PAPER_PRIVILEGED_SETS
    ]
    return pages.markdown(["set", *_SIDES], rows)


_SIDES = ("regular", "privileged")


def tolerance_rules() -> str:
    """F1 and classes of each rule for the tolerance, and how they differ from the library's."""
    rules = pd.read_csv(RESULTS / "tolerance" / "rules.csv", dtype={"rule": str})
    return tolerance_page.table(rules, "free", tolerance_page.IN_WORDS)


def _beside(mean: float, paper: float) -> str:
    return f"{pages.number(mean, 3)} ({pages.number(paper, 2)})"


if __name__ == "__main__":
    print(artificial_sets(), privileged_sets(), tolerance_rules(), sep="\n\n")  # noqa: T201 - what it is for
