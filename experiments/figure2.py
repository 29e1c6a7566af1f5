"""Figure 2: does the model see how useful each of a teacher's notes is?

The paper's semantic example: three strong features, measured with noise of 0.1, 0.5 and 2 in a
quarter of the samples each, and three idle ones. The privileged features are that noise. Ten draws
instead of one, with the paper's slack and with mixed slack, by the library's rule and by the
paper's; and what becomes of the smallest privileged feature with other probes and beside an idle
privileged column.
"""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiments import pages, printed
from experiments.papers_rule import EVIDENCE, PAPERS, RULES, SELECTION, by_papers_rule
from experiments.pieces import Piece, Row
from relbounds import OrdinalRelevance, Relevance
from relbounds.datasets import make_semantic
from relbounds.exceptions import DegenerateModelWarning, TooFewProbesError

NAME = "figure2"
TITLE = "Figure 2: a teacher who knows which samples are hard"
NEEDS_DATA = False

RUNS, QUICK_RUNS = 10, 3
PAPER, MIXED, REPLACED, IDLE = "privileged slack", "mixed slack", "replaced probes", "idle note"
SETTINGS: dict[str, dict[str, Any]] = {
    PAPER: {},
    MIXED: {"slack": "mixed"},
    REPLACED: {"probes": "replace", **SELECTION},
    IDLE: {},
}
FEATURES = {
    "regular": ("noise 0.1", "noise 0.5", "noise 2", "idle 1", "idle 2", "idle 3"),
    "privileged": ("note 0.1", "note 0.5", "note 2", "idle note"),
}
_COLOURS = {Relevance.STRONG: "#0072B2", Relevance.WEAK: "#E69F00", Relevance.IRRELEVANT: "#BBBBBB"}


def pieces(quick: bool) -> list[Piece]:
    return [
        Piece(f"{setting} seed {seed}", analyse, {"setting": setting, "seed": seed})
        for setting in SETTINGS
        for seed in range(QUICK_RUNS if quick else RUNS)
    ]


def analyse(setting: str, seed: int) -> list[Row]:
    """A row for each feature of both sides, or one that says why there is no threshold."""
    rng = np.random.RandomState(seed)
    data = make_semantic(random_state=rng)
    notes = data.X_priv
    if setting == IDLE:
        notes = np.hstack([notes, rng.standard_normal((len(notes), 1))])
    model = OrdinalRelevance(random_state=seed, **SETTINGS[setting])
    labels = {"setting": setting, "seed": seed}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DegenerateModelWarning)  # the rows tell
            model.fit(data.X, data.y, X_priv=notes)
            ruled = by_papers_rule(model, data.X, data.y, X_priv=notes)
    except TooFewProbesError as error:
        return [{**labels, "collapsed": False, "told": str(error).split(",")[0]}]
    return [
        {**labels, "collapsed": model.result_.is_degenerate, "side": side, **row}
        for side in FEATURES
        for row in _features(side, _side(model, side), _side(ruled, side))
    ]


def _side(model: OrdinalRelevance, side: str) -> Any:
    return model.result_.regular if side == "regular" else model.result_.privileged


def _features(side: str, found: Any, ruled: Any) -> list[Row]:
    """What is found of each feature, and its class by the paper's rule."""
    limits = ruled.thresholds
    return [
        {
            "feature": name,
            "minrel": found.intervals[k, 0],
            "maxrel": found.intervals[k, 1],
            "chance": found.chance[k],
            "p_alone": found.p_alone[k],
            "p_in_models": found.p_in_models[k],
            "p_needed": found.p_needed[k],
            "relevance": int(found.relevance[k]),
            "needed": bool(found.needed[k]),
            "in_every_model": bool(found.in_every_model[k]),
            "threshold": limits.maxrel if limits else np.nan,
            "relevance_by_paper": int(ruled.relevance[k]),
        }
        for k, name in enumerate(FEATURES[side][: len(found.feature_names)])
    ]


def write(rows: pd.DataFrame, out: Path, quick: bool) -> None:
    features, facts = _mean_features(rows), _facts(rows)
    pages.write_csv(features, out / "features.csv")
    pages.write_csv(facts, out / "facts.csv")
    picture(rows).savefig(out / "figure2.png", dpi=150)
    parts = [
        _introduction(rows),
        "![Relevance of regular and privileged features](figure2.png)",
        f"## What the paper says of it\n\n{_statements(facts)}",
        f"## Means over the runs that learned\n\n{pages.markdown_of(features, 3)}",
        f"## The note of the smallest noise\n\n{_smallest(rows)}",
    ]
    seeds = f"0 to {rows['seed'].max()}"
    pages.write_page(out / "figure2.md", TITLE, parts, rows, seeds=seeds, packages=("matplotlib",))


