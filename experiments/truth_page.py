"""How is the truth benchmark shown? The lines and whether they are kept, tables and pictures."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiments import pages, truth_lines
from experiments.truth_cells import FAMILIES, GROUPS, PAPER, REAL
from experiments.truth_lines import IN_WORDS, LEVELS, MOST_BELOW, measured
from experiments.truth_methods import (
    DEFAULT,
    EVIDENCE,
    FDR,
    HALF_SAMPLES,
    HOME,
    OFTEN_ENOUGH,
    RIVALS,
    RULE,
    SAME_RULE,
)

cells = truth_lines.cells

_ABOUT = (
    "Tables are made so that it is known which columns the outcome needs, which are weak (they "
    "only depend on needed ones, or are copies), which idle. `default` is the library as it is, "
    '`fdr 0.1` has `selection="fdr"` at level 0.1, `paper\'s rule` has `selection="probe"`: single '
    "permuted columns and one line for all features; there, strong counts as needed. `least "
    "squares` are the t-tests of a linear regression with Benjamini-Hochberg at 0.05 or 0.1, which "
    "is at home here: outcomes are linear with normal noise. Each cell is one way to make data. "
    "Errors are standard errors over its draws, of which the paper's rule sees the first ones only."
)
_ABOUT_LINES = (
    "A cell breaks a line clearly if it does by more than two standard errors; of a hundred cells "
    "that are just on the line, chance lets two or three do so. Idle columns of a group have "
    "nearly the same p-value, so that even a textbook's test has cells above the line: beside ours "
    "stand rank correlations (alone) and the t-tests of least squares (beside all others) on the "
    "same draws. Those t-tests also suffer from classes, which are not linear in the columns: on "
    "real tables with a high R2 they find effects that are none."
)
_ABOUT_FAMILIES = (
    "Means over the cells of a family, the worst cell in brackets. False discoveries are those at "
    "level 0.1; power is the share of needed columns that are called needed, at level 0.05."
)
_ABOUT_CHANCE = (
    "Shares of p-values at most 0.05 / 0.01 / 0.001 among columns without effect: alone and in "
    "good models the idle ones (alone also suppressors), beside all others also weak ones where "
    "they add nothing. Means over cells, and in brackets the worst cell of each."
)
_ABOUT_GROUPS = "Idle columns called relevant: default / paper's rule."
_ABOUT_REAL = (
    "Six columns with their rows shuffled together stand beside each table, and are idle. Needed "
    "columns found by default / least squares, both at level 0.05 / least squares by our rule; in "
    "brackets the share of false ones among those found. By our rule what is needed also has to be "
    "relevant, with a p-value of some kind of at most 0.001, which lets fewer idle columns pass."
)
_ABOUT_WEAK = (
    "Columns of the same tables that add nothing, called relevant: default / paper's rule."
)
_ABOUT_PAPER = "F1 of 'relevant': default / paper's rule."
_ABOUT_RIVALS = (
    "Shares that each selects of the needed, weak and idle columns, and the share of false ones "
    "among what it selects (weak ones that add nothing count as false, which is unjust to Boruta: "
    "it looks for all that is of use); means over the cells that it was asked on, and ours "
    "on the same cells. Of ours, 'needed' counts. Ours has all draws of a cell, the others "
    f"its first ones. Stability selection keeps what the lasso selects in {OFTEN_ENOUGH:.0%} of "
    f"{HALF_SAMPLES} half-samples: among the first columns of its path, at most one false one "
    "expected, or with a penalty from cross-validation, which bounds nothing. "
    "Knockoffs at level 0.1 select at least ten columns or none, and few tables have so many "
    "needed ones. The ordered model has no answer where columns are copies."
)
_COLOURS = ("#0072B2", "#E69F00", "#009E73")
Cells = pd.DataFrame


def parts(table: Cells) -> list[str]:
    """The paragraphs and tables of the page."""
    return [
        _ABOUT,
        "## The lines",
        _lines(table),
        _ABOUT_LINES,
        "![Shares of small p-values](chance.png)",
        "![Needed columns found, and idle ones called relevant](power.png)",
        "## By family",
        _ABOUT_FAMILIES,
        _families(table),
        "## P-values of columns without effect",
        _ABOUT_CHANCE,
        _chance(table),
        "## Idle groups",
        _ABOUT_GROUPS,
        _grid(table, GROUPS, "idle_relevant", (DEFAULT, RULE), 3),
        "## Real tables",
        _ABOUT_REAL,
        _power(table),
        _ABOUT_WEAK,
        _grid(table, REAL, "weak_relevant", (DEFAULT, RULE), 2),
        "## The paper's sets",
        _ABOUT_PAPER,
        _grid(table, PAPER, "f1", (DEFAULT, RULE), 3),
        "## Others",
        _ABOUT_RIVALS,
        *_rivals(table),
        "## Lines that are clearly broken",
        _breaks(table),
    ]


def _lines(table: Cells) -> str:
    verdicts = {True: "yes", False: "**no**", None: "-"}
    rows = [
        [each.what, each.asked, each.found, verdicts[each.is_kept]]
        for each in truth_lines.all_lines(table)
    ]
    return pages.markdown(["what", "asked", "found", "kept"], rows)


def _breaks(table: Cells) -> str:
    found = truth_lines.breaks(table)
    return pages.markdown_of(found, 3) if len(found) else "None."


def _with_worst(found: Cells, name: str, digits: int = 3) -> str:
    """The mean over cells and the largest."""
    if found.empty:
        return "-"
    mean, worst = found[name].mean(), found[name].max()
    return f"{pages.number(mean, digits)} ({pages.number(worst, digits)})"


def _there(table: Cells) -> list[str]:
    return [family for family in FAMILIES if family in set(table["family"])]


_OF_FAMILIES = {
    "idle called relevant": (DEFAULT, "idle_relevant"),
    "the same, paper's rule": (RULE, "idle_relevant"),
    "false, of any use": (FDR, "false_use"),
    "false, needed": (FDR, "false_needed"),
}
_FOUND = {
    "power": (DEFAULT, "needed_found"),
    "least squares": (HOME[DEFAULT], "needed_found"),
    "weak called relevant": (DEFAULT, "weak_relevant"),
    "the same, paper's rule ": (RULE, "weak_relevant"),
}


def _families(table: Cells) -> str:
    rows = []
    for family in _there(table):
        own = table[table["family"] == family]
        wrong = [_with_worst(measured(own, *each), each[1]) for each in _OF_FAMILIES.values()]
        right = [pages.number(measured(own, *each)[each[1]].mean(), 2) for each in _FOUND.values()]
        rows.append([family, own["design"].nunique(), *wrong, *right])
    return pages.markdown(["family", "cells", *_OF_FAMILIES, *_FOUND], rows)


def _chance(table: Cells) -> str:
    rows = [
        [family, *(_of_kind(table[table["family"] == family], kind) for kind in EVIDENCE)]
        for family in _there(table)
    ]
    return pages.markdown(["family", *IN_WORDS.values()], rows)


def _of_kind(own: Cells, kind: str) -> str:
    found = [measured(own, DEFAULT, f"{kind} {level:g}")[f"{kind} {level:g}"] for level in LEVELS]
    if found[0].empty:
        return "-"
    means, worst = (
        " / ".join(pages.number(number, 3) for number in numbers)
        for numbers in ([each.mean() for each in found], [each.max() for each in found])
    )
    return f"{means} ({worst})"


def _grid(table: Cells, family: str, name: str, methods: tuple[str, ...], digits: int) -> str:
    """The cells of a family: a measure of several methods in each."""
    return _arranged(
        table[table["family"] == family],
        lambda own: " / ".join(_number(own, method, name, digits) for method in methods),
    )


def _number(own: Cells, method: str, name: str, digits: int = 2) -> str:
    return pages.number(measured(own, method, name)[name].mean(), digits)


def _power(table: Cells) -> str:
    def shown(own: Cells) -> str:
        return " / ".join(
            f"{_number(own, method, 'needed_found')} ({_number(own, method, 'false_needed')})"
            for method in (DEFAULT, HOME[DEFAULT], SAME_RULE)
        )

    return _arranged(table[table["family"] == REAL], shown)


def _arranged(own: Cells, shown: Callable[[Cells], str]) -> str:
    """A line and a column for each of the designs'; tasks other than the usual have own lines."""
    other = own["task"].where(own["task"] != "ordinal", "")
    places = (own["line"] + ", " + other).str.removesuffix(", ")
    columns = sorted(own["column"].unique(), key=_by_number)
    rows = []
    for place in places.unique():
        of_line = own[places == place]
        found = [of_line[of_line["column"] == column] for column in columns]
        rows.append([place, *("" if each.empty else shown(each) for each in found)])
    return pages.markdown(["", *columns], rows)


