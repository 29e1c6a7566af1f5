"""How much do classes of different size count in the loss?

Where most samples are of one class, the model that always names it loses little, and features may
not be worth their weight. So a rare class can count more: its samples' losses are multiplied by a
power of its size.
"""

from dataclasses import dataclass

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.results.data_facts import are_even

POWERS = (1.0, 0.75, 0.5, 0.25, 0.0)
"""What ``class_weight="auto"`` chooses from: 1 all classes alike, 0 as classes come."""


@dataclass(frozen=True)
class Balance:
    """What multiplies the losses of each class's samples.

    ``size ** -power``, scaled so that samples count one on average; or as given.

    Attributes
    ----------
    power : float or None
        None: classes count as they come, or as given.
    given : tuple of float or None
        Of each class, from the lowest on.
    """

    power: float | None = None
    given: tuple[float, ...] | None = None

    def of_classes(self, sizes: FloatArray) -> FloatArray:
        """What each class counts, if they have these sizes; an empty one counts nothing."""
        if self.given is not None:
            return np.where(sizes > 0, self.given, 0.0)
        if self.is_plain:
            return (sizes > 0).astype(np.float64)
        there, counted = sizes > 0, np.zeros(len(sizes))
        counted[there] = (sizes[there] / sizes.max()) ** -(self.power or 0.0)
        counted *= sizes.sum() / (counted @ sizes)
        return counted

    @property
    def is_plain(self) -> bool:
        """Whether all classes count one."""
        return not self.power and self.given is None

    def in_loss(self, y: FloatArray, weight: FloatArray) -> FloatArray:
        """What each sample counts in the loss; ``weight`` is what it counts in all else."""
        if self.is_plain:
            return weight
        sizes = sizes_of_classes(y, weight, 0 if self.given is None else len(self.given))
        counted: FloatArray = weight * self.of_classes(sizes)[y.astype(np.int64)]
        return counted


def sizes_of_classes(y: FloatArray, weight: FloatArray, n_classes: int = 0) -> FloatArray:
    """The total weight of each class, by its rank; of the last ones there may be no sample."""
    return np.bincount(y.astype(np.int64), weight, n_classes).astype(np.float64)


def balances_for(sizes: FloatArray) -> tuple[Balance, ...]:
    """What there is to choose from: nothing, if classes are of nearly the same size."""
    return (Balance(),) if are_even(sizes) else tuple(map(Balance, POWERS))
