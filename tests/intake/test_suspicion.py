"""Gaps that tell the outcome are named, and others are not."""

import numpy as np
import pandas as pd
import pytest

from relbounds.intake import Journal, Wishes, prepare, read_table

N = 60
ALIVE = np.arange(N) % 3 > 0
RNG = np.random.RandomState(0)


def warned(tmp_path, outcome=None, *, target: str = "state", **columns) -> list[str]:
    frame = pd.DataFrame({"age": RNG.normal(50, 9, N).round(2), **columns})
    frame[target] = np.where(ALIVE, "alive", "dead") if outcome is None else outcome
    path = tmp_path / "table.csv"
    frame.to_csv(path, index=False)
    journal = Journal()
    prepare(read_table(path, journal), Wishes(target), journal)
    return [each for each in journal.warnings if "gaps tell the outcome" in each]


DAY = RNG.randint(1, 900, N).astype(float)


def test_a_column_that_is_filled_for_one_class_only_is_named(tmp_path) -> None:
    [warning] = warned(tmp_path, **{"day of death": np.where(ALIVE, np.nan, DAY)})
    assert warning == (
        "day of death is empty in every row where state is alive (40 rows), so that gaps tell the "
        "outcome: is it known only afterwards? Leave it out with --drop 'day of death'."
    )


def test_columns_that_are_empty_in_the_same_classes_are_named_together(tmp_path) -> None:
    gone = np.where(ALIVE, np.nan, DAY)
    cause = np.where(ALIVE, None, np.where(np.arange(N) % 2, "heart", "other"))
    [warning] = warned(tmp_path, day=gone, cause=cause)
    assert warning.startswith("day and cause are empty in every row where state is alive (40 rows)")
    assert warning.endswith("Leave them out with --drop day --drop cause.")


def test_of_three_classes_it_is_said_which(tmp_path) -> None:
    grade = np.array([1, 2, 3])[np.arange(N) % 3]
    [warning] = warned(tmp_path, grade, target="grade", dose=np.where(grade == 3, DAY, np.nan))
    assert "in every row where grade is 1 or 2 (40 rows)" in warning


def gaps(share: float) -> np.ndarray:
    return np.where(RNG.uniform(size=N) < share, np.nan, DAY)


def one_dead_filled() -> np.ndarray:
    """Mostly empty anyway, so that chance leaves the few of one class empty."""
    outcome = np.full(N, np.nan)
    outcome[ALIVE.nonzero()[0][:3]] = [1.0, 2.0, 3.0]
    return outcome


@pytest.mark.parametrize(
    "column", [DAY, gaps(0.3), one_dead_filled()], ids=["none", "some", "many"]
)
def test_gaps_that_chance_leaves_are_none_of_our_business(tmp_path, column: np.ndarray) -> None:
    assert warned(tmp_path, dose=column) == []


def test_numbers_have_no_classes_to_be_empty_in(tmp_path) -> None:
    size = RNG.normal(size=N).round(3)
    assert warned(tmp_path, size, dose=np.where(size > 0, DAY, np.nan)) == []
