"""Which features stand in for one another?

Let ``price(S)`` be the least tolerance at which a good model does without all features of S. Two
sets have nothing to do with each other if doing without both costs no more than the sum of both
prices. They *stand in for one another* if it costs far more: each is cheap to miss only because the
other is there. A *group* is a set that no good model does without, and whose halves stand in for
one another.

Which halves to look at is told by the columns: a tree that joins what is most alike. From its root
down, the first sets that are groups are taken. Prices are exact, whatever the tree.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from scipy.cluster.hierarchy import ClusterNode, linkage, to_tree
from scipy.spatial.distance import squareform

from relbounds.arrays import FloatArray, IntArray
from relbounds.engine import Restriction
from relbounds.method.parallel import ONE_BLAS_THREAD, Workers
from relbounds.method.state import Study, learned_set
from relbounds.questions.feasibility import absence, is_unkept, over_baseline
from relbounds.results.answers import FAR_MORE, Join, Redundancy


@ONE_BLAS_THREAD
def redundancy(study: Study, workers: Workers) -> Redundancy:
    """Groups of relevant features, from prices of absence along a tree of likeness."""
    learned_set(study)
    tree = _Tree(study)
    prices = _Prices(study, tree.sets(), workers)
    joins = tree.joins(prices)
    groups = tree.groups(joins, prices)
    needed = workers.map(_Prices.smallest_needed, (prices,), groups, "groups")
    return Redundancy(
        tree.names,
        tuple(tree.named(each) for each in groups),
        tuple(tree.named(each) for each in needed),
        tuple(joins),
        _numbered(groups, len(tree.names)),
    )


def _numbered(groups: Sequence[tuple[int, ...]], n_features: int) -> IntArray:
    labels = np.full(n_features, -1)
    for number, group in enumerate(groups):
        labels[list(group)] = number
    alone = np.flatnonzero(labels < 0)
    labels[alone] = len(groups) + np.arange(len(alone))
    return labels.astype(np.int64)


class _Prices:
    """What it costs to do without features, by their numbers; of the sets of a tree it is known."""

    def __init__(self, study: Study, sets: Sequence[tuple[int, ...]], workers: Workers) -> None:
        self._study = study
        found = workers.map(_price, (study,), sets, "prices")
        self._known = dict(zip(sets, found, strict=True))

    def of(self, members: tuple[int, ...]) -> float:
        known = self._known.get(members)
        return _price(self._study, members) if known is None else known

    def is_needed(self, members: tuple[int, ...]) -> bool:
        """Whether no good model does without all of them."""
        return is_unkept(self._study, _absence(self._study, members), self.of(members))

    def smallest_needed(self, group: tuple[int, ...]) -> tuple[int, ...]:
        """A part of a group that no good model does without, though without any less of it."""
        needed, known = group, self._study.features
        for each in sorted(group, key=lambda k: (self.of((k,)), known[k].name)):
            fewer = tuple(k for k in needed if k != each)
            if fewer and self.is_needed(fewer):
                needed = fewer
        return needed


def _price(study: Study, members: Sequence[int]) -> float:
    return over_baseline(study, [_absence(study, members)])


def _absence(study: Study, members: Sequence[int]) -> Restriction:
    return absence(study, [study.features[k] for k in members])


class _Tree:
    """Relevant features, joined by likeness."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self.names = tuple(each.name for each in study.features)
        self._relevant = np.flatnonzero(study.result.to_frame()["relevance"] != "irrelevant")

    @cached_property
    def _nodes(self) -> list[ClusterNode]:
        """Joins, the last one first."""
        if len(self._relevant) < 2:
            return []
        distances = 1 - _likeness(self._columns)
        joined = linkage(squareform(distances, checks=False), "average")
        nodes = to_tree(joined, rd=True)[1]
        return [node for node in reversed(nodes) if not node.is_leaf()]

    @property
    def _columns(self) -> FloatArray:
        """Of the relevant features; constant ones are never relevant."""
        tables = [each.placed(each.columns.T).T for each in self._study.data.tables]
        return np.hstack(tables)[:, self._relevant]

    def _members(self, node: ClusterNode) -> tuple[int, ...]:
        return tuple(sorted(self._relevant[node.pre_order()].tolist()))

    def named(self, members: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.names[k] for k in members)

    def sets(self) -> list[tuple[int, ...]]:
        """All that is joined, and what comes of it."""
        root = [self._members(node) for node in self._nodes[:1]]
        return root + [
            self._members(half) for node in self._nodes for half in (node.left, node.right)
        ]

    def joins(self, prices: _Prices) -> list[Join]:
        """What the tree joins, with prices."""
        found = []
        for node in self._nodes:
            first, second = self._members(node.left), self._members(node.right)
            costs = [prices.of(each) for each in (first, second, self._members(node))]
            found.append(Join(self.named(first), self.named(second), float(node.dist), *costs))
        return found

    def groups(self, joins: Sequence[Join], prices: _Prices) -> list[tuple[int, ...]]:
        """The first sets from the root down whose halves stand in for one another."""
        found: list[tuple[int, ...]] = []
        for node, join in zip(self._nodes, joins, strict=True):
            members = self._members(node)
            is_part = any(set(members) <= set(group) for group in found)
            if not is_part and join.ratio >= FAR_MORE and prices.is_needed(members):
                found.append(members)
        return sorted(found)


def _likeness(columns: FloatArray) -> FloatArray:
    """The size of the correlation of each pair of columns."""
    centred = columns - columns.mean(axis=0)
    size = np.linalg.norm(centred, axis=0)
    units = centred / np.where(size > 0, size, 1.0)
    alike: FloatArray = np.clip(np.abs(units.T @ units), 0.0, 1.0)
    np.fill_diagonal(alike, 1.0)
    return alike
