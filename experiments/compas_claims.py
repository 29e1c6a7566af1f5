"""Does what the paper says of COMPAS hold in what was found? A verdict for each sentence."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import pandas as pd

from experiments.papers_rule import EVIDENCE
from experiments.printed import COMPAS_SENTENCES, COMPAS_STRONG, COMPAS_WEAK

WITH, WITHOUT = "with ethnicity", "without ethnicity"
STRONG, WEAK, IRRELEVANT = "strong", "weak", "irrelevant"
NEWLY_RELEVANT = ("juv_other_count", "is_violent_recid")
"""What the paper says becomes relevant without ethnicity."""
HARDLY = 0.01
"""A fall in accuracy that is less than this is hardly one; the paper's own is 0.0074."""
_SAME = 1e-3  # of maximal relevances, relative


class Verdict(NamedTuple):
    """Whether a sentence holds (yes, partly, no), and what that rests on."""

    holds: str
    found: str


@dataclass(frozen=True)
class Findings:
    """What was found with one way of fitting, by one rule.

    Attributes
    ----------
    models : dict
        A frame for each model, indexed by feature.
    accuracy : dict
        Of each model on people it has not seen; on its own ones where that was not computed.
    is_cross_validated : bool
    blocks : dict
        The same of columns that were made of one, indexed by its name; by the library's rule only.
    """

    models: dict[str, pd.DataFrame]
    accuracy: dict[str, float]
    is_cross_validated: bool
    blocks: dict[str, pd.DataFrame] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: pd.DataFrame, rule: str = EVIDENCE) -> "Findings":
        folds, ruled = rows["fold"].notna(), rows[rows["rule"] == rule]
        models, blocks = (
            {
                model: each.set_index(kind)
                for model, each in ruled[ruled[kind].notna()].groupby("model")
            }
            for kind in ("feature", "block")
        )
        scored = rows[folds] if folds.any() else rows[~folds]
        accuracy = scored.groupby("model")["accuracy"].mean().to_dict()
        return cls(models, accuracy, bool(folds.any()), blocks)

    def relevance(self, feature: str, model: str = WITH) -> str:
        return self.models[model].loc[feature, "relevance"]

    def features(self, relevance: str, prefix: str = "", model: str = WITH) -> list[str]:
        """Features of a class of relevance whose name begins like this."""
        table = self.models[model]
        names = table.index[table["relevance"] == relevance]
        return [name for name in names if name.startswith(prefix)]

    def place(self, feature: str) -> int:
        """1 for the feature with the largest maximal relevance."""
        return int(self.models[WITH]["maxrel"].rank(ascending=False, method="min")[feature])


def verdicts(found: Findings) -> dict[str, Verdict]:
    """A verdict for each of ``COMPAS_SENTENCES``."""
    return {key: _JUDGES[key](found) for key in COMPAS_SENTENCES}


def _two_strong(found: Findings) -> Verdict:
    strong, wanted = found.features(STRONG), COMPAS_STRONG[WITH]
    others = [f"{name} is {found.relevance(name)}" for name in wanted if name not in strong]
    text = "; ".join([f"strong: {_listed(strong)}", *others])
    return Verdict(_holds([name in strong for name in wanted], len(strong) == len(wanted)), text)


def _big_share(found: Findings) -> Verdict:
    table, names = found.models[WITH], COMPAS_STRONG[WITH]
    text = _listed(
        [
            f"{name} up to {table.loc[name, 'maxrel']:.2f} (place {found.place(name)} of "
            f"{len(table)})"
            for name in names
        ]
    )
    return Verdict(_holds([found.place(name) <= len(names) for name in names]), text)


def _juvenile(found: Findings) -> Verdict:
    named = [name for name in COMPAS_WEAK[WITH] if name.startswith("juv")]
    degrees = found.features(WEAK, "charge degree")
    weak = [name for name in named if found.relevance(name) == WEAK]
    held = [*(name in weak for name in named), bool(degrees)]
    return Verdict(_holds(held), f"weak: {_listed([*weak, *degrees])}")


def _sex(found: Findings) -> Verdict:
    names = ["sex: male", "sex: female"]
    highest = found.models[WITH].loc[names, "maxrel"]
    same = highest.max() - highest.min() <= _SAME * highest.max()
    weak = [found.relevance(name) == WEAK for name in names]
    text = _listed([f"{name} {found.relevance(name)}, up to {highest[name]:.3f}" for name in names])
    return Verdict(_holds([*weak, same]), text)


def _race(found: Findings) -> Verdict:
    named = [name for name in COMPAS_WEAK[WITH] if name.startswith("race")]
    relevant = found.features(WEAK, "race") + found.features(STRONG, "race")
    held = [found.relevance(name) == WEAK for name in named]
    return Verdict(_holds(held, len(relevant) == len(named)), f"relevant: {_listed(relevant)}")


def _accuracy(found: Findings) -> Verdict:
    fall = found.accuracy[WITH] - found.accuracy[WITHOUT]
    people = "unseen people" if found.is_cross_validated else "its own people"
    text = (
        f"{found.accuracy[WITH]:.2%} and {found.accuracy[WITHOUT]:.2%} on {people}, "
        f"{100 * abs(fall):.2f} points {'less' if fall > 0 else 'more'}"
    )
    return Verdict("yes" if fall < HARDLY else "no", text)


def _changes(found: Findings) -> Verdict:
    moves = {name: _move(found, name) for name in NEWLY_RELEVANT}
    held = [before == IRRELEVANT and after != IRRELEVANT for before, after in moves.values()]
    return Verdict(_holds(held), _listed([_as_text(name, *move) for name, move in moves.items()]))


def _others(found: Findings) -> Verdict:
    after = found.models[WITHOUT]
    names = [name for name in after.index if name not in NEWLY_RELEVANT]
    moves = {name: _move(found, name) for name in names}
    changed = {name: move for name, move in moves.items() if move[0] != move[1]}
    largest = (after["maxrel"] - found.models[WITH]["maxrel"])[names].abs()
    text = (
        f"{len(changed)} of {len(names)} change their class ("
        f"{_listed([_as_text(name, *move) for name, move in changed.items()])}); maximal relevance "
        f"changes by {largest.max():.2f} at most ({largest.idxmax()})"
    )
    if not changed:
        return Verdict("yes", text)
    return Verdict("no" if any(STRONG in move for move in changed.values()) else "partly", text)


def _move(found: Findings, name: str) -> tuple[str, str]:
    return found.relevance(name), found.relevance(name, WITHOUT)


def _as_text(name: str, before: str, after: str) -> str:
    return f"{name} {before} as before" if before == after else f"{name} from {before} to {after}"


def _holds(held: Sequence[bool], nothing_else: bool = True) -> str:
    if all(held) and nothing_else:
        return "yes"
    return "partly" if any(held) else "no"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) if names else "none"


_JUDGES: dict[str, Callable[[Findings], Verdict]] = {
    "two strong": _two_strong,
    "big share": _big_share,
    "juvenile": _juvenile,
    "sex": _sex,
    "race": _race,
    "accuracy": _accuracy,
    "changes": _changes,
    "others": _others,
}
