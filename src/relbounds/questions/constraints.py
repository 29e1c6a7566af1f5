"""What may models not do? The user's words for it, as limits of weights.

A constraint names a feature, or several, and says one of:

- ``"absent"``: its weight is zero;
- ``"positive"`` or ``"negative"``: its weight has this sign, or is zero;
- ``(low, high)``: its relevance ``|w|`` lies between them;
- ``("signed", low, high)``: its weight lies between them;
- for several features, a number: the most that their relevance may be in total.

Numbers are shares of the best model's norm, as in ``intervals_``.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from relbounds.arrays import IntArray
from relbounds.engine import Restriction
from relbounds.exceptions import ConstraintError
from relbounds.method.state import Study
from relbounds.method.training_data import Feature

_SEVERAL = (tuple, list, range, set, frozenset)
_WORDS = {"absent": (0.0, 0.0), "positive": (0.0, np.inf), "negative": (-np.inf, 0.0)}
_EXPECTED = (
    "'absent', 'positive', 'negative', (low, high) for the relevance, ('signed', low, high) for "
    "the weight, or for several features the most that their total relevance may be"
)


@dataclass(frozen=True, eq=False)
class Constraint:
    """What is asked of some features, in words, and as limits of weights.

    ``cases``: restrictions of which a model has to keep one.
    """

    text: str
    cases: tuple[Restriction, ...]


class Reader:
    """Reads constraints on the features of a fitted model."""

    def __init__(self, features: Sequence[Feature], n_weights: int, norm: float) -> None:
        self._features, self._n_weights, self._norm = features, n_weights, norm
        self._by_name = {each.name: each for each in features}
        counts = Counter(each.name for each in features)
        self._doubtful = {name for name, count in counts.items() if count > 1}

    @classmethod
    def of(cls, study: Study) -> "Reader":
        """Knows features by name or by index, privileged ones last."""
        return cls(study.features, study.best.composition.space.n_weights, study.result.norm)

    def read(self, constraints: Mapping[Any, Any]) -> list[Constraint]:
        """A constraint for each item."""
        if not isinstance(constraints, Mapping) or not constraints:
            raise ConstraintError(
                "Constraints are a dictionary of features and what is asked of them, for instance "
                f"{{'age': 'absent'}}; got {constraints!r}."
            )
        return [self._constraint(key, asked) for key, asked in constraints.items()]

    def features(self, key: Any) -> list[Feature]:
        """The features that a name, an index, or a sequence of them means."""
        if getattr(key, "ndim", 0) == 1:  # arrays and the like
            key = key.tolist()
        keys = key if isinstance(key, _SEVERAL) else [key]
        found = list(dict.fromkeys(self._feature(each) for each in keys))
        if not found:
            raise ConstraintError(f"A constraint names at least one feature; got {key!r}.")
        if isinstance(key, set | frozenset):  # their order differs from run to run
            return sorted(found, key=self._features.index)
        return found

    def _feature(self, key: Any) -> Feature:
        if isinstance(key, str) and key in self._doubtful:
            raise ConstraintError(
                f"Several features are called {key!r}; give an index from 0 to "
                f"{len(self._features) - 1} instead."
            )
        if isinstance(key, str) and key in self._by_name:
            return self._by_name[key]
        is_index = isinstance(key, int | np.integer) and not isinstance(key, bool)
        if is_index and 0 <= key < len(self._features):
            return self._features[int(key)]
        names = ", ".join(list(self._by_name)[:10])
        raise ConstraintError(
            f"There is no feature {key!r}; name one of {names}{', ...' * (len(self._by_name) > 10)}"
            f" or give an index from 0 to {len(self._features) - 1}."
        )

    def _constraint(self, key: Any, asked: Any) -> Constraint:
        features = self.features(key)
        if isinstance(key, _SEVERAL) and _is_number(asked):
            return self._total(features, float(asked))
        cases = [
            case
            for each in product(*(self._cases(feature, asked) for feature in features))
            for case in [_all_of(each, self._n_weights)]
        ]
        names = ", ".join(each.name for each in features)
        return Constraint(f"{names}: {_told(asked)}", tuple(cases))

    def _total(self, features: Sequence[Feature], limit: float) -> Constraint:
        if not 0 <= limit < np.inf:
            raise ConstraintError(f"A total relevance is at least 0 and finite; got {limit!r}.")
        positions = np.concatenate([each.positions for each in features])
        names = ", ".join(each.name for each in features)
        case = Restriction.none(self._n_weights).at_most(positions, limit * self._norm)
        return Constraint(f"{names}: at most {limit:g} in total", (case,))

    def _cases(self, feature: Feature, asked: Any) -> list[Restriction]:
        """Restrictions of one feature's weights, of which one has to be kept."""
        if isinstance(asked, str) and asked in _WORDS:
            return [self._box(feature.positions, *_WORDS[asked])]
        if isinstance(asked, tuple | list) and len(asked) == 3 and asked[0] == "signed":
            return [self._box(feature.positions, *_checked(asked[1:], asked, -np.inf))]
        if isinstance(asked, tuple | list) and len(asked) == 2:
            return self._of_relevance(feature, *_checked(asked, asked, 0.0))
        raise ConstraintError(f"A constraint is {_EXPECTED}; got {asked!r}.")

    def _of_relevance(self, feature: Feature, low: float, high: float) -> list[Restriction]:
        """Where zero is not allowed, one of the weights is that large, with one of the signs."""
        at_most = self._box(feature.positions, -high, high)
        if low == 0:
            return [at_most]
        return [
            at_most.within(*_ends(self._box(np.array([position]), *ends)))
            for position in feature.positions
            for ends in ((low, np.inf), (-np.inf, -low))
        ]

    @property
    def _impossible(self) -> Restriction:
        return Restriction.none(self._n_weights).at_most(np.empty(0, dtype=np.int64), -1.0)

    def _box(self, positions: IntArray, low: float, high: float) -> Restriction:
        if not len(positions) and not low <= 0 <= high:
            return self._impossible
        box = Restriction.none(self._n_weights)
        box.low[positions], box.high[positions] = low * self._norm, high * self._norm
        return box


def _ends(box: Restriction) -> tuple[Any, Any]:
    return box.low, box.high


def _all_of(parts: Iterable[Restriction], n_weights: int) -> Restriction:
    """What keeps all of them."""
    together = Restriction.none(n_weights)
    for each in parts:
        together = together.within(each.low, each.high)
        for positions, limit in each.totals:
            together = together.at_most(positions, limit)
    return together


def combined(constraints: Sequence[Constraint], n_weights: int) -> list[Restriction]:
    """Restrictions of which a model that keeps all constraints keeps one.

    Those that nothing can keep are left out.
    """
    cases = product(*(each.cases for each in constraints))
    together = [_all_of(case, n_weights) for case in cases]
    return [each for each in together if not each.contradicts_itself]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def _checked(ends: Sequence[Any], asked: Any, least: float) -> tuple[float, float]:
    if all(map(_is_number, ends)) and least <= ends[0] <= ends[1]:
        low, high = float(ends[0]), float(ends[1])
        if low < np.inf and high > -np.inf:
            return low, high
    kind = "relevance" if least == 0 else "a signed weight"
    raise ConstraintError(
        f"A range of {kind} has two numbers, the smaller first"
        f"{' and not negative' if least == 0 else ''}; got {asked!r}."
    )


def _told(asked: Any) -> str:
    if isinstance(asked, str):
        return asked
    if len(asked) == 3:
        return f"weight from {asked[1]:g} to {asked[2]:g}"
    return f"relevance from {asked[0]:g} to {asked[1]:g}"
