"""What more can be asked of a fitted model?"""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from sklearn.utils.validation import check_is_fitted

from relbounds.method.parallel import Workers
from relbounds.method.state import Study
from relbounds.questions.absences import absences
from relbounds.questions.blocks import MOST_PROGRAMS, blocks_of
from relbounds.questions.covers import covers
from relbounds.questions.feasibility import price, prices
from relbounds.questions.foreseen import foreseen
from relbounds.questions.held_out import held_out
from relbounds.questions.redundancy import redundancy
from relbounds.questions.stability import HALVES, stability
from relbounds.questions.tolerance_path import tolerance_path
from relbounds.questions.what_if import what_if
from relbounds.results.answers import (
    Absences,
    Blocks,
    ConstrainedResult,
    Covers,
    Price,
    Redundancy,
    RelevancePath,
)
from relbounds.results.explored import Foreseen
from relbounds.results.other_data import HeldOut, Stability


class FollowUp:
    """Questions to the good models of a fitted estimator; nothing is fitted anew for them."""

    n_jobs: int | None
    verbose: int
    _study: Study | None

    def what_if(self, constraints: Mapping[Any, Any]) -> ConstrainedResult:
        """Relevance over the good models that keep constraints.

        Nothing is fitted, tuned or drawn anew: it is the same set of good models, cut.

        Parameters
        ----------
        constraints : dict
            From a feature (name, or index, privileged ones last) or a tuple of features to what is
            asked: ``"absent"``; ``"positive"`` or ``"negative"``; ``(low, high)`` for the
            relevance; ``("signed", low, high)`` for the weight; for a tuple of features also a
            number, the most that their relevance may be in total. Numbers are shares of the best
            model's norm, as in ``intervals_``.

        Returns
        -------
        ConstrainedResult
            A result like ``result_``; ``changes()`` says what moved.

        Raises
        ------
        InfeasibleError
            If no good model keeps them; names a conflict of which nothing can be left out, and the
            tolerance that would make all of it possible.
        """
        return what_if(self._known(), constraints, self._workers)

    def price(self, features: Any) -> Price:
        """What it costs to do without a feature, or without several at once.

        Parameters
        ----------
        features : name or index, or a sequence of them

        Returns
        -------
        Price
            The least tolerance at which a good model does without them, and how the cross-validated
            error grows.
        """
        return price(self._known(), features, self._workers)

    def prices(self) -> pd.DataFrame:
        """What it costs to do without each single feature, a row for each."""
        return prices(self._known(), self._workers)

    def blocks(self, blocks: Any = None, *, most_programs: int = MOST_PROGRAMS) -> Blocks:
        """Whether several columns matter as one: the least and the most of their total relevance.

        A block can be indispensable although each of its columns has substitutes in it.

        Parameters
        ----------
        blocks : dict of lists of features, or a fitted OneHotEncoder of scikit-learn, optional
            By default the columns that one-hot encoding has made: those whose names agree up to
            ``=``.
        most_programs : int
            How long the most of a block is searched for. If that is not enough, ``gaps`` says how
            far it may be off.

        Returns
        -------
        Blocks
        """
        return blocks_of(self._known(), blocks, most_programs, self._workers)

    def covers(self, blocks: Blocks | None = None) -> Covers:
        """What covers for each feature that tells something and yet adds nothing to all others.

        Parameters
        ----------
        blocks : Blocks, optional
            Columns that count as one: what ``blocks()`` gives.

        Returns
        -------
        Covers
            For each regular feature that is relevant and not needed the fewest others that were
            found without which it adds to the rest.
        """
        return covers(self._known(), blocks, self._workers)

    def stability(self, blocks: Blocks | None = None, *, n_halves: int = HALVES) -> Stability:
        """Would other data of the same size say the same of each feature?

        Random halves of the data, groups as a whole, are asked what they prove, each taken for as
        much as all of the data; always the same halves. No program is solved, so that weights in
        good models have no say.

        Parameters
        ----------
        blocks : Blocks, optional
            What ``blocks()`` gave: columns that count as one.
        n_halves : int

        Returns
        -------
        Stability
            The shares of halves in which each regular feature is relevant, and needed.
        """
        return stability(self._known(), blocks, n_halves, self._workers)

    def held_out(self) -> HeldOut:
        """What models say of samples that they have not seen, beside what these are.

        Counted over the folds of the fit at the settings that were chosen; if nothing was tuned,
        over the training data.

        Returns
        -------
        HeldOut
            Counts by what samples are and by what is said of them: a confusion matrix, also of
            numbers, whose parts are about equally large.
        """
        return held_out(self._known(), self._workers)

    def absences(self, blocks: Blocks | None = None) -> Absences:
        """What the answer would be without each relevant feature, one at a time.

        Parameters
        ----------
        blocks : Blocks, optional
            What ``blocks()`` gave: columns that count as one.

        Returns
        -------
        Absences
            For each its price, and which others are needed only then, or no longer.
        """
        return absences(self._known(), blocks, self._workers)

    def foreseen(self, blocks: Blocks | None = None) -> Foreseen:
        """What a page can answer by itself: other tolerances, and each column gone.

        Parameters
        ----------
        blocks : Blocks, optional
            What ``blocks()`` gave: columns that are also left out as a whole.

        Returns
        -------
        Foreseen
            What ``write_report(..., foreseen=...)`` takes, so that the page moves.
        """
        return foreseen(self._known(), blocks, self._workers)

    def redundancy(self) -> Redundancy:
        """Groups of weakly relevant features that stand in for one another."""
        return redundancy(self._known(), self._workers)

    def tolerance_path(self, tolerances: Sequence[float] | None = None) -> RelevancePath:
        """How intervals and classes change with the tolerance.

        Parameters
        ----------
        tolerances : sequence of float, optional
            By default from 0 to 1. That of the fit is always among them. A ``loss_tolerance`` that
            the fit was given stays as it is.

        Returns
        -------
        RelevancePath
        """
        return tolerance_path(self._known(), tolerances, self._workers)

    @property
    def _workers(self) -> Workers:
        return Workers(self.n_jobs, self.verbose)

    def _known(self) -> Study:
        check_is_fitted(self)
        if self._study is None:
            raise ValueError(
                f"This {type(self).__name__} was pickled or copied, which leaves the training data "
                "behind, and further questions need them; call fit again."
            )
        return self._study

    def __getstate__(self) -> dict[str, Any]:
        """Without the training data: a selector that is sent somewhere does not give them away."""
        state: dict[str, Any] = dict(super().__getstate__())  # type: ignore[call-overload]
        return state | {"_study": None} if "_study" in state else state
