"""How is what was found about COMPAS shown? A page, tables and pictures."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from experiments import pages
from experiments.compas_claims import (
    IRRELEVANT,
    STRONG,
    WEAK,
    WITH,
    WITHOUT,
    Findings,
    Verdict,
    verdicts,
)
from experiments.printed import COMPAS_ACCURACY, COMPAS_PEOPLE, COMPAS_SENTENCES

_COLORS = {STRONG: "#0072B2", WEAK: "#E69F00", IRRELEVANT: "#BBBBBB"}
_HATCHES = {STRONG: "", WEAK: "///", IRRELEVANT: "..."}
_HOW_TO_READ = (
    "Intervals of relevance over all good models, divided by the norm of the best one. Dashed: "
    "what permuted features reach by chance. Above with ethnicity, below without."
)
_PEOPLE = ("people", "without_score", "unknown_recid")
_DRAWN = {"defaults": "compas.png", "equal classes": "compas-equal-classes.png"}
_MEANINGS = {
    "defaults": "the library's defaults",
    "equal classes": "each class of the score counts as much as another in training",
    "tolerance 0.1": "good models may have 10 % more norm and loss, as in the authors' code",
    "tolerance 0.001": "0.1 % more, the default of the authors' code",
    "unknown kept": "people with unknown recidivism stay, their -1 as a number",
}


def write(title: str, rows: pd.DataFrame, findings: Mapping[str, Findings], out: Path) -> None:
    judged = {variant: verdicts(found) for variant, found in findings.items()}
    drawn = {variant: name for variant, name in _DRAWN.items() if variant in findings}
    out.mkdir(parents=True, exist_ok=True)
    for variant, name in drawn.items():
        picture(findings[variant]).savefig(out / name, dpi=150)
    pages.write_csv(_all_relevances(findings), out / "relevance.csv")
    pages.write_csv(
        pd.DataFrame(
            [
                {"variant": variant, "sentence": COMPAS_SENTENCES[key], **verdict._asdict()}
                for variant, each in judged.items()
                for key, verdict in each.items()
            ]
        ),
        out / "verdicts.csv",
    )
    parts = [
        _people(rows),
        "## How well the score is explained",
        _accuracies(rows),
        "## What it is made of",
        _HOW_TO_READ,
        *(
            f"### {variant}: {_MEANINGS[variant]}\n\n![relevance]({name})\n\n"
            + _relevances(findings[variant])
            for variant, name in drawn.items()
        ),
        "## What the paper found",
        "The paper's statements in our words, and whether they hold in each way of fitting:",
        _verdict_table(judged),
        "\n".join(f"- *{variant}*: {_MEANINGS[variant]}" for variant in judged),
        *(
            f"### {variant}, sentence by sentence\n\n{_sentences(judged[variant])}"
            for variant in drawn
        ),
    ]
    pages.write_page(
        out / "compas.md", title, parts, rows, seeds="0 for all", packages=["matplotlib"]
    )


def _people(rows: pd.DataFrame) -> str:
    first = rows[rows["variant"] == "defaults"].iloc[0]
    used, no_score, unknown = (int(first[name]) for name in _PEOPLE)
    looked_at = used + no_score + unknown
    share = "" if looked_at == COMPAS_PEOPLE else f" (a share of the {COMPAS_PEOPLE} in the file)"
    return (
        f"Of {looked_at} people{share}, {used} are used: {no_score} have no score, and of "
        f"{unknown} more it is unknown whether they relapsed (-1). The paper does not say which "
        "rows it used. The target is the score in words (low, medium, high); the number behind it "
        "is not used. Categories are one-hot encoded and none is left out, as in the paper."
    )


def _accuracies(rows: pd.DataFrame) -> str:
    lines = []
    for (variant, model), each in rows.groupby(["variant", "model"], sort=False):
        folds = each["fold"].notna()
        unseen = each.loc[folds, ["accuracy", "mmae"]].mean()
        lines.append(
            [
                f"{variant}, {model}",
                pages.number(100 * COMPAS_ACCURACY[model]),
                pages.number(100 * each.loc[~folds, "accuracy"].mean()),
                pages.number(100 * unseen["accuracy"]),
                pages.number(each.loc[~folds, "mmae"].mean(), 3),
                pages.number(unseen["mmae"], 3),
            ]
        )
    header = ["", "paper, %", "own people, %", "unseen people, %", "MMAE, own", "MMAE, unseen"]
    return (
        "Share of people whose score (of three) is predicted. *Own*: those the model was fitted "
        "to; *unseen*: five-fold cross-validation, tuned without them. The paper does not say "
        "what it scored.\n\n" + pages.markdown(header, lines)
    )


def _relevances(found: Findings) -> str:
    def shown(model: str, name: str) -> list[str]:
        if name not in found.models[model].index:
            return ["", ""]
        row = found.models[model].loc[name]
        return [row["relevance"], f"{row['minrel']:.3f} to {row['maxrel']:.3f}"]

    lines = [[name, *shown(WITH, name), *shown(WITHOUT, name)] for name in found.models[WITH].index]
    chance = [f"{found.models[model]['threshold_maxrel'].iloc[0]:.3f}" for model in (WITH, WITHOUT)]
    lines.append(["*chance reaches*", "", chance[0], "", chance[1]])
    return pages.markdown(["feature", WITH, "interval", WITHOUT, "interval"], lines)


def _verdict_table(judged: Mapping[str, dict[str, Verdict]]) -> str:
    lines = [
        [sentence, *(each[key].holds for each in judged.values())]
        for key, sentence in COMPAS_SENTENCES.items()
    ]
    return pages.markdown(["the paper says", *judged], lines)


def _sentences(judged: dict[str, Verdict]) -> str:
    return "\n".join(
        f"- {COMPAS_SENTENCES[key]} **{verdict.holds.capitalize()}**: {verdict.found}."
        for key, verdict in judged.items()
    )


def _all_relevances(findings: Mapping[str, Findings]) -> pd.DataFrame:
    columns = ["relevance", "minrel", "maxrel", "threshold_minrel", "threshold_maxrel"]
    return pd.concat(
        [
            table[columns].assign(variant=variant, model=model).reset_index()
            for variant, found in findings.items()
            for model, table in found.models.items()
        ]
    )


def picture(found: Findings) -> Figure:
    """The paper's Figure 1: two panels that share their scale and the places of features."""
    figure = Figure(figsize=(10.5, 7), layout="constrained")
    axes = figure.subplots(2, sharex=True, sharey=True)
    names = list(found.models[WITH].index)
    for ax, model in zip(axes, (WITH, WITHOUT), strict=True):
        table = found.models[model]
        for relevance, color in _COLORS.items():
            chosen = table[table["relevance"] == relevance]
            ax.bar(
                [names.index(name) for name in chosen.index],
                np.maximum(chosen["maxrel"] - chosen["minrel"], 0.002),
                bottom=chosen["minrel"],
                label=f"{relevance} ({len(chosen)})",
                color=color,
                hatch=_HATCHES[relevance],
                edgecolor="black",
                linewidth=0.6,
            )
        ax.hlines(
            table["threshold_maxrel"],
            [names.index(name) - 0.45 for name in table.index],
            [names.index(name) + 0.45 for name in table.index],
            color="black",
            linestyle="--",
            label="chance",
        )
        ax.set_title(model, loc="left", fontsize="medium")
        ax.set_ylabel("relevance")
        ax.legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize="small", frameon=False)
    axes[1].set_xticks(range(len(names)), names, rotation=60, ha="right", rotation_mode="anchor")
    return figure
