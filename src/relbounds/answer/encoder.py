"""How do rows of a table, as they come, become the numbers of a fitted model?

scikit-learn's ``OneHotEncoder`` cannot leave out the *most frequent* value, name the rare ones that
it puts together, or keep the columns of the table in their order, and a ``ColumnTransformer`` would
have to be told first which columns are numbers, dates and texts. So this transformer does what the
intake does, and remembers how.
"""

import warnings
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from relbounds.exceptions import RelboundsWarning, WrongInputError
from relbounds.intake.again import read_again
from relbounds.intake.cleaning import filled, usable
from relbounds.intake.columns import read_column
from relbounds.intake.encoding import Recipe, frame_of, recipes
from relbounds.intake.frames import frame_as_table
from relbounds.intake.journal import Journal
from relbounds.wording.text import listed


class TableEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Numbers, dates, truth values and texts, with gaps, become columns of numbers.

    Texts become columns of 0 and 1, one for each value but the most frequent; rare values share
    one. Gaps among numbers become the median, gaps in a text a value of their own. A value that was
    never seen counts as one of the rare ones, if there are any, or as the most frequent one.

    Parameters
    ----------
    columns : sequence of str, optional
        The columns to use; by default all but those that say nothing: constants, identifiers and
        texts that hardly repeat.

    Attributes
    ----------
    recipes_ : tuple of Recipe
        How each column becomes numbers.
    notes_ : tuple of str
        What was done, in sentences.
    """

    def __init__(self, columns: Sequence[str] | None = None) -> None:
        self.columns = columns

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn how each column is to be read.

        Parameters
        ----------
        X : frame of pandas or polars
        y : ignored
        """
        frame = frame_as_table(X).frame
        names = list(frame.columns) if self.columns is None else list(self.columns)
        _refuse_missing(names, frame)
        journal = Journal()
        read = [read_column(name, frame[name], None) for name in names]
        wanted = names if self.columns is not None else ()
        used = usable(read, wanted, journal, first=frame.columns[0])
        if not used:
            raise WrongInputError(f"No column is left. {' '.join(journal.notes)} Name others.")
        gaps = [int(each.missing.sum()) for each in used]
        return self._knowing(recipes([filled(each) for each in used], gaps, journal), journal.notes)

    def _knowing(self, found: Sequence[Recipe], notes: Sequence[str]) -> Self:
        self.recipes_ = tuple(each.bare for each in found)
        self.notes_ = tuple(notes)
        self.feature_names_in_ = np.array([each.name for each in found], dtype=object)
        self.n_features_in_ = len(found)
        return self

    @classmethod
    def of(cls, found: Sequence[Recipe]) -> Self:
        """An encoder that is fitted already."""
        return cls([each.name for each in found])._knowing(found, ())

    def transform(self, X: Any) -> pd.DataFrame:
        """Rows of the table as numbers; columns beyond those that were fitted do not matter."""
        check_is_fitted(self)
        frame = frame_as_table(X).frame
        _refuse_missing([each.name for each in self.recipes_], frame)
        read = [filled(read_again(each.column, frame[each.name])) for each in self.recipes_]
        for recipe, column in zip(self.recipes_, read, strict=True):
            if unseen := recipe.unseen(column):
                warnings.warn(_never_seen(recipe, unseen), RelboundsWarning, stacklevel=2)
        return frame_of(self.recipes_, read)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        check_is_fitted(self)
        return np.array([name for each in self.recipes_ for name in each.features], dtype=object)


def _refuse_missing(names: Sequence[str], frame: pd.DataFrame) -> None:
    if missing := [name for name in names if name not in frame]:
        raise WrongInputError(
            f"The rows have no column {listed(missing)}, which the model was fitted with; "
            f"they have {listed(list(map(str, frame.columns)))}."
        )


def _never_seen(recipe: Recipe, values: Sequence[str]) -> str:
    return (
        f"{recipe.name} has {listed([repr(each) for each in values], 3)}, which the model has "
        f"never seen and takes for {recipe.stands_for_unseen!r}."
    )
