"""What do walks prove that went through sets of good models, each within the next?

Multipliers say how far no model reaches within any limits, so that those of one set prove something
of all others, without another look at the data.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from relbounds.arrays import FloatArray, IntArray
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
        norm.
        """
        own = np.array([each.T for each in columns] or np.empty((len(courses), 0, 0)))
        inner, violation = self._inner(courses, legs, own, price)
        values = np.stack([inner, self._outer(courses, legs, own, price), violation], axis=-1)
        return [[Bound(*each) for each in of_course] for of_course in values.tolist()]

    def _outer(
        self, courses: Sequence[Course], legs: slice, own: FloatArray, price: float
    ) -> FloatArray:
        """What no model passes: (courses, sets)."""
        sets, proofs = self.sets[legs], np.array([each.proofs for each in courses])
        course, leg = np.nonzero(proofs == np.arange(len(sets)))
        bound = _claims(courses, course, leg, own, price).dual_bound(sets[-1])
        line = np.zeros(proofs.shape, dtype=np.int64)
        line[course, leg] = np.arange(len(leg))
        line = np.take_along_axis(line, proofs, axis=1)
        within = [bound.within(each.budget) for each in sets]
        outer = np.column_stack([each[line[:, k]] for k, each in enumerate(within)])
        outer[np.array([each.is_lost for each in courses])] = np.inf
        return outer

    def _inner(
        self, courses: Sequence[Course], legs: slice, own: FloatArray, price: float
    ) -> tuple[FloatArray, FloatArray]:
        """What models at ends reach, and by how much they break their set: (courses, sets) each."""
        is_at_end = np.array([each.is_at_end for each in courses])
        inner, violation = np.full((2, *is_at_end.shape), [[[-np.inf]], [[np.inf]]])
        leg, course = np.nonzero(is_at_end.T)
        claims = _claims(courses, course, leg, own, price)
        space = self.corners.feasible.space
        norms, missed = claims.norms(space), claims.shortfalls(space)
        inner[course, leg] = claims.reached
        ends = np.searchsorted(leg, np.arange(len(is_at_end[0]) + 1))
        for feasible, first, last in zip(self.sets[legs], ends[:-1], ends[1:], strict=True):
            some = slice(first, last)
            violation[course[some], leg[some]] = feasible.excess(norms[some], missed[some])
        return inner, violation


def _claims(
    courses: Sequence[Course], course: IntArray, leg: IntArray, own: FloatArray, price: float
) -> Claims:
    """Of some legs of some courses."""
    points = np.array([courses[c].points[k] for c, k in zip(course, leg, strict=True)])
    points = points.reshape(len(leg), len(courses[0].goal))
    multipliers = np.array([courses[c].multipliers[k] for c, k in zip(course, leg, strict=True)])
    d = courses[0].n_weights
    return Claims(
        goals=np.array([courses[c].goal[:d] for c in course]).reshape(len(leg), d),
        weights=points[:, :d],
        offsets=points[:, d:],
        multipliers=multipliers.reshape(len(leg), courses[0].multipliers.shape[1]),
        prices=np.empty((len(leg), 0)),
        columns=own[course],
        price=price,
    )
