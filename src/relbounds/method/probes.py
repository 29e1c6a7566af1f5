"""How relevant does a permuted feature look? The yardstick for all others."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from relbounds.arrays import FloatArray, IntArray
from relbounds.engine import Engine, FeasibleSet, WeightRange
from relbounds.exceptions import InfeasibleError, TooFewProbesError
from relbounds.method.best_model import BestModel
from relbounds.method.parallel import Workers, chunks
from relbounds.method.tolerance import GoodnessRule
from relbounds.method.training_data import TrainingData
from relbounds.problems import SIDES, Layout
from relbounds.results.records import Probes

FEWEST_PROBES = 10
"""Below this a standard deviation, and with it a threshold, means little."""
Drawn = tuple[int, FloatArray]
"""A feature, and its column permuted."""
Found = list[WeightRange] | None
"""The range of each of a feature's weights; None if the probe left no good model."""


@dataclass(frozen=True, eq=False)
class ProbeSetting:
    """The fitted situation that probes are put into; ``start`` comes from the prepared set."""

    engine: Engine
    data: TrainingData
    best: BestModel
    feasible: FeasibleSet
    start: object
    rule: GoodnessRule


def append(setting: ProbeSetting, side: int, drawn: Sequence[Drawn]) -> list[Found]:
    """Each permuted column joins the others; the baseline stays good, so none is lost.

    The baseline does without the probe, so ``minrel`` is 0 without a program.
    """
    probed = setting.best.composition.layouts[side]
    search = setting.engine.prepare(setting.feasible, setting.start)
    columns = [probed.spread(column) for _, column in drawn]
    return list(search.appended(columns, probed.price))


def replace(setting: ProbeSetting, side: int, drawn: Sequence[Drawn]) -> list[Found]:
    """Each takes its original's place, under the original budget."""
    probed, space = setting.best.composition.layouts[side], setting.feasible.space

    def feasible(feature: int, column: FloatArray) -> FeasibleSet:
        positions, columns = probed.positions(feature), probed.spread(column)
        return setting.feasible.over(space.with_replaced_columns(positions, columns))

    return [_relevance(setting, probed, feature, feasible, column) for feature, column in drawn]


def refit(setting: ProbeSetting, side: int, drawn: Sequence[Drawn]) -> list[Found]:
    """Each takes its original's place, and the budget is computed anew.

    Its relevance is compared as it is, without regard to the norm of the model fitted anew.
    """
    data, choice = setting.data, setting.best.choice

    def feasible(feature: int, column: FloatArray) -> FeasibleSet:
        composition = choice.compose(data.with_column(side, feature, column))
        refitted = BestModel.of(setting.engine, composition, choice)
        if not refitted.has_learned:
            raise InfeasibleError("Nothing can be learned with the probe in its original's place.")
        return setting.rule.feasible_set(refitted, choice.in_loss(data), data.groups)[0]

    probed = setting.best.composition.layouts[side]
    return [_relevance(setting, probed, feature, feasible, column) for feature, column in drawn]


PROBE_MODES = {"append": append, "replace": replace, "refit": refit}


def _relevance(
    setting: ProbeSetting,
    probed: Layout,
    feature: int,
    feasible: Callable[[int, FloatArray], FeasibleSet],
    column: FloatArray,
) -> Found:
    try:
        search = setting.engine.prepare(feasible(feature, column))
    except InfeasibleError:
        return None
    return search.relevances(probed.positions(feature).tolist())


def draw_probes(
    among: IntArray, n_probes: int, random_state: np.random.RandomState
) -> list[tuple[int, int]]:
    """Features at random, among these columns, and for each the seed of a new order."""
    drawn = among[random_state.randint(len(among), size=n_probes)]
    seeds = random_state.randint(np.iinfo(np.int32).max, size=n_probes)
    return list(zip(drawn.tolist(), seeds.tolist(), strict=True))


def solve_probes(
    setting: ProbeSetting,
    side: int,
    drawn: Sequence[tuple[int, int]],
    mode: str,
    workers: Workers,
) -> Probes:
    """Permute features of one side, as they were drawn, and see how relevant they look."""
    n_probes = len(drawn)
    pieces = chunks(drawn, setting.engine.block_size(setting.feasible))
    solved = workers.map(_solve_some, (setting, side, mode), pieces, "probes")
    found = [ranges for piece in solved for ranges in piece if ranges is not None]
    intervals = [[each.relevance for each in ranges] for ranges in found]
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
        fallbacks=sum(each.fallbacks for ranges in found for each in ranges),
    )


def _solve_some(
    setting: ProbeSetting, side: int, mode: str, drawn: Sequence[tuple[int, int]]
) -> list[Found]:
    data, columns = setting.data, setting.data.tables[side].columns
    orders = data.new_orders([seed for _, seed in drawn])
    permuted = [
        (feature, columns[order, feature])
        for (feature, _), order in zip(drawn, orders, strict=True)
    ]
    return PROBE_MODES[mode](setting, side, permuted)
