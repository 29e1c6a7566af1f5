"""What may a good model cost?"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Budget:
    """``norm_price * |w|_1 + loss_price * loss <= limit`` and ``|w|_1 <= norm_limit``."""

    norm_price: float
    loss_price: float
    limit: float
    norm_limit: float

    @classmethod
    def split(cls, norm: float, loss: float, loss_unit: float = 1.0) -> "Budget":
        """``|w|_1`` and the loss each have a limit of their own.

        Losses are counted in units of their size, which keeps solvers' tolerances meaningful.
        """
        return cls(
            norm_price=0.0, loss_price=1 / loss_unit, limit=loss / loss_unit, norm_limit=norm
        )

    @classmethod
    def joint(cls, C: float, limit: float) -> "Budget":
        """``|w|_1 / 2 + C * loss <= limit``, which implies ``|w|_1 <= 2 * limit``."""
        return cls(norm_price=0.5, loss_price=C, limit=limit, norm_limit=2 * limit)

    @property
    def loss_limit(self) -> float:
        """The most that the loss can be."""
        return self.limit / self.loss_price

    def most(self, norm_worth: float, loss_worth: float) -> float:
        """The largest ``norm_worth * |w|_1 + loss_worth * loss``, for worths of at least 0.

        Taken at one of the two corners of (norm, loss) that no other dominates.
        """
        left_for_loss = (self.limit - self.norm_price * self.norm_limit) / self.loss_price
        return max(
            loss_worth * self.loss_limit,
            norm_worth * self.norm_limit + loss_worth * left_for_loss,
        )