def _learned(rows: pd.DataFrame, setting: str) -> pd.DataFrame:
    chosen = rows[(rows["setting"] == setting) & rows["feature"].notna()]
    return chosen[~chosen["collapsed"].astype(bool)]


def _mean_features(rows: pd.DataFrame) -> pd.DataFrame:
    """Mean interval of each feature, and in how many runs it is what."""
    learned = pd.concat([_learned(rows, PAPER), _learned(rows, MIXED)])
    groups = learned.groupby(["setting", "side", "feature"], sort=False)
    table = groups[["minrel", "maxrel", "chance", "p_needed"]].mean()
    for each in reversed(Relevance):
        table[each.name.lower()] = groups["relevance"].agg(
            lambda found, each=each: sum(found == each)
        )
    for name in ("needed", "in_every_model"):
        table[name] = groups[name].agg(lambda found: int(found.astype(bool).sum()))
    table[f"relevant, {PAPERS}"] = groups["relevance_by_paper"].agg(lambda found: sum(found > 0))
    return table.reset_index()


OURS = {
    "two privileged": "The privileged features of noise 0.5 and 2 are found.",
    "in every": "Every good model needs the privileged feature of noise 0.1.",
    "proved": "All three privileged features are proved to add to the others.",
    "not proved": "No idle regular feature is proved to add to the others.",
}
"""What we add to the paper's statements."""
CLASSES = {EVIDENCE: "relevance", PAPERS: "relevance_by_paper"}


def _facts(rows: pd.DataFrame) -> pd.DataFrame:
    """In how many runs each statement holds, with either slack and by either rule."""
    lines = []
    for key, text in (printed.SEMANTIC_FACTS | OURS).items():
        line = {"statement": text, "whose": "ours" if key in OURS else "the paper's"}
        for setting in (PAPER, MIXED):
            for rule in RULES:
                runs = [_holds(run, rule) for _, run in _learned(rows, setting).groupby("seed")]
                line[f"{setting}, {rule}"] = f"{sum(run[key] for run in runs)} of {len(runs)}"
        lines.append(line)
    return pd.DataFrame(lines)


def _holds(run: pd.DataFrame, rule: str = EVIDENCE) -> dict[str, bool]:
    """Which statements one run bears out; what is proved does not depend on the rule."""
    regular, privileged = (run[run["side"] == side] for side in FEATURES)
    found, notes = (side[CLASSES[rule]].to_numpy() for side in (regular, privileged))
    return {
        "irrelevant": not found[3:].any(),
        "strong": bool(np.all(found[:3] == Relevance.STRONG)),
        "privileged": bool(notes.all()),
        "ascending": bool(np.all(np.diff(privileged["maxrel"]) > 0)),
        "two privileged": bool(notes[1:].all()),
        "in every": bool(privileged["in_every_model"].iloc[0]),
        "proved": bool(privileged["needed"].astype(bool).all()),
        "not proved": not regular["needed"].iloc[3:].astype(bool).any(),
    }


def _introduction(rows: pd.DataFrame) -> str:
    runs = rows[rows["setting"] == PAPER].groupby("seed")["collapsed"].first().astype(bool)
    return (
        "400 samples, five classes, explicit order, all settings at their defaults. The privileged "
        "features are what was added to the strong ones: noise of standard deviation 0.1, 0.5 and "
        f"2, in 100 samples each. In {runs.sum()} of {len(runs)} draws nothing is learned with "
        "the paper's slack, since a slack that is only read has to cover every sample; the library "
        "warns of it. The picture shows the first draw that learned as bars, classed by the "
        "library's rule, and how far the others' bars reach as ticks; dashes are what permuted "
        "columns reach."
    )


def _statements(facts: pd.DataFrame) -> str:
    told = [f"by the library's rule: {_failing(facts, EVIDENCE)}"]
    told.append(f"by the paper's: {_failing(facts, PAPERS)}")
    return (
        f"{pages.markdown_of(facts)}\n\n"
        "Counted are runs that learned. Statements of the paper's that do not hold in all of them "
        f"with its slack, {'; '.join(told)}"
    )


