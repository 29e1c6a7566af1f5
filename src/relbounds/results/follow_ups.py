"""What was asked after the answer, together: what was not asked is None or empty."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from relbounds.results.answers import (
    Absences,
    Blocks,
    ConstrainedResult,
    Covers,
    Price,
    Redundancy,
)
from relbounds.results.explored import Foreseen
from relbounds.results.other_data import HeldOut, Stability


class Without(NamedTuple):
    """What it costs to do without some features, and what is found then.

    Attributes
    ----------
    price : Price
    then : ConstrainedResult or None
        Over the good models without them; None if there are none, or nobody asked.
    """

    price: Price
    then: ConstrainedResult | None = None

    def became(self) -> dict[str, list[str]] | None:
        """Other features that are needed only now, or no longer; None if nothing is known.

        A class can change for less: fewer good models are left, so that what every one of them
        uses may be more, without standing in for anything.
        """
        if self.then is None:
            return None
        now, before = self.then.to_frame(), self.then.before.to_frame()
        others = ~now.index.isin(self.price.features)
        return {
            "needed": now.index[others & now["needed"] & ~before["needed"]].tolist(),
            "no_longer_needed": now.index[others & ~now["needed"] & before["needed"]].tolist(),
        }


@dataclass(frozen=True, eq=False)
class FollowUps:
    """Answers to further questions; what was not asked is None or empty."""

    blocks: Blocks | None = None
    without: tuple[Without, ...] = ()
    stand_ins: Redundancy | None = None
    covers: Covers | None = None
    stability: Stability | None = None
    held_out: HeldOut | None = None
    absences: Absences | None = None
    foreseen: Foreseen | None = None

    @classmethod
    def given(cls, *, without: Any = (), **answers: Any) -> "FollowUps":
        """What a user hands over, checked; an absence is a price, or one with what is then."""
        for name, value in answers.items():
            kind, method = _ASKED[name]
            _expect(name, value, kind, f"what model.{method}() gives")
        _expect("without", without, list | tuple, "a list of what model.price(...) gives")
        pairs = [each if isinstance(each, tuple) else (each, None) for each in without or ()]
        if any(len(pair) != 2 for pair in pairs):
            raise TypeError(
                "without must be a list of what model.price(...) gives, or of pairs with what "
                "model.what_if(...) gives; got a tuple of another length."
            )
        for price, then in pairs:
            _expect("without", price, Price, "a list of what model.price(...) gives")
            _expect("without", then, ConstrainedResult, "a price and what model.what_if(...) gives")
        return cls(without=tuple(Without(*pair) for pair in pairs), **answers)


_ASKED = {
    "blocks": (Blocks, "blocks"),
    "stand_ins": (Redundancy, "redundancy"),
    "covers": (Covers, "covers"),
    "stability": (Stability, "stability"),
    "held_out": (HeldOut, "held_out"),
    "absences": (Absences, "absences"),
    "foreseen": (Foreseen, "foreseen"),
}
"""What each answer is, and who gives it."""


def _expect(argument: str, value: Any, kind: Any, what: str) -> None:
    if value is not None and not isinstance(value, kind):
        raise TypeError(f"{argument} must be {what}; got a {type(value).__name__}.")
