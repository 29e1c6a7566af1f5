"""Do several columns matter as one? How little and how much may they weigh in total?

The least ``sum |w|`` over a block is a linear program. The most is not: the sum is convex, and its
maximum lies at some pattern of signs. Patterns are searched by branch and bound. A weight whose
sign is open is ``p - q``, and ``p + q`` lies above ``|w|`` and below its chord; so a node is one
more direction of the same set, proved like any other.
"""

import heapq
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

import numpy as np

from relbounds import checks
from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.engine import TIGHT, FeasibleSet, RestrictedModels, Restriction, Search
from relbounds.exceptions import ConstraintError
from relbounds.method.evidence.alone import p_alone
from relbounds.method.evidence.gathering import p_needed
from relbounds.method.parallel import ONE_BLAS_THREAD, Workers
from relbounds.method.state import Study
from relbounds.method.training_data import Feature, columns_of
from relbounds.questions.constraints import Reader
from relbounds.results.answers import Blocks
from relbounds.results.records import RESOLUTION, Evidence

_ENOUGH = 1e-7  # of the scale
_SIGN = 1e-6  # of the scale: weights that go no further than this have no other sign
MOST_PROGRAMS = 2048
_NODES_A_ROUND = 16
_ENCODED = "="  # colour=red was made of colour
_KINDS = "p_alone", "p_in_models", "p_needed"  # of evidence
_TRANSFORMER = "__"  # after which a ColumnTransformer names a column


@ONE_BLAS_THREAD
def blocks_of(study: Study, blocks: Any, most_programs: int, workers: Workers) -> Blocks:
    """The total relevance of each block; None: columns that were made by one-hot encoding."""
    checks.whole("most_programs", most_programs, 0)
    if blocks is None:
        blocks = _by_name(study.result.feature_names)
    elif _is_encoder(blocks):
        blocks = _by_encoder(blocks, [each.name for each in study.features])
    if not isinstance(blocks, Mapping) or not blocks:
        raise ConstraintError(
            "Blocks are a dictionary of names and lists of features, for instance {'colour': "
            f"['colour=red', 'colour=blue']}}, or a fitted OneHotEncoder; got {blocks!r}."
        )
    reader = Reader.of(study)
    named = {name: reader.features(members) for name, members in blocks.items()}
    members = list(named.values())
    bounds = _totals(study, members, most_programs, workers)
    alone, in_models, beside = _evidence(study, members)
    relevance, needed = _classes(
        study, members, Evidence(alone, beside), in_models, bounds[:, 0, 1]
    )
    return Blocks(
        names=tuple(named),
        features=tuple(tuple(each.name for each in block) for block in members),
        intervals=np.stack([bounds[:, 0, 1], bounds[:, 1, 0]], axis=1),
        gaps=bounds[:, :, 1] - bounds[:, :, 0],
        relevance=relevance,
        needed=needed,
        p_alone=alone,
        p_in_models=in_models,
        p_needed=beside,
    )


def _totals(
    study: Study, blocks: Sequence[Sequence[Feature]], most_programs: int, workers: Workers
) -> FloatArray:
    """Bounds of each block's total, as shares of the norm; zeros, if nothing was learned.

    Of the least ``(proved, reached)``, and of the most ``(reached, proved)``.
    """
    if study.feasible is None:
        return np.zeros((len(blocks), 2, 2))
    positions = [np.concatenate([each.positions for each in block]) for block in blocks]
    shared = study, study.feasible, most_programs
    least = workers.map(_least_total, shared[:2], positions, "least of blocks")
    if most_programs:
        most = workers.map(_largest_total, shared, positions, "most of blocks")
    else:
        most = _by_one_pattern(study, study.feasible, positions)
    return np.stack([least, most], axis=1) / study.result.norm


def _classes(
    study: Study,
    blocks: Sequence[Sequence[Feature]],
    evidence: Evidence,
    in_models: FloatArray,
    least: FloatArray,
) -> tuple[IntArray, BoolArray]:
    """What is proved of blocks; error rates are over them and the features that are in none."""
    rule, n = study.settings.chance, len(blocks)
    others = _features_beside(study, blocks)
    alone, of_others, beside = (
        np.array([float(_of(study, each, kind)) for each in others]) for kind in _KINDS
    )
    family = Evidence(
        np.append(np.ones(n) if evidence.alone is None else evidence.alone, alone),
        np.append(evidence.needed, beside),
    )
    every = np.ones(n + len(others), dtype=bool)
    of_use = rule.of_use(family, np.append(in_models, of_others), every)
    of_use[:n] |= [any(_of(study, each, "relevance") for each in block) for block in blocks]
    chance = np.array([_least_of_chance(study, block) for block in blocks])
    in_every = np.append(least > chance + RESOLUTION, np.zeros(len(others), dtype=bool))
    relevance, needed = rule.classes(of_use, family.needed, in_every, every)
    return relevance[:n], needed[:n]


