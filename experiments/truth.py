"""Beyond the paper: are the answers true? Data whose truth is known, the library and others.

``truth_designs`` and ``truth_tables`` make the data, ``truth_cells`` lists them, ``truth_methods``
asks. What is measured in every cell: how often idle columns are called relevant, how often p-values
of columns without effect are small, the share of false discoveries, and how many of the needed and
of the weak columns are found. A full run has seeds that nobody looked at while rules were chosen;
a quick one has others, so that it can be looked at.

One design, from Python::

    from experiments.truth import cell, names
    names("suppressors")
    cell("suppressors single n 150 R2 0.6", range(20))
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pandas as pd

from experiments import pages, truth_page
from experiments.pieces import Piece, Row
from experiments.truth_cells import Design, all_designs
from experiments.truth_designs import Drawn
from experiments.truth_lines import LEVELS
from experiments.truth_methods import (
    EVERYWHERE,
    EVIDENCE,
    LEADS,
    RIVALS,
    Answer,
    installed_rivals,
)
from relbounds.metrics import selection_scores

NAME = "truth"
TITLE = "Are the answers true?"
NEEDS_DATA = True

FIRST_SEED, QUICK_FIRST_SEED, DRAWS_IN_A_PIECE = 11000, 0, 20
WITH_RIVALS = (
    "real tables diabetes R2 0.3",
    "real tables diabetes R2 0.6",
    "real tables wine R2 0.6",
    "real tables winequality-red R2 0.6",
    "idle groups 3 pairs beside 24 needed R2 0.7 rho 0.9",
    "idle groups 8 columns R2 0.7 rho 0.9",
    "independent n 200 R2 0.5",
    "neighbours rho 0.9 n 400 R2 0.6",
    "neighbours rho 0.9 n 200 R2 0.6 regression",
    "texts n 200 R2 0.5",
    "suppressors single n 150 R2 0.6",
    "paper's sets Set 4 noise 0.5",
)
QUICK = (
    "real tables diabetes R2 0.6",
    "real tables wine R2 0.3",
    "paper's sets Set 1 noise 1",
    "paper's sets Set 3 noise 0.5",
    "paper's sets Set 7 noise 0.5",
    "independent n 200 R2 0.5",
    "independent n 60 clean",
    "rare dummies n 300 R2 0.5",
    "rare dummies n 300 R2 0.5 classification",
    "idle groups 20 columns R2 0.7 rho 0.9",
    "idle groups 8 columns clean rho 0.9",
    "idle groups 8 columns clean rho 1",
    "idle groups 8 columns R2 0.7 rho 0.9 regression",
    "idle groups 3 pairs beside 12 needed R2 0.7 rho 0.95",
    "neighbours rho 0.5 n 60 R2 0.6",
    "neighbours rho 0.9 n 200 R2 0.6 regression",
    "neighbours rho 0.9 n 400 R2 0.6",
    "texts n 200 R2 0.5",
    "suppressors single n 150 R2 0.6",
    "suppressors two copies n 150 R2 0.6",
    "nothing matters n 60",
    "nothing matters n 200 rho 0.9",
)
QUICK_RIVALS = ("neighbours rho 0.9 n 400 R2 0.6", "suppressors single n 150 R2 0.6")
QUICK_DRAWS, AT_LEAST = 8, 5
"""Every method is asked on so many draws of a cell, where there are."""


def pieces(quick: bool) -> list[Piece]:
    """Rivals' first, which are the longest; of a method whose package is missing there is none."""
    return [*_pieces_of_rivals(quick), *_pieces_of_ours(quick)]


def _pieces_of_rivals(quick: bool) -> Iterable[Piece]:
    first = QUICK_FIRST_SEED if quick else FIRST_SEED
    for method in installed_rivals():
        draws = 1 if quick else RIVALS[method][2]
        for name in QUICK_RIVALS if quick else WITH_RIVALS:
            arguments = {"name": name, "method": method, "seeds": range(first, first + draws)}
            yield Piece(f"{method}: {name}", ask_rival, arguments)


def _pieces_of_ours(quick: bool) -> Iterable[Piece]:
    first = QUICK_FIRST_SEED if quick else FIRST_SEED
    for name in QUICK if quick else all_designs():
        draws = QUICK_DRAWS if quick else all_designs()[name].draws
        for start in range(0, draws, DRAWS_IN_A_PIECE):
            seeds = range(first + start, first + min(start + DRAWS_IN_A_PIECE, draws))
            asked = {
                method: range(first, first + max(round(share * draws), AT_LEAST))
                for method, (_, share) in EVERYWHERE.items()
            }
            arguments = {"name": name, "seeds": seeds, "asked": asked}
            yield Piece(f"{name} from {seeds.start}", ask_everywhere, arguments)


def ask_everywhere(name: str, seeds: range, asked: dict[str, range]) -> list[Row]:
    """The library and least squares on some draws of a design; each has seeds of its own."""
    found: dict[str, list[Row]] = {method: [] for method in asked}
    for seed in seeds:
        methods = [method for method, own in asked.items() if seed in own]
        for method, measured in _ask(all_designs()[name], seed, methods).items():
            found[method].append(measured)
    return [_summed(name, method, measured) for method, measured in found.items() if measured]