def _failing(facts: pd.DataFrame, rule: str) -> str:
    runs = facts[f"{PAPER}, {rule}"].str.split(" of ", expand=True)
    failing = facts[(facts["whose"] == "the paper's") & (runs[0] != runs[1])]
    return " ".join(f'*"{text}"*' for text in failing["statement"]) or "none"


def _smallest(rows: pd.DataFrame) -> str:
    learned = _learned(rows, PAPER)
    smallest = learned[learned["feature"] == "note 0.1"]
    runs = len(smallest)
    replaced = rows[(rows["setting"] == REPLACED) & rows["told"].notna()] if "told" in rows else []
    return (
        f"- Its interval is [{smallest['minrel'].mean():.3f}, {smallest['maxrel'].mean():.3f}] in "
        f"the mean; a permuted feature's maxrel may reach {smallest['threshold'].mean():.3f}. The "
        "paper's rule looks at maxrel alone: relevant in "
        f"{(smallest['relevance_by_paper'] > 0).sum()} of {runs} runs. But every good model uses "
        f"it in {smallest['in_every_model'].astype(bool).sum()} of {runs}, and without it slacks "
        "cost more than with permuted columns in its place "
        f"(p at most {smallest['p_needed'].max():.1g}). By the library's rule it is relevant in "
        f"{(smallest['relevance'] > 0).sum()} and needed in "
        f"{smallest['needed'].astype(bool).sum()}.\n"
        "- The authors' program puts a permuted feature in the place of its original and drops "
        f"what is then infeasible. Here that leaves too few probes in {len(replaced)} of {runs} "
        f"runs{_told(replaced)}. Without any the program's threshold is 0, and whatever can have a "
        f"weight is relevant.\n{_beside_idle(rows)}"
    )


def _told(replaced: Any) -> str:
    return f' ("{replaced["told"].mode()[0]}")' if len(replaced) else ""


def _beside_idle(rows: pd.DataFrame) -> str:
    learned = _learned(rows, IDLE)
    idle = learned[learned["feature"] == "idle note"]
    return (
        "- What that would mean: a fourth privileged column of mere noise has a maxrel of "
        f"{idle['maxrel'].mean():.3f} in the mean, above 0 in {(idle['maxrel'] > 1e-6).sum()} of "
        f"{len(idle)} runs that learned, so that a threshold of 0 would select it too. By the "
        f"library's rule it is relevant in {(idle['relevance'] > 0).sum()}, by the paper's in "
        f"{(idle['relevance_by_paper'] > 0).sum()}; it is needed in "
        f"{idle['needed'].astype(bool).sum()}."
    )


def picture(rows: pd.DataFrame) -> Figure:
    """Bars from minrel to maxrel, thresholds as dashes; a panel for each side, as in the paper."""
    learned = _learned(rows, PAPER)
    figure = Figure(figsize=(8, 3.4), layout="constrained")
    panels = figure.subplots(1, 2, width_ratios=(6, 3))
    for panel, side, letter in zip(panels, FEATURES, "ab", strict=True):
        _draw(panel, learned[learned["side"] == side])
        panel.set_title(f"({letter}) {side} features", loc="left", fontsize="medium")
    panels[0].set_ylabel("relevance / norm of the best model")
    panels[0].legend(frameon=False, fontsize="small")
    return figure


def _draw(panel: Axes, rows: pd.DataFrame) -> None:
    names = list(dict.fromkeys(rows["feature"]))
    shown = rows[rows["seed"] == rows["seed"].min()].reset_index(drop=True)
    others = rows[rows["seed"] != rows["seed"].min()]
    for relevance, bars in shown.groupby("relevance"):
        panel.bar(
            bars.index,
            np.maximum(bars["maxrel"] - bars["minrel"], 0.002),
            bottom=bars["minrel"],
            color=_COLOURS[relevance],
            edgecolor="black",
            linewidth=0.6,
            label=Relevance(relevance).name.lower(),
        )
    panel.plot(
        others["feature"].map(names.index), others["maxrel"], "_", color="0.45", label="other draws"
    )
    panel.hlines(
        shown["threshold"], shown.index - 0.4, shown.index + 0.4, "black", "--", label="threshold"
    )
    panel.set_xticks(range(len(names)), names, rotation=30, ha="right")
    panel.set_ylim(bottom=0)
