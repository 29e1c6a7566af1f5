"""What do walks prove that went through sets of good models, each within the next?

Multipliers say how far no model reaches within any limits, so that those of one set prove something
of all others, without another look at the data.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from relbounds.arrays import BoolArray, FloatArray
from relbounds.engine.corners import Corners
from relbounds.engine.feasible_set import FeasibleSet
from relbounds.engine.proof import Bound, Claims
from relbounds.engine.walks import Course


@dataclass(frozen=True, eq=False)
class GrowingSets:
    """Sets of good models with budgets that grow.

    Attributes
    ----------
    corners : Corners
        Of the same models, with any budget of the same kind.
    sets : sequence of FeasibleSet
        From the least tolerance on.
    """

    corners: Corners
    sets: Sequence[FeasibleSet]

    @cached_property
    def limits(self) -> FloatArray:
        """A line for each set."""
        limits: FloatArray = np.array([self.corners.within(each).limits for each in self.sets])
        return limits

    def bounds(
        self,
        courses: Sequence[Course],
        legs: slice,
        columns: Sequence[FloatArray] = (),
        price: float = 1.0,
    ) -> list[list[Bound]]:
        """What each course proves of each of some sets.

        Where a walk is not at its end, nothing is reached, but the outer value holds. ``columns``:
        those that joined the sets of each course, (points, e), and what their weights count in the
        norm. Models at ends are kept where none did.
        """
        own = np.array([each.T for each in columns] or np.empty((len(courses), 0, 0)))
        inner, violation = self._inner(courses, legs, own, price)
        values = np.stack([inner, self._outer(courses, legs, own, price), violation], axis=-1)
        if own.shape[1]:
            return [[Bound(*each) for each in of_course] for of_course in values.tolist()]
        return [
            [
                Bound.by(model, *each) if np.isfinite(each[0]) else Bound(*each)
                for model, each in zip(course.models, of_course, strict=True)
            ]
            for course, of_course in zip(courses, values.tolist(), strict=True)
        ]

    def _outer(
        self, courses: Sequence[Course], legs: slice, own: FloatArray, price: float
    ) -> FloatArray:
        """What no model passes: (courses, sets)."""
        sets, proofs = self.sets[legs], np.array([each.proofs for each in courses])
        used = proofs == np.arange(len(sets))
        multipliers = np.concatenate(
            [each.multipliers(lines) for each, lines in zip(courses, used, strict=True)]
        )
        claims = replace(_claims(courses, used, own, price), multipliers=multipliers)
        bound = claims.dual_bound(sets[-1])
        line = np.take_along_axis(np.cumsum(used).reshape(used.shape) - 1, proofs, axis=1)
        within = [bound.within(each.budget) for each in sets]
        outer = np.column_stack([each[line[:, k]] for k, each in enumerate(within)])
        outer[np.array([each.is_lost for each in courses])] = np.inf
        return outer

    def _inner(
        self, courses: Sequence[Course], legs: slice, own: FloatArray, price: float
    ) -> tuple[FloatArray, FloatArray]:
        """What models at ends reach, and by how much they break their set: (courses, sets) each."""
        space, is_at_end = (
            self.corners.feasible.space,
            np.array([each.is_at_end for each in courses]),
        )
        claims = _claims(courses, is_at_end, own, price)
        missed = claims.shortfalls(space)
        known = claims.norms(space), *space.rows.priced(missed)
        broken = np.array([each.excess_of_limits(*known) for each in self.sets[legs]])
        inner, violation = np.full((2, *is_at_end.shape), [[[-np.inf]], [[np.inf]]])
        leg = np.nonzero(is_at_end)[1]
        inner[is_at_end], violation[is_at_end] = claims.reached, broken[leg, np.arange(len(leg))]
        return inner, violation


def _claims(courses: Sequence[Course], used: BoolArray, own: FloatArray, price: float) -> Claims:
    """Of some legs of each course, without multipliers."""
    count, d = used.sum(axis=1), courses[0].n_weights
    points = np.concatenate([each.points[legs] for each, legs in zip(courses, used, strict=True)])
    return Claims(
        goals=np.repeat([each.goal[:d] for each in courses], count, axis=0),
        weights=points[:, :d],
        offsets=points[:, d:],
        multipliers=np.empty((len(points), 0)),
        prices=np.empty((len(points), 0)),
        columns=np.repeat(own, count, axis=0),
        price=price,
    )
