"""Which lines should the answers keep, and are they kept? Means over draws, and what breaks a line.

A line is judged by the figures as they are; beside it stands in how many cells it is broken by more
than two standard errors, which chance in the draws hardly does.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from experiments import pages
from experiments.truth_cells import PAPER, REAL
from experiments.truth_methods import DEFAULT, EVIDENCE, FDR, HOME, RIVALS

LABELS = ["design", "family", "line", "column", "task"]
LEVELS = (0.05, 0.01, 0.001)
MOST_BELOW = dict(zip(LEVELS, (0.07, 0.02, 0.004), strict=True))
MOST_IDLE, MOST_IDLE_IN_A_CELL = 0.005, 0.02
MOST_FALSE = 0.1
LEAST_F1, LEAST_F1_IN_A_CELL, LEAST_F1_AT_1 = 0.997, 0.99, 0.95
LEAST_REDUNDANT, WHERE_REDUNDANT = 0.9, "real tables diabetes R2 0.6"
IN_WORDS = dict(zip(EVIDENCE, ("alone", "in good models", "beside all others"), strict=True))
_SQUARE = "square of "


@dataclass(frozen=True)
class Line:
    """What is asked, what was found, and whether that is enough; ``None`` if not measured."""

    what: str
    asked: str
    found: str
    is_kept: bool | None


def cells(rows: pd.DataFrame) -> pd.DataFrame:
    """One line for each design and method: draws, the mean of each measure and its error."""
    measures = [name.removeprefix(_SQUARE) for name in rows if name.startswith(_SQUARE)]
    lines = [
        {
            **dict(zip([*LABELS, "method"], labels, strict=True)),
            "draws": int(each["draws"].sum()),
            **_means(each, measures),
        }
        for labels, each in rows.groupby([*LABELS, "method"], sort=False, dropna=False)
        if each["draws"].sum() > 0
    ]
    table = pd.DataFrame(lines)
    table["column"] = table["column"].fillna("")
    return table


def _means(rows: pd.DataFrame, measures: list[str]) -> dict[str, float]:
    """Pieces of the same cell taken together."""
    found = {}
    for name in measures:
        known = rows[rows[name].notna()]
        draws = known["draws"].sum()
        mean, square = (
            (known[each] * known["draws"]).sum() / draws if draws else np.nan
            for each in (name, _SQUARE + name)
        )
        spread = max(0.0, square - mean**2)
        found[name] = mean
        found[f"{name} error"] = np.sqrt(spread / (draws - 1)) if draws > 1 else np.nan
    return found


def measured(table: pd.DataFrame, method: str, name: str) -> pd.DataFrame:
    """The cells in which this is known of a method."""
    if name not in table:
        return table[:0].assign(**{name: [], f"{name} error": []})
    return table[(table["method"] == method) & table[name].notna()]


def all_lines(table: pd.DataFrame) -> list[Line]:
    return [
        *_idle(table),
        *(_chance(table, kind, level) for kind in EVIDENCE for level in LEVELS),
        _false(table, "false_use", "of any use"),
        _false(table, "false_needed", "needed"),
        _power(table, "lead", "what least squares finds"),
        _power(table, "lead by rule", "what least squares finds by the same rule"),
        *(_against(table, rival) for rival in RIVALS),
        *_f1(table),
        _redundant(table),
    ]


def _idle(table: pd.DataFrame) -> list[Line]:
    name = "idle_relevant"
    found = measured(table, DEFAULT, name)
    over_all, in_a_cell = f"at most {MOST_IDLE:.1%}", f"at most {MOST_IDLE_IN_A_CELL:.0%}"
    what = "Idle columns called relevant"
    if found.empty:
        return [_unknown(f"{what}, mean of cells", over_all)]
    mean = found[name].mean()
    told = f"{mean:.2%} ({len(found)} cells)"
    return [
        Line(f"{what}, mean of cells", over_all, told, bool(mean <= MOST_IDLE)),
        Line(f"{what}, in every cell", in_a_cell, *_judged(found, name, MOST_IDLE_IN_A_CELL)),
    ]


def _chance(table: pd.DataFrame, kind: str, level: float) -> Line:
    name, most = f"{kind} {level:g}", MOST_BELOW[level]
    what, asked = f"No effect, {IN_WORDS[kind]}: p at most {level:g}", f"at most {most:g}"
    found = measured(table, DEFAULT, name)
    if found.empty:
        return _unknown(what, asked)
    told, is_kept = _judged(found, name, most)
    textbook = measured(table, HOME[DEFAULT], name)
    if len(textbook):
        beside = f"{int((textbook[name] > most).sum())} of {len(textbook)} above"
        told = f"{told} (textbook tests: {beside}, {len(beyond(textbook, name, most))} clearly)"
    return Line(what, asked, told, is_kept)


def _false(table: pd.DataFrame, name: str, claim: str) -> Line:
    """Two standard errors are allowed."""
    what = f"False discoveries, '{claim}', level {MOST_FALSE:g}"
    asked = f"at most {MOST_FALSE:g} and two standard errors"
    found = measured(table, FDR, name)
    if found.empty:
        return _unknown(what, asked)
    above = beyond(found, name, MOST_FALSE)
    worst = _named(found.loc[found[name].idxmax()], name)
    told = f"{len(above)} of {len(found)} cells above; most: {worst}"
    return Line(what, asked, told, above.empty)


def _power(table: pd.DataFrame, name: str, other: str) -> Line:
    what = f"Needed columns of real tables found, minus {other}"
    found = measured(table, DEFAULT, name)
    found = found[found["family"] == REAL]
    if found.empty:
        return _unknown(what, "at least 0")
    losses = found.assign(**{"loss": -found[name], "loss error": found[f"{name} error"]})
    told, is_kept = _judged(losses, "loss", 0)
    return Line(what, "at least 0", f"mean {found[name].mean():+.3f}; losses: {told}", is_kept)


def _against(table: pd.DataFrame, rival: str) -> Line:
    """On the cells where it was asked; who selects more also has more that are false."""
    what, asked = f"Needed columns found, beside {rival}", "more"
    own, other = (measured(table, each, "needed_found") for each in (DEFAULT, rival))
    own, other = (
        each[each["design"].isin(same["design"])] for each, same in ((own, other), (other, own))
    )
    if own.empty:
        return _unknown(what, asked)
    means = [each[["needed_found", "false_needed"]].mean() for each in (own, other)]
    told = [f"{mean['needed_found']:.2f} (false {mean['false_needed']:.2f})" for mean in means]
    is_more = means[0]["needed_found"] > means[1]["needed_found"]
    return Line(what, asked, f"ours {told[0]}, {told[1]} on {len(own)} cells", bool(is_more))


def _f1(table: pd.DataFrame) -> list[Line]:
    found = measured(table, DEFAULT, "f1")
    found = found[found["family"] == PAPER]
    noisy, noisier = (found[found["column"] == f"noise {each}"] for each in ("0.5", "1"))
    mean, least = f"at least {LEAST_F1}", f"at least {LEAST_F1_IN_A_CELL}"
    return [
        _least("F1 of 'relevant', paper's sets, noise 0.5, mean", mean, noisy, LEAST_F1),
        _lowest("F1 of 'relevant', paper's sets, noise 0.5, each", least, noisy),
        _least(
            "F1 of 'relevant', paper's sets, noise 1, mean",
            f"at least {LEAST_F1_AT_1}",
            noisier,
            LEAST_F1_AT_1,
        ),
    ]


def _least(what: str, asked: str, found: pd.DataFrame, least: float) -> Line:
    if found.empty:
        return _unknown(what, asked)
    small = found[~found["line"].isin(["Set 8", "Set 9"])]
    told = f"{found['f1'].mean():.4f} (Sets 1 to 7: {small['f1'].mean():.4f})"
    return Line(what, asked, told, bool(found["f1"].mean() >= least))


def _lowest(what: str, asked: str, found: pd.DataFrame) -> Line:
    if found.empty:
        return _unknown(what, asked)
    lowest = found.loc[found["f1"].idxmin()]
    told = f"lowest {lowest['line']}, {lowest['f1']:.4f}"
    return Line(what, asked, told, bool(lowest["f1"] >= LEAST_F1_IN_A_CELL))


def _redundant(table: pd.DataFrame) -> Line:
    what = "Redundant columns of diabetes called relevant, R2 0.6"
    asked = f"at least {LEAST_REDUNDANT}"
    found = measured(table, DEFAULT, "weak_relevant")
    found = found[found["design"] == WHERE_REDUNDANT]
    if found.empty:
        return _unknown(what, asked)
    share = found["weak_relevant"].iloc[0]
    return Line(what, asked, pages.number(share, 3), bool(share >= LEAST_REDUNDANT))


def _unknown(what: str, asked: str) -> Line:
    return Line(what, asked, "not measured", None)


def beyond(found: pd.DataFrame, name: str, most: float) -> pd.DataFrame:
    """Cells above a line by more than two standard errors."""
    return found[found[name] > most + 2 * found[f"{name} error"].fillna(0)]


def _judged(found: pd.DataFrame, name: str, most: float) -> tuple[str, bool]:
    """How many cells are above the line, clearly or not, and the worst; whether none is."""
    above = int((found[name] > most + 1e-9).sum())
    worst = found.loc[found[name].idxmax()]
    if not above:
        return f"none of {len(found)} cells above; most {worst[name]:.4f}", True
    clearly = len(beyond(found, name, most))
    told = f"{above} of {len(found)} cells above, {clearly} clearly; most: {_named(worst, name)}"
    return told, False


def _named(cell: pd.Series, name: str) -> str:
    error = pages.number(cell[f"{name} error"], 3)
    return f"{cell['design']}, {cell[name]:.3f} ± {error}"


def breaks(table: pd.DataFrame) -> pd.DataFrame:
    """Every cell in which a line is broken by more than two standard errors."""
    limits = [
        (DEFAULT, "idle_relevant", MOST_IDLE_IN_A_CELL, "idle called relevant"),
        *(
            (DEFAULT, f"{kind} {level:g}", most, f"no effect, {IN_WORDS[kind]}: p <= {level:g}")
            for kind in EVIDENCE
            for level, most in MOST_BELOW.items()
        ),
        (FDR, "false_use", MOST_FALSE, "false discoveries, of any use"),
        (FDR, "false_needed", MOST_FALSE, "false discoveries, needed"),
    ]
    found = [
        {
            "design": cell["design"],
            "what": what,
            "share": cell[name],
            "error": cell[f"{name} error"],
            "line": most,
        }
        for method, name, most, what in limits
        for _, cell in beyond(measured(table, method, name), name, most).iterrows()
    ]
    return pd.DataFrame(found, columns=["design", "what", "share", "error", "line"])