def _by_number(label: str) -> tuple[str, float]:
    word, _, number = label.partition(" ")
    return (word, float(number)) if number else (word, np.inf)


def _rivals(table: Cells) -> list[str]:
    rows = []
    for rival in (*RIVALS, RULE, HOME[DEFAULT], SAME_RULE):
        asked = measured(table, rival, "needed_found")["design"]
        same = table[table["design"].isin(asked)]
        for method in (rival, DEFAULT) if len(asked) else ():
            named = method if method == rival else "ours, same cells"
            rows.append([named, len(asked), *(_number(same, method, name) for name in _SELECTED)])
    header = ["method", "cells", "needed", "weak", "idle", "false"]
    missing = [method for method in RIVALS if method not in set(table["method"])]
    told = [f"Left out, since its package is not installed: {each}." for each in missing]
    return [pages.markdown(header, rows), *told]


_SELECTED = ("needed_found", "weak_needed", "idle_needed", "false_needed")


def draw_chance(table: Cells, path: Path) -> None:
    """Shares of small p-values in every cell; the lines that they should keep are dashed."""
    figure = Figure(figsize=(10, 3.8), layout="constrained")
    panels = figure.subplots(1, len(EVIDENCE), sharex=True, sharey=True)
    for panel, kind in zip(panels, EVIDENCE, strict=True):
        for level, colour in zip(LEVELS, _COLOURS, strict=True):
            name = f"{kind} {level:g}"
            found = measured(table, DEFAULT, name)
            _strip(panel, found, name, colour, f"p at most {level:g}")
            panel.axvline(MOST_BELOW[level], color=colour, ls="--", lw=1)
        panel.set(title=IN_WORDS[kind], xlabel="share of columns without effect")
        panel.set_xscale("symlog", linthresh=0.001)
        panel.set_xlim(-0.0003, 1)
        _name_families(panel)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    _save(figure, path)


