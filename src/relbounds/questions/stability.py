"""Would other data say the same? Halves of the data are asked what they prove.

Let ``x`` be the chi-square of a test with ``k`` degrees of freedom in a half. It is ``k + e / 2``
on average, if it is ``k + e`` on all of the data; so ``2 x - k`` is on average what other data of
the same size would have. Each half is taken for that, and decides by the same rule as the data did.
The shares of halves agree with those of fresh data: see docs/decisions/stability. Programs are not
solved, so weights in good models have no say.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from scipy import stats

from relbounds import checks
from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.method.evidence.alone import p_alone
from relbounds.method.evidence.beside_others import MANY_PARAMETERS
from relbounds.method.evidence.gathering import p_needed
from relbounds.method.parallel import ONE_BLAS_THREAD, Workers
from relbounds.method.state import Study
from relbounds.method.training_data import TrainingData, columns_of
from relbounds.questions.wholes import regular_wholes
from relbounds.results.answers import Blocks
from relbounds.results.findings import Findings
from relbounds.results.other_data import Stability
from relbounds.results.records import Evidence

HALVES = 20
"""What is asked by default: shares of the same data then differ by about 0.1 by chance."""
_FEWEST = 40  # samples, or groups: of fewer, half is too few for tests
_SEED = 0  # the same data have the same halves


@ONE_BLAS_THREAD
def stability(study: Study, blocks: Blocks | None, n_halves: int, workers: Workers) -> Stability:
    """In how many halves each regular feature, or block of them, is relevant and needed."""
    checks.whole("n_halves", n_halves, 2)
    side, wholes = regular_wholes(study, blocks)
    sets = [columns_of(each, 0) for each in wholes]
    varies = np.array([len(each) > 0 for each in sets])
    shares = np.full((2, len(sets)), np.nan)
    if n_units(study.data) >= _FEWEST:
        halves = list(halves_of(study.data, n_halves))
        asked = [each for each in sets if len(each)]
        found = workers.map(_found_in, (study, asked), halves, "stability")
        shares[:, varies] = np.mean(found, axis=0)
        shares[:, ~varies] = 0.0
        shares[0, _is_by_weight_alone(side)] = np.nan
        if not _has_room(study.data):
            shares[1] = np.nan
    return Stability(side.feature_names, shares[0], shares[1], n_halves)


def n_units(data: TrainingData) -> int:
    """Samples, or groups of them, that are independent."""
    return len(data.y) if data.groups is None else data.groups.count


def halves_of(data: TrainingData, count: int) -> Iterator[IntArray]:
    """Random halves, always the same, two and two of them without a sample in common.

    Groups are halved as a whole; where there are none, classes are halved each.
    """
    random_state = np.random.RandomState(_SEED)
    for place in range(count):
        if place % 2 == 0:
            is_first = _first_half(data, random_state)
        yield np.flatnonzero(is_first if place % 2 == 0 else ~is_first)


def _first_half(data: TrainingData, random_state: np.random.RandomState) -> BoolArray:
    n = n_units(data)
    has_classes = data.groups is None and data.classes is not None
    order = np.lexsort((random_state.random_sample(n), data.y if has_classes else np.zeros(n)))
    is_first = np.zeros(n, dtype=bool)
    is_first[order[::2]] = True
    return is_first if data.groups is None else is_first[data.groups.codes]


def _found_in(
    study: Study, sets: Sequence[IntArray], half: IntArray
) -> tuple[BoolArray, BoolArray]:
    """What a half proves, taken for as much as all of the data: relevant, and needed."""
    part, is_unordered = _coded(study, half), study.best.has_a_score_a_class
    nothing = np.zeros(len(sets), dtype=bool)
    if not np.ptp(part.y):
        return nothing, nothing
    degrees = np.array([len(each) for each in sets])
    if is_unordered:
        degrees = degrees * (len(part.classes or ()) - 1)
    columns, needed = part.regular.columns, np.ones(len(sets))
    alone = p_alone(columns, part.y, part.weight, sets, part.groups, unordered=is_unordered)
    if _has_room(study.data):
        needed, _ = p_needed(part, study.best, sets)
    evidence = Evidence(as_of_all(alone, degrees), as_of_all(needed, degrees))
    rule, every = study.settings.chance, np.ones(len(sets), dtype=bool)
    of_use = every if rule.is_papers else rule.of_use(evidence, np.ones(len(sets)), every)
    _, is_needed = rule.classes(of_use, evidence.needed, nothing, every)
    return of_use, is_needed


def _coded(study: Study, half: IntArray) -> TrainingData:
    """Half of the data; classes that are not there have no code."""
    part = study.data[half]
    if part.classes is None:
        return part
    present = np.unique(part.y).astype(np.int64)
    coded, _ = study.best.choice.problem.code(part.y)
    return replace(part, y=coded, classes=tuple(part.classes[k] for k in present))


def as_of_all(p: FloatArray, degrees: IntArray) -> FloatArray:
    """The p-values that data twice as large would have, on average."""
    twice = 2 * stats.chi2.isf(p, degrees) - degrees
    of_all: FloatArray = stats.chi2.sf(np.maximum(twice, 0.0), degrees)
    return of_all


def _has_room(data: TrainingData) -> bool:
    """Whether half of the samples can tell what each column adds to all others."""
    n, d = data.regular.columns.shape
    return bool(d <= MANY_PARAMETERS * n / 2)


def _is_by_weight_alone(side: Findings) -> BoolArray:
    """Which features nothing but their weight in good models speaks for."""
    by_others = np.any(side.is_proved[:, [0, 2]], axis=1)
    by_weight: BoolArray = (side.relevance > 0) & ~by_others | (side.selection == "probe")
    return by_weight
