"""How relevant does a permuted feature look? The yardstick for all others."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.baseline import GoodnessRule, canonical_best_model
from relbounds.engine import Engine, GoodModels, Prepared
from relbounds.exceptions import InfeasibleError, TooFewProbesError
from relbounds.intervals import largest_relevance, relevance_intervals, weight_range
from relbounds.parallel import Workers, blocks
from relbounds.records import Record

FEWEST_PROBES = 10
"""Below this a standard deviation, and with it a threshold, means little."""
_BLOCK = 5


@dataclass(frozen=True, eq=False)
class Probes(Record):
    """What the probes gave.

    Attributes
    ----------
    mode : {"append", "replace", "refit"}
    asked, infeasible : int
        How many were drawn, and how many left no good model at all.
    intervals : (solved, 2) array
        ``[minrel, maxrel]`` of those that were solved, not normalised.
    """

    mode: str
    asked: int
    infeasible: int
    intervals: FloatArray

    @property
    def solved(self) -> int:
        return len(self.intervals)


@dataclass(frozen=True, eq=False)
class ProbeSetting:
    """The fitted situation that probes are put into; ``start`` comes from the prepared body."""

    engine: Engine
    body: GoodModels
    start: object
    sample_weight: FloatArray
    rule: GoodnessRule
    C: float


def append(setting: ProbeSetting, feature: int, column: FloatArray) -> FloatArray:
    """The permuted column joins the others; the baseline stays good, so none is lost.

    The baseline does without the probe, so ``minrel`` is 0 without a program.
    """
    prepared = setting.engine.prepare(setting.body.with_column(column), setting.start)
    return np.array([0.0, largest_relevance(prepared, setting.body.n_features)])


def replace(setting: ProbeSetting, feature: int, column: FloatArray) -> FloatArray:
    """It takes its original's place, under the original budget."""
    prepared = setting.engine.prepare(setting.body.with_replaced_column(feature, column))
    return _interval(prepared, feature)


def refit(setting: ProbeSetting, feature: int, column: FloatArray) -> FloatArray:
    """It takes its original's place, and the budget is computed anew.

    Its relevance is compared as it is, without regard to the norm of the model fitted anew.
    """
    body = setting.body.with_replaced_column(feature, column)
    path = setting.engine.path(body.points, body.rows)
    baseline = canonical_best_model(path, setting.C)
    if not baseline.has_weights:
        return np.zeros(2)
    body, _ = setting.rule.good_models(
        body.points, body.rows, setting.sample_weight, baseline, setting.C
    )
    return _interval(setting.engine.prepare(body), feature)


PROBE_MODES = {"append": append, "replace": replace, "refit": refit}


def _interval(prepared: Prepared, feature: int) -> FloatArray:
    ends = np.array([weight_range(prepared, feature).ends])
    interval: FloatArray = relevance_intervals(ends)[0]
    return interval


def solve_probes(
    setting: ProbeSetting,
    mode: str,
    n_probes: int,
    random_state: np.random.RandomState,
    workers: Workers,
) -> Probes:
    """Draw features at random, permute each, and see how relevant they look."""
    drawn = random_state.randint(setting.body.n_features, size=n_probes)
    seeds = random_state.randint(np.iinfo(np.int32).max, size=n_probes)
    pieces = blocks(list(zip(drawn.tolist(), seeds.tolist(), strict=True)), _BLOCK)
    solved = workers.map(_solve_some, [(setting, mode, piece) for piece in pieces], "probes")
    found = [interval for piece in solved for interval in piece]
    intervals = [interval for interval in found if interval is not None]
    if len(intervals) < FEWEST_PROBES:
        raise TooFewProbesError(
            f"Only {len(intervals)} of {n_probes} probes left any good model, and a threshold "
            f"needs at least {FEWEST_PROBES}. Use probes='append', which loses none, or raise "
            "n_probes or the tolerance."
        )
    return Probes(mode, n_probes, n_probes - len(intervals), np.array(intervals))


def _solve_some(
    setting: ProbeSetting, mode: str, drawn: Sequence[tuple[int, int]]
) -> list[FloatArray | None]:
    return [_solve_one(setting, mode, feature, seed) for feature, seed in drawn]


def _solve_one(setting: ProbeSetting, mode: str, feature: int, seed: int) -> FloatArray | None:
    permuted = np.random.RandomState(seed).permutation(setting.body.points[:, feature])
    try:
        return PROBE_MODES[mode](setting, feature, permuted)
    except InfeasibleError:
        return None