def _strip(panel: Axes, found: Cells, name: str, colour: str, label: str) -> None:
    """A point for each cell, in the row of its family, beside one another."""
    beside = found.groupby("family").cumcount() / found.groupby("family")["family"].transform(
        "size"
    )
    rows = found["family"].map(FAMILIES.index).astype(float) + 0.7 * (beside - 0.4)
    panel.plot(found[name], rows, "o", color=colour, ms=3, alpha=0.7, label=label)


def _name_families(panel: Axes) -> None:
    panel.set_yticks(range(len(FAMILIES)), FAMILIES)
    panel.set_ylim(len(FAMILIES) - 0.4, -0.6)
    panel.grid(axis="x", alpha=0.3)


def draw_power(table: Cells, path: Path) -> None:
    """Power beside that of least squares, and idle columns called relevant beside the old rule."""
    figure = Figure(figsize=(10, 4), layout="constrained")
    left, right = figure.subplots(1, 2)
    for (method, other), colour in zip(HOME.items(), _COLOURS[:2], strict=True):
        both = measured(table, method, "needed_found").merge(
            measured(table, other, "needed_found"), on="design", suffixes=("", " there")
        )
        x, y = both["needed_found there"], both["needed_found"]
        left.plot(x, y, "o", color=colour, ms=4, alpha=0.7, label=f"{method}, {other}")
    left.plot([0, 1], [0, 1], color="grey", lw=1)
    left.set(title="needed columns found", xlabel="least squares", ylabel="ours")
    left.legend(fontsize="x-small")
    for method, colour in zip((RULE, DEFAULT), _COLOURS[1::-1], strict=True):
        found = measured(table, method, "idle_relevant")
        _strip(right, found, "idle_relevant", colour, method)
    right.set(title="idle columns called relevant", xlabel="share", xlim=(-0.02, 1.02))
    right.legend(loc="lower right", fontsize="x-small")
    _name_families(right)
    _save(figure, path)


def _save(figure: Figure, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)