def ask_rival(name: str, method: str, seeds: range) -> list[Row]:
    """One of the others; a row that says so where it has no answer."""
    design = all_designs()[name]
    answers = [_ask(design, seed, [method]).get(method) for seed in seeds]
    measured = [each for each in answers if each is not None]
    if measured:
        return [_summed(name, method, measured)]
    return [{**_labels(design), "method": method, "draws": 0}]


def cell(
    design: str | Design, seeds: Iterable[int], methods: Sequence[str] = tuple(EVERYWHERE)
) -> pd.DataFrame:
    """Means over draws of one design, a line for each method; see ``names`` for designs."""
    made = all_designs()[design] if isinstance(design, str) else design
    lines = [
        {"method": method, **measured}
        for seed in seeds
        for method, measured in _ask(made, seed, methods).items()
    ]
    return pd.DataFrame(lines).groupby("method", sort=False).mean()


def names(part: str = "") -> list[str]:
    """The designs whose names contain this."""
    return [name for name in all_designs() if part in name]


def _ask(design: Design, seed: int, methods: Sequence[str]) -> dict[str, Row]:
    """What is measured of every method on one draw."""
    drawn = design.draw(seed)
    found = {}
    for method in methods:
        ask, *_ = (EVERYWHERE | RIVALS)[method]
        start = process_time()
        answer = ask(drawn, design.task, seed)
        if answer is not None:
            found[method] = {**measure(drawn, answer), "seconds": process_time() - start}
    for name, pairs in LEADS.items():
        for method, other in pairs.items():
            if method in found and other in found:
                lead = found[method]["needed_found"] - found[other]["needed_found"]
                found[method][name] = lead
    return found


def measure(drawn: Drawn, answer: Answer) -> Row:
    """Shares of one draw; no number where there is no such column or the method does not say."""
    return {
        **_of_use(drawn, answer.relevant),
        **_of_need(drawn, answer.needed),
        **_of_chance(drawn, answer.p),
    }


def _of_use(drawn: Drawn, relevant: np.ndarray | None) -> Row:
    if relevant is None:
        keys = ("idle_relevant", "weak_relevant", "needed_relevant", "false_use", "f1")
        return dict.fromkeys(keys, np.nan)
    return {
        "idle_relevant": _share(relevant, drawn.idle),
        "weak_relevant": _share(relevant, drawn.weak),
        "needed_relevant": _share(relevant, drawn.needed),
        "false_use": (relevant & drawn.idle).sum() / max(1, relevant.sum()),
        "f1": selection_scores(drawn.truth, relevant).f1,
    }


def _of_need(drawn: Drawn, needed: np.ndarray | None) -> Row:
    """Weak columns that may add something are neither right nor wrong."""
    if needed is None:
        return dict.fromkeys(("needed_found", "weak_needed", "idle_needed", "false_needed"), np.nan)
    false = (needed & drawn.adds_nothing).sum()
    return {
        "needed_found": _share(needed, drawn.needed),
        "weak_needed": _share(needed, drawn.weak),
        "idle_needed": _share(needed, drawn.idle),
        "false_needed": false / max(1, false + (needed & drawn.needed).sum()),
    }


def _of_chance(drawn: Drawn, p: dict[str, np.ndarray]) -> Row:
    """Shares of small p-values where there is no effect; what is no number is no evidence."""
    nulls = (drawn.tells_nothing_alone, drawn.idle, drawn.adds_nothing)
    return {
        f"{name} {level:g}": _share(p[name] <= level, null) if name in p else np.nan
        for name, null in zip(EVIDENCE, nulls, strict=True)
        for level in LEVELS
    }


def _share(marked: np.ndarray, among: np.ndarray) -> float:
    return float(marked[among].mean()) if among.any() else np.nan


def _labels(design: Design) -> Row:
    return {
        "design": design.name,
        "family": design.family,
        "line": design.line,
        "column": design.column,
        "task": design.task,
    }


def _summed(name: str, method: str, measured: list[Row]) -> Row:
    """The mean of every measure over draws and that of its square, from which its error comes."""
    table = pd.DataFrame(measured).astype(float)
    squares = (table**2).mean().add_prefix("square of ")
    numbers: dict[str, Any] = pd.concat([table.mean(), squares]).dropna().round(7).to_dict()
    return {**_labels(all_designs()[name]), "method": method, "draws": len(table), **numbers}


def write(rows: pd.DataFrame, out: Path, quick: bool) -> None:
    first = QUICK_FIRST_SEED if quick else FIRST_SEED
    cells = truth_page.cells(rows)
    pages.write_csv(cells, out / "cells.csv")
    truth_page.draw_chance(cells, out / "chance.png")
    truth_page.draw_power(cells, out / "power.png")
    pages.write_page(
        out / "truth.md",
        TITLE,
        truth_page.parts(cells),
        rows,
        seeds=f"{first} to {first + int(cells['draws'].max()) - 1}, the same for all",
        packages=("boruta", "hidimstat", "statsmodels"),
    )
