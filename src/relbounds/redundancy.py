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
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.cluster.hierarchy import ClusterNode, linkage, to_tree
from scipy.spatial.distance import squareform

from relbounds.arrays import FloatArray, IntArray
from relbounds.engine import Restriction
from relbounds.records import Record
from relbounds.study import Study
from relbounds.what_if import absence, is_unkept, learned_body, over_baseline
from relbounds.wording import listed

FAR_MORE = 2.0
"""Times the sum of prices. Measured: 0.7 to 1.1 where sets have nothing to do with each other, 7
and more where they stand in for one another."""
_NOTHING = 1e-6  # a price that is rounding


@dataclass(frozen=True, eq=False)
class Join(Record):
    """Two sets of features that the tree joins, and what it costs to do without them.

    Attributes
    ----------
    first, second : tuple of str
    distance : float
        One minus the mean size of the correlation between their members.
    first_price, second_price, price : float
        Of doing without each, and without both.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    distance: float
    first_price: float
    second_price: float
    price: float

    @property
    def ratio(self) -> float:
        """How many times the sum of their prices it costs to do without both."""
        apart = self.first_price + self.second_price
        if apart > _NOTHING:
            return self.price / apart if np.isfinite(apart) else 1.0
        return np.inf if self.price > _NOTHING else 1.0


@dataclass(frozen=True, eq=False)
class Redundancy(Record):
    """Groups of features that stand in for one another.

    Attributes
    ----------
    feature_names : tuple of str
        Regular and then privileged features.
    groups : tuple of tuple of str
        Each holds at least two features. No good model does without all of a group.
    needed : tuple of tuple of str
        For each group a part of it that no good model does without, and of which nothing can be
        left out: at least one of these is needed.
    joins : tuple of Join
        The tree of relevant features, the last join first.
    labels : int array
        The group of each feature, by its number; a feature without one has its own number.
    """

    feature_names: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]
    needed: tuple[tuple[str, ...], ...]
    joins: tuple[Join, ...]
    labels: IntArray

    def sentences(self) -> list[str]:
        """The groups in words."""
        return [_sentence(*each) for each in zip(self.groups, self.needed, strict=True)]


def _sentence(group: Sequence[str], needed: Sequence[str]) -> str:
    text = f"{listed(group)} stand in for one another"
    if len(needed) == 1:
        return f"{text}, but {needed[0]} is needed all the same."
    if len(needed) == 2:
        first, second = needed
        return f"{text}: without {first}, {second} becomes indispensable, and the other way round."
    return f"{text}: at least one of {listed(needed)} is needed."


def redundancy(study: Study) -> Redundancy:
    """Groups of relevant features, from prices of absence along a tree of likeness."""
    learned_body(study)
    tree = _Tree(study)
    groups = tree.groups()
    return Redundancy(
        tree.names,
        tuple(tree.named(each) for each in groups),
        tuple(tree.named(tree.smallest_needed(each)) for each in groups),
        tuple(tree.joins()),
        _numbered(groups, len(tree.names)),
    )


def _numbered(groups: Sequence[tuple[int, ...]], n_features: int) -> IntArray:
    labels = np.full(n_features, -1)
    for number, group in enumerate(groups):
        labels[list(group)] = number
    alone = np.flatnonzero(labels < 0)
    labels[alone] = len(groups) + np.arange(len(alone))
    return labels.astype(np.int64)


class _Tree:
    """Relevant features, joined by likeness, with prices of absence."""

    def __init__(self, study: Study) -> None:
        self._study, self._known = study, study.reader.known
        self.names = tuple(each.name for each in self._known)
        self._relevant = np.flatnonzero(study.result.to_frame()["relevance"] != "irrelevant")
        self._prices: dict[frozenset[int], float] = {}

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
        sampled, varying = self._study.sampled, self._study.varying
        regular = np.zeros((len(sampled.y), len(varying)))
        regular[:, varying] = sampled.points
        parts = [regular] if sampled.privileged is None else [regular, sampled.privileged]
        return np.hstack(parts)[:, self._relevant]

    def _members(self, node: ClusterNode) -> tuple[int, ...]:
        return tuple(sorted(self._relevant[node.pre_order()].tolist()))

    def named(self, members: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.names[k] for k in members)

    def joins(self) -> list[Join]:
        """What the tree joins, with prices."""
        found = []
        for node in self._nodes:
            first, second = self._members(node.left), self._members(node.right)
            prices = [self._price(each) for each in (first, second, self._members(node))]
            found.append(Join(self.named(first), self.named(second), float(node.dist), *prices))
        return found

    def groups(self) -> list[tuple[int, ...]]:
        """The first sets from the root down whose halves stand in for one another."""
        found: list[tuple[int, ...]] = []
        for node, join in zip(self._nodes, self.joins(), strict=True):
            members = self._members(node)
            is_part = any(set(members) <= set(group) for group in found)
            if not is_part and join.ratio >= FAR_MORE and self._is_needed(members):
                found.append(members)
        return sorted(found)

    def smallest_needed(self, group: Sequence[int]) -> tuple[int, ...]:
        """A part of a group that no good model does without, though without any less of it."""
        needed = list(group)
        for each in sorted(group, key=lambda k: (self._price([k]), self.names[k])):
            fewer = [k for k in needed if k != each]
            if fewer and self._is_needed(fewer):
                needed = fewer
        return tuple(needed)

    def _absence(self, members: Sequence[int]) -> Restriction:
        return absence(self._study, [self._known[k] for k in members])

    def _is_needed(self, members: Sequence[int]) -> bool:
        return is_unkept(self._study, self._absence(members), self._price(members))

    def _price(self, members: Sequence[int]) -> float:
        key = frozenset(members)
        if key not in self._prices:
            self._prices[key] = over_baseline(self._study, [self._absence(members)])
        return self._prices[key]


def _likeness(columns: FloatArray) -> FloatArray:
    """The size of the correlation of each pair of columns."""
    centred = columns - columns.mean(axis=0)
    size = np.linalg.norm(centred, axis=0)
    units = centred / np.where(size > 0, size, 1.0)
    alike: FloatArray = np.clip(np.abs(units.T @ units), 0.0, 1.0)
    np.fill_diagonal(alike, 1.0)
    return alike