def _features_beside(study: Study, blocks: Sequence[Sequence[Feature]]) -> list[Feature]:
    """Features that vary and are in no block, on the sides that blocks have features of."""
    inside = {(each.side, each.name) for block in blocks for each in block}
    sides = {side for side, _ in inside}
    return [
        each
        for each in study.features
        if each.side in sides and each.column is not None and (each.side, each.name) not in inside
    ]


def _of(study: Study, feature: Feature, what: str) -> Any:
    """What was found of a feature."""
    side = study.result.sides[feature.side]
    return getattr(side, what)[side.feature_names.index(feature.name)]


def _least_of_chance(study: Study, members: Sequence[Feature]) -> float:
    limits = [study.result.sides[each.side].thresholds for each in members]
    return max((each.minrel for each in limits if each), default=0.0)


def _evidence(
    study: Study, blocks: Sequence[Sequence[Feature]]
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """P-values of blocks: alone, in models, beside all others.

    In models, and of privileged features, those of the best column stand for them.
    """
    columns = [columns_of(members, 0) for members in blocks]
    data, is_regular = study.data, [all(each.side == 0 for each in members) for members in blocks]
    alone = p_alone(
        data.regular.columns,
        data.y,
        data.weight,
        columns,
        data.groups,
        unordered=study.best.has_a_score_a_class,
    )
    needed, _ = p_needed(data, study.best, columns)
    return (
        np.where(is_regular, alone, 1.0),
        _of_best(study, blocks, "p_in_models"),
        np.where(is_regular, needed, _of_best(study, blocks, "p_needed")),
    )


def _of_best(study: Study, blocks: Sequence[Sequence[Feature]], what: str) -> FloatArray:
    """The smallest p-value in each block, times the number of its columns."""
    smallest = [
        len(members) * min(float(_of(study, each, what)) for each in members) for members in blocks
    ]
    return np.minimum(smallest, 1.0)


def _least_total(study: Study, feasible: FeasibleSet, positions: IntArray) -> tuple[float, float]:
    """What ``sum |w|`` is proved not to fall below, and the least that is reached."""
    if study.known.keeping(_without(feasible, positions)) is not None:
        return 0.0, 0.0
    halved = _halved(feasible, positions)
    [least] = study.engine.prepare(halved.feasible).extremes(-halved.total(positions)[None])
    return max(0.0, -least.outer), max(0.0, -least.inner)


def _without(feasible: FeasibleSet, positions: IntArray) -> Restriction:
    limit = np.full(feasible.space.n_weights, np.inf)
    limit[positions] = 0.0
    return Restriction.none(len(limit)).within(-limit, limit)


def _by_one_pattern(
    study: Study, feasible: FeasibleSet, blocks: Sequence[IntArray]
) -> list[tuple[float, float]]:
    """What each block's total reaches with each weight on its longer side, and cannot exceed.

    One program a block, of the set as it is: no total exceeds those of single weights.
    """
    goals = np.zeros((len(blocks), feasible.space.n_weights))
    for goal, positions in zip(goals, blocks, strict=True):
        goal[positions] = _longer_sides(study.ends[positions])
    reached = study.engine.prepare(feasible).extremes(goals)
    limits = [_limit(study, feasible, positions) for positions in blocks]
    return [
        (max(0.0, bound.inner), max(0.0, bound.inner, limit))
        for bound, limit in zip(reached, limits, strict=True)
    ]


def _limit(study: Study, feasible: FeasibleSet, positions: IntArray) -> float:
    """What no total exceeds: those of single weights together, and the norm at its lowest price."""
    if not len(positions):
        return 0.0
    alone = np.abs(study.ends[positions]).max(axis=1).sum()
    return float(min(alone, feasible.budget.norm_limit / feasible.space.prices[positions].min()))


def _longer_sides(ranges: FloatArray) -> IntArray:
    return np.where(ranges.sum(axis=1) > 0, 1, -1)


def _halved(feasible: FeasibleSet, positions: IntArray) -> RestrictedModels:
    """The set with weights in two parts, ``w = p - q``."""
    unlimited = Restriction.none(feasible.space.n_weights).at_most(positions, np.inf)
    halved = RestrictedModels.of(feasible, unlimited)
    return halved.with_witness(halved.of_model(feasible.witness)) if feasible.witness else halved


def _largest_total(
    study: Study, feasible: FeasibleSet, most_programs: int, positions: IntArray
) -> tuple[float, float]:
    """The most that ``sum |w|`` reaches, and what it is proved not to exceed."""
    if not len(positions):
        return 0.0, 0.0
    ranges = study.ends[positions] + TIGHT * feasible.scale * np.array([-1, 1])  # surely no smaller
    other_side = np.minimum(-ranges[:, 0], ranges[:, 1])  # how far a weight of either sign goes
    is_open = other_side > _SIGN * feasible.scale
    longer = _longer_sides(ranges)
    signs = np.where(is_open, 0, longer)
    neglected = 2 * other_side[~is_open].clip(min=0.0).sum()
    models = _halved(feasible, positions[is_open]).below_chords(positions[is_open], ranges[is_open])
    search, weights = study.engine.prepare(models.feasible), models.weights[positions]
    (best, _), (_, limit) = _bounds(search, weights, [longer, signs])
    enough, order, solved = _ENOUGH * feasible.scale, count(), 0
    nodes = [(-limit, next(order), signs)] if is_open.any() else []
    while nodes and -nodes[0][0] > best + enough and solved < most_programs:
        some = [heapq.heappop(nodes)[2] for _ in range(min(_NODES_A_ROUND, len(nodes)))]
        children = [child for node in some for child in _children(node, ranges)]
        bounds = _bounds(search, weights, children)
        solved += len(children)
        best = max(best, *(reached for reached, _ in bounds))
        for child, (_, limit) in zip(children, bounds, strict=True):
            if (child == 0).any() and limit > best + enough:
                heapq.heappush(nodes, (-limit, next(order), child))
    return best, max(best + enough, -nodes[0][0] if nodes else 0.0) + neglected


def _bounds(
    search: Search, weights: FloatArray, nodes: Sequence[IntArray]
) -> list[tuple[float, float]]:
    """What each pattern of signs is known to reach, and what it cannot exceed.

    What a direction reaches is a total only if all signs are decided.
    """
    found = search.extremes(np.array([_goal(weights, signs) for signs in nodes]))
    return [
        (0.0 if (signs == 0).any() else bound.inner, bound.outer)
        for signs, bound in zip(nodes, found, strict=True)
    ]


def _goal(weights: FloatArray, signs: IntArray) -> FloatArray:
    """``sum sign * w`` where signs are decided, and ``p + q`` where they are open."""
    undecided = np.abs(weights[signs == 0]).sum(axis=0)
    goal: FloatArray = signs @ weights + undecided
    return goal


def _children(signs: IntArray, ranges: FloatArray) -> list[IntArray]:
    """A node with its most doubtful sign decided both ways."""
    doubt = np.where(signs == 0, np.minimum(-ranges[:, 0], ranges[:, 1]), -np.inf)
    chosen = np.argmax(doubt)
    children = [signs.copy(), signs.copy()]
    children[0][chosen], children[1][chosen] = 1, -1
    return children


def _by_name(names: Sequence[str]) -> dict[str, list[str]]:
    """Columns ``colour=red``, ``colour=blue`` were made of ``colour``."""
    found: dict[str, list[str]] = {}
    for name in names:
        if _ENCODED in name:
            found.setdefault(name.split(_ENCODED)[0], []).append(name)
    return found


def _is_encoder(given: Any) -> bool:
    """Whether this is a fitted ``OneHotEncoder`` of scikit-learn, or like one."""
    return hasattr(given, "categories_") and hasattr(given, "get_feature_names_out")


def _by_encoder(encoder: Any, names: Sequence[str]) -> dict[str, list[str]]:
    """Columns by the encoder's variables; a name may have a transformer's before it."""
    made = [_known_name(str(name), names) for name in encoder.get_feature_names_out()]
    counts = _columns_made(encoder)
    if sum(counts) != len(made):
        raise ConstraintError(
            f"Blocks are taken from a OneHotEncoder, which makes a column for each value; this "
            f"{type(encoder).__name__} makes {len(made)} columns of {sum(counts)} values. Give a "
            "dictionary of names and lists of features instead."
        )
    variables = getattr(encoder, "feature_names_in_", [f"x{i}" for i in range(len(counts))])
    found, first = {}, 0
    for variable, n_made in zip(variables, counts, strict=True):
        found[str(variable)] = made[first : first + n_made]
        first += n_made
    return {variable: columns for variable, columns in found.items() if columns}


def _columns_made(encoder: Any) -> list[int]:
    """How many columns each variable has: rare values share one, and one may be dropped."""
    n = len(encoder.categories_)
    rare = getattr(encoder, "infrequent_categories_", None) or [None] * n
    dropped = getattr(encoder, "drop_idx_", None)
    counts = []
    for i, categories in enumerate(encoder.categories_):
        shared = 0 if rare[i] is None else len(rare[i]) - 1
        is_dropped = dropped is not None and dropped[i] is not None
        counts.append(len(categories) - shared - is_dropped)
    return counts


def _known_name(made: str, names: Sequence[str]) -> str:
    if made in names:
        return made
    matches = [name for name in names if name.endswith(_TRANSFORMER + made)]
    if len(matches) != 1:
        raise ConstraintError(
            f"The encoder made {made!r}, but {len(matches) or 'none'} of the model's features "
            f"{'have' if matches else 'has'} that name; fit the model to a frame with the "
            "encoder's names (set_output(transform='pandas')), or give a dictionary of names and "
            "lists of features."
        )
    return matches[0]
