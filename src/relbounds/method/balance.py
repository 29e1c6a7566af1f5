"""How much do classes of different size count in the loss?

Where most samples are of one class, the model that always names it loses little, and features may
not be worth their weight. So a rare class can count more: its samples' losses are multiplied by a
power of its size.
"""

from dataclasses import dataclass

import numpy as np

from relbounds.arrays import FloatArray

POWERS = (1.0, 0.75, 0.5, 0.25, 0.0)
"""What ``class_weight="auto"`` chooses from: 1 all classes alike, 0 as classes come."""
_NEARLY_EVEN = 1.5  # times as large as the smallest class: powers would hardly differ


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
        if not self.power:
            return (sizes > 0).astype(np.float64)
        counted = np.zeros(len(sizes))
        counted[sizes > 0] = (sizes[sizes > 0] / sizes.max()) ** -self.power
        return counted * (sizes.sum() / (counted @ sizes))

    def in_loss(self, y: FloatArray, weight: FloatArray) -> FloatArray:
        """What each sample counts in the loss; ``weight`` is what it counts in all else."""
        if not self.power and self.given is None:
            return weight
        n_classes = 0 if self.given is None else len(self.given)
        rank = y.astype(np.int64)
        return weight * self.of_classes(np.bincount(rank, weight, n_classes))[rank]


def balances_for(sizes: FloatArray) -> tuple[Balance, ...]:
    """What there is to choose from: nothing, if classes are of nearly the same size."""
    if sizes.max() <= _NEARLY_EVEN * sizes.min():
        return (Balance(),)
    return tuple(map(Balance, POWERS))
