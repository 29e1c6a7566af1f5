"""Whose rows belong together? Ten rows of one patient are not ten patients."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relbounds.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Groups:
    """Rows that belong together, such as those of a patient, a site or a school.

    Attributes
    ----------
    codes : (n,) int array
        The group of each row, from 0 on; every one occurs.
    """

    codes: IntArray

    @classmethod
    def of(cls, labels: NDArray[Any]) -> "Groups":
        """Rows whose labels are the same."""
        return cls(np.unique(labels, return_inverse=True)[1].ravel())

    def __getitem__(self, chosen: IntArray | BoolArray) -> "Groups":
        """Of some of the rows."""
        return Groups.of(self.codes[chosen])

    @cached_property
    def sizes(self) -> IntArray:
        """The number of rows of each group."""
        return np.bincount(self.codes)

    @property
    def count(self) -> int:
        return len(self.sizes)

    @cached_property
    def _members(self) -> sparse.csr_array:
        n = len(self.codes)
        return sparse.csr_array((np.ones(n), (self.codes, np.arange(n))), (self.count, n))

    def sums(self, values: FloatArray) -> FloatArray:
        """Of values of the rows, (n,) or (n, m), a line a group."""
        sums: FloatArray = self._members @ values
        return sums

    def means(self, values: FloatArray) -> FloatArray:
        """Of values of the rows, a line a group."""
        means: FloatArray = (self.sums(values).T / self.sizes).T
        return means

    @cached_property
    def first(self) -> IntArray:
        """A row of each group."""
        return np.unique(self.codes, return_index=True)[1]

    def have_in_common(self, values: FloatArray) -> bool:
        """Whether all rows of a group have the same values."""
        return bool((values == values[self.first][self.codes]).all())

    def order(self, random_state: np.random.RandomState) -> IntArray:
        """For each row another one, such that groups change places as a whole.

        The rows of a group become rows of one other group, in any order: what a group has in common
        it keeps, and what differs within it, too. Where that has fewer rows, some serve again.
        """
        shuffled = np.lexsort((random_state.random_sample(len(self.codes)), self.codes))
        first = np.cumsum(self.sizes) - self.sizes
        place = np.empty(len(self.codes), dtype=np.int64)
        place[np.argsort(self.codes, kind="stable")] = np.arange(len(place))
        other = random_state.permutation(self.count)[self.codes]
        within = (place - first[self.codes]) % self.sizes[other]
        order: IntArray = shuffled[first[other] + within]
        return order
