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
from experiments.papers_rule import EVIDENCE, PAPERS, RULES
from experiments.printed import COMPAS_ACCURACY, COMPAS_PEOPLE, COMPAS_SENTENCES

_COLORS = {STRONG: "#0072B2", WEAK: "#E69F00", IRRELEVANT: "#BBBBBB"}
_HATCHES = {STRONG: "", WEAK: "///", IRRELEVANT: "..."}
_HOW_TO_READ = (
    "Intervals of relevance over all good models, divided by the norm of the best one. Dashed: "
    "what chance reaches in a feature's place: permuted columns, or, where that decides, the "
    "feature's own in the company of those that depend on it. Above with ethnicity, below without. "
    "*Class* is by the library's rule: relevant is what any of three p-values of at most 0.001 "
    "proves (*alone*: a rank test; *in models*: more weight in some good model than chance gets; "
    "*beside others*: it adds to all other features); strong, what every good model uses and what "
    "is needed. *Needed*: proved to add to all others, with a false discovery rate of 0.05. "
    "Columns that were made of one say together what each of them leaves unsaid: none of them "
    "is needed beside the others, and so they are asked about as a whole as well."
)
_EVIDENCE = {"alone": "p_alone", "in models": "p_in_models", "beside others": "p_needed"}
_ABOUT_VERDICTS = (
    "The paper's statements in our words, and whether they hold in each way of fitting, by the "
    f"library's rule ({EVIDENCE}) and by the {PAPERS}:"
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


def write(
    title: str, rows: pd.DataFrame, findings: Mapping[tuple[str, str], Findings], out: Path
) -> None:
    """``findings`` are those of each variant by each rule."""
    judged = {key: verdicts(found) for key, found in findings.items()}
    variants = list(dict.fromkeys(variant for variant, _ in findings))
    drawn = {variant: name for variant, name in _DRAWN.items() if variant in variants}
    out.mkdir(parents=True, exist_ok=True)
    for variant, name in drawn.items():
        picture(findings[variant, EVIDENCE]).savefig(out / name, dpi=150)
    pages.write_csv(_all_relevances(findings), out / "relevance.csv")
    pages.write_csv(
        pd.DataFrame(
            [
                {
                    "variant": variant,
                    "rule": rule,
                    "sentence": COMPAS_SENTENCES[key],
                    **verdict._asdict(),
                }
                for (variant, rule), each in judged.items()
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
            + _relevances(findings[variant, EVIDENCE], findings[variant, PAPERS])
            for variant, name in drawn.items()
        ),
        "## What the paper found",
        _ABOUT_VERDICTS,
        _verdict_table(judged),
        "\n".join(f"- *{variant}*: {_MEANINGS[variant]}" for variant in variants),
        *(
            f"### {variant}, {rule}, sentence by sentence\n\n{_sentences(judged[variant, rule])}"
            for variant in drawn
            for rule in RULES
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


def _relevances(found: Findings, ruled: Findings) -> str:
    """Features and blocks of both models; ``ruled`` is by the paper's rule."""
    return "\n\n".join(
        f"**{model}**\n\n{_features(found.models[model], ruled.models[model])}\n\n"
        f"As a whole:\n\n{_blocks(found.blocks[model])}"
        for model in (WITH, WITHOUT)
    )


def _features(table: pd.DataFrame, ruled: pd.DataFrame) -> str:
    header = ["feature", "interval", "chance reaches", "class", *_EVIDENCE, "needed", PAPERS]
    lines = [
        [
            name,
            f"{row['minrel']:.3f} to {row['maxrel']:.3f}",
            f"{row['chance']:.3f}",
            row["relevance"],
            *_evidence(row),
            ruled.loc[name, "relevance"],
        ]
        for name, row in table.iterrows()
    ]
    limit = ruled["threshold_maxrel"].iloc[0]
    lines.append([f"*one line for all, {PAPERS}*", "", f"{limit:.3f}", *[""] * 6])
    return pages.markdown(header, lines)


def _blocks(table: pd.DataFrame) -> str:
    lines = [
        [name, f"{row['minrel']:.3f}", row["relevance"], *_evidence(row)]
        for name, row in table.iterrows()
    ]
    header = ["block", "least total weight", "class", *_EVIDENCE, "needed"]
    return pages.markdown(header, lines)


def _evidence(row: pd.Series) -> list[str]:
    needed = "yes" if str(row["needed"]) == "True" else "no"
    return [*(_p_value(row[name]) for name in _EVIDENCE.values()), needed]


def _p_value(p: float) -> str:
    if p < 1e-12:
        return "< 1e-12"
    return f"{p:.0e}" if p < 0.001 else f"{p:.3f}"


def _verdict_table(judged: Mapping[tuple[str, str], dict[str, Verdict]]) -> str:
    lines = [
        [sentence, *(each[key].holds for each in judged.values())]
        for key, sentence in COMPAS_SENTENCES.items()
    ]
    return pages.markdown(["the paper says", *(", ".join(key) for key in judged)], lines)


def _sentences(judged: dict[str, Verdict]) -> str:
    return "\n".join(
        f"- {COMPAS_SENTENCES[key]} **{verdict.holds.capitalize()}**: {verdict.found}."
        for key, verdict in judged.items()
    )


def _all_relevances(findings: Mapping[tuple[str, str], Findings]) -> pd.DataFrame:
    """Of features, and of blocks, whose names stand in a column of their own."""
    columns = ["relevance", "needed", "minrel", "maxrel", "chance", *_EVIDENCE.values()]
    return pd.concat(
        [
            table.reindex(columns=columns)
            .assign(variant=variant, rule=rule, model=model)
            .reset_index()
            for (variant, rule), found in findings.items()
            for tables in (found.models, found.blocks)
            for model, table in tables.items()
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
            table["chance"],
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
