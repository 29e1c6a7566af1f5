"""How relevant does a permuted feature look? The yardstick for all others."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from relbounds.arrays import FloatArray, IntArray
from relbounds.baseline import GoodnessRule
from relbounds.engine import Engine, GoodModels, Prepared
from relbounds.exceptions import InfeasibleError, TooFewProbesError
from relbounds.fitting import Fit
from relbounds.intervals import largest_relevance, relevance_intervals, weight_range
from relbounds.parallel import Workers, blocks
from relbounds.problems import SIDES
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
        How many were drawn, and how many left no good model, or none that uses any feature.
    intervals : (solved, 2) array, or (solved, 2, 2) of privileged features
        ``[minrel, maxrel]`` of those that were solved, not normalised; privileged features have
        one in each slack function.
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
    fit: Fit
    body: GoodModels
    start: object
    sample_weight: FloatArray
    rule: GoodnessRule


def append(setting: ProbeSetting, side: int, feature: int, column: FloatArray) -> FloatArray:
    """The permuted column joins the others; the baseline stays good, so none is lost.

    The baseline does without the probe, so ``minrel`` is 0 without a program.
    """
    probed = setting.fit.composition.sides[side]
    space = setting.body.space.with_columns(probed.spread(column), probed.price)
    prepared = setting.engine.prepare(setting.body.over(space), setting.start)
    added = range(setting.body.space.n_weights, space.n_weights)
    return np.array([[0.0, largest_relevance(prepared, k)] for k in added])


def replace(setting: ProbeSetting, side: int, feature: int, column: FloatArray) -> FloatArray:
    """It takes its original's place, under the original budget."""
    probed = setting.fit.composition.sides[side]
    positions = probed.positions(feature)
    space = setting.body.space.with_replaced_columns(positions, probed.spread(column))
    return _intervals(setting.engine.prepare(setting.body.over(space)), positions)


def refit(setting: ProbeSetting, side: int, feature: int, column: FloatArray) -> FloatArray:
    """It takes its original's place, and the budget is computed anew.

    Its relevance is compared as it is, without regard to the norm of the model fitted anew.
    """
    probed = setting.fit.composition.sides[side]
    composition = setting.fit.composition.with_replaced_column(side, feature, column)
    refitted = Fit.of(setting.engine, composition, setting.fit.chosen)
    if not refitted.has_learned:
        raise InfeasibleError("Nothing can be learned with the probe in its original's place.")
    body, _ = refitted.good_models(setting.rule, setting.sample_weight)
    return _intervals(setting.engine.prepare(body), probed.positions(feature))


PROBE_MODES = {"append": append, "replace": replace, "refit": refit}


def _intervals(prepared: Prepared, positions: IntArray) -> FloatArray:
    return relevance_intervals(np.array([weight_range(prepared, k).ends for k in positions]))


def solve_probes(
    setting: ProbeSetting,
    side: int,
    *,
    mode: str,
    n_probes: int,
    random_state: np.random.RandomState,
    workers: Workers,
) -> Probes:
    """Draw features of one side at random, permute each, and see how relevant they look."""
    drawn = random_state.randint(setting.fit.composition.sides[side].n_features, size=n_probes)
    seeds = random_state.randint(np.iinfo(np.int32).max, size=n_probes)
    pieces = blocks(list(zip(drawn.tolist(), seeds.tolist(), strict=True)), _BLOCK)
    solved = workers.map(_solve_some, [(setting, side, mode, piece) for piece in pieces], "probes")
    found = [interval for piece in solved for interval in piece]
    intervals = [interval for interval in found if interval is not None]
    if len(intervals) < FEWEST_PROBES:
        raise TooFewProbesError(
            f"Only {len(intervals)} of {n_probes} probes of {SIDES[side]} features left any good "
            f"model, and a threshold needs at least {FEWEST_PROBES}. Use probes='append', which "
            "loses none, or raise n_probes or the tolerance."
        )
    of_functions = np.array(intervals)
    return Probes(
        mode,
        n_probes,
        n_probes - len(intervals),
        of_functions[:, 0] if of_functions.shape[1] == 1 else of_functions,
    )


def _solve_some(
    setting: ProbeSetting, side: int, mode: str, drawn: Sequence[tuple[int, int]]
) -> list[FloatArray | None]:
    return [_solve_one(setting, side, mode, feature, seed) for feature, seed in drawn]


def _solve_one(
    setting: ProbeSetting, side: int, mode: str, feature: int, seed: int
) -> FloatArray | None:
    column = setting.fit.composition.sides[side].columns[:, feature]
    permuted = np.random.RandomState(seed).permutation(column)
    try:
        return PROBE_MODES[mode](setting, side, feature, permuted)
    except InfeasibleError:
        return None
