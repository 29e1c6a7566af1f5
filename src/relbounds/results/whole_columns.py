"""What was found about whole columns, where some were divided into several features?

A text becomes columns of 0 and 1, and a person asks about the text. ``whole_columns`` gives a
result of the same kind in which each block of features is one, so that sentences, tables and
pictures of results show it without knowing of blocks.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.results.answers import Blocks
from relbounds.results.findings import Findings
from relbounds.results.records import Decision, Evidence, Shadows
from relbounds.results.result import RelevanceResult


def whole_columns(result: RelevanceResult, blocks: Blocks | None) -> RelevanceResult:
    """The result with the features of each block as one, at the place of the first of them.

    Its interval is that of the total ``sum |w|``, its classes and p-values are the block's. It has
    no sign, and no line of chance: a permuted block was not asked how far it gets. What each class
    of three and more without order makes of a feature is asked of features only (``classes`` is
    empty then).
    """
    if not blocks:
        return result
    sides = tuple(_side(side, blocks) for side in result.sides)
    weights = _weights(result.regular, result.baseline.weights, blocks)
    return replace(result, sides=sides, baseline=replace(result.baseline, weights=weights))


def _weights(side: Findings, weights: FloatArray, blocks: Blocks) -> FloatArray:
    """The best model's, of blocks ``sum |w|``."""
    chosen = _chosen(side, blocks)
    members = [
        [side.feature_names.index(name) for name in blocks.features[block]] for block in chosen
    ]
    totals = [np.abs(weights[each]).sum(axis=0) for each in members]
    folded: FloatArray = _Fold.of(side, blocks, chosen)(weights, totals) if chosen else weights
    return folded


def _chosen(side: Findings, blocks: Blocks) -> list[int]:
    return [k for k, members in enumerate(blocks.features) if _is_of(side, members)]


def _side(side: Findings, blocks: Blocks) -> Findings:
    chosen = _chosen(side, blocks)
    if not chosen:
        return side
    fold, norm = _Fold.of(side, blocks, chosen), side.norm
    names = (*side.feature_names, *(blocks.names[k] for k in chosen))
    least = fold(side.raw_intervals[:, 0], blocks.intervals[chosen, 0] * norm)
    cases, _, *of_weights = side.ends.shape
    ends, gaps = np.zeros((len(chosen), cases, *of_weights)), np.zeros((len(chosen), *of_weights))
    ends[:, :, 0] = blocks.intervals[chosen, 1][:, None, None] * norm * np.array([-1, 1])
    gaps[:, 0] = blocks.gaps[chosen] * norm
    return replace(
        side,
        feature_names=tuple(names[k] for k in fold.order),
        ends=fold(side.ends.swapaxes(0, 1), ends).swapaxes(0, 1),
        gaps=fold(side.gaps, gaps),
        least=np.tile(least, (cases, 1)),
        shadows=fold.shadows(side.shadows),
        decision=_decision(side.decision, blocks, chosen, fold),
        decision_in_every=None,
        classes=(),
        bounded=None if side.bounded is None else fold(side.bounded, np.zeros(len(chosen), bool)),
    )


def _is_of(side: Findings, members: Sequence[str]) -> bool:
    return len(members) > 1 and set(members) <= set(side.feature_names)


def _decision(decision: Decision, blocks: Blocks, chosen: Sequence[int], fold: "_Fold") -> Decision:
    evidence, no_line = decision.evidence, np.full(len(chosen), np.nan)
    alone = evidence.alone
    return replace(
        decision,
        chance=fold(decision.chance, no_line),
        evidence=Evidence(
            None if alone is None else fold(alone, blocks.p_alone[chosen]),
            fold(evidence.needed, blocks.p_needed[chosen]),
        ),
        in_models=fold(decision.in_models, blocks.p_in_models[chosen]),
        relevance=fold(decision.relevance, blocks.relevance[chosen]),
        needed=fold(decision.needed, blocks.needed[chosen]),
    )


@dataclass(frozen=True)
class _Fold:
    """Which of the features, and of the blocks after them, are left, and in which order."""

    order: tuple[int, ...]

    @classmethod
    def of(cls, side: Findings, blocks: Blocks, chosen: Sequence[int]) -> "_Fold":
        block_of = {
            name: len(side.feature_names) + place
            for place, k in enumerate(chosen)
            for name in blocks.features[k]
        }
        whole = (block_of.get(name, k) for k, name in enumerate(side.feature_names))
        return cls(tuple(dict.fromkeys(whole)))

    def __call__(self, of_features: Any, of_blocks: Any) -> Any:
        return np.concatenate([of_features, of_blocks])[list(self.order)]

    def shadows(self, found: Sequence[Shadows]) -> tuple[Shadows, ...]:
        """Those of features that are left, by their new places."""
        return tuple(
            replace(each, feature=self.order.index(each.feature))
            for each in found
            if each.feature in self.order
        )
