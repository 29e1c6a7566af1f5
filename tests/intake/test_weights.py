"""Weights of rows, and tables of frequencies."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from relbounds.exceptions import WrongInputError
from relbounds.intake import Journal, Prepared, RawTable, Wishes, prepare
from relbounds.intake.counts import MOST_ROWS


def told(frame: pd.DataFrame, **wishes: Any) -> Prepared:
    return prepare(RawTable(frame, "table.csv", ","), Wishes("y", **wishes), Journal())


def said(found: Prepared, *words: str) -> bool:
    return any(all(word in text for word in words) for text in (*found.notes, *found.warnings))


@pytest.fixture
def survey() -> pd.DataFrame:
    random = np.random.RandomState(0)
    return pd.DataFrame(
        {
            "a": random.normal(size=30).round(3),
            "w": random.uniform(0.5, 2, 30).round(3),
            "y": np.arange(30) % 2,
        }
    )


@pytest.fixture
def people() -> pd.DataFrame:
    """One row for each, as often as there are people of the kind."""
    random = np.random.RandomState(0)
    frame = pd.DataFrame(
        {
            "sex": random.choice(["f", "m"], 300),
            "ward": random.choice(["A", "B", "C"], 300),
            "y": random.choice(["ill", "well"], 300),
        }
    )
    return frame.sort_values(list(frame)).reset_index(drop=True)


@pytest.fixture
def frequencies(people: pd.DataFrame) -> pd.DataFrame:
    return people.value_counts().sort_index().reset_index(name="Freq")


def test_weights_are_no_feature_and_are_said(survey: pd.DataFrame) -> None:
    found = told(survey, weights="w")
    assert list(found.X) == ["a"]
    np.testing.assert_array_equal(found.weights, survey["w"])
    assert said(found, "counts as much as w says", f"{survey['w'].sum():,.6g} in all")
    assert not said(found, "--counts")


def test_weights_that_look_like_counts_are_asked_about(survey: pd.DataFrame) -> None:
    assert said(told(survey.assign(w=3), weights="w"), "say --counts w instead")


def test_rows_without_a_weight_or_of_none_are_left_out(survey: pd.DataFrame) -> None:
    survey.loc[[3, 4], "w"] = [np.nan, 0]
    found = told(survey, weights="w")
    assert len(found.X) == len(found.weights) == 28
    assert said(found, "1 row without a value of w was left out; 29 rows stay.")
    assert said(found, "1 row of no weight was left out; 28 rows stay.")


def test_rows_with_gaps_take_their_weights_along(survey: pd.DataFrame) -> None:
    survey.loc[5, "a"] = np.nan
    found = told(survey, weights="w", missing="drop")
    np.testing.assert_array_equal(found.weights, survey["w"].drop(5))


@pytest.mark.parametrize(
    ("cell", "sentence"),
    [
        (-0.5, "--weights w has to hold numbers of at least 0, but row 8 has -0.5; correct it"),
        ("much", "--weights w has to hold numbers, but row 8 has 'much'; correct it"),
    ],
)
def test_a_wrong_weight_is_refused_with_its_row(
    survey: pd.DataFrame, cell: Any, sentence: str
) -> None:
    survey["w"] = [*survey["w"][:7], cell, *survey["w"][8:]]
    with pytest.raises(WrongInputError) as refused:
        told(survey, weights="w")
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("wishes", "sentence"),
    [
        ({"weights": "v"}, "--weights: the table has no column 'v'"),
        ({"weights": "y"}, "'y' is named by --target and by --weights"),
        ({"weights": "w", "drop": ["w"]}, "'w' is named by --weights and by --drop"),
        ({"weights": "w", "keep": ["a", "w"]}, "'w' is named by --keep and by --weights"),
        ({"counts": "v"}, "--counts: the table has no column 'v'"),
        ({"counts": "y"}, "'y' is named by --target and by --counts"),
        ({"counts": "w"}, "of at least 0, but row 1 has"),
    ],
)
def test_wrong_names_are_refused(
    survey: pd.DataFrame, wishes: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(WrongInputError, match=sentence):
        told(survey, **wishes)


def test_no_weight_at_all_is_refused(survey: pd.DataFrame) -> None:
    with pytest.raises(WrongInputError, match="--weights w: no row has a weight above 0"):
        told(survey.assign(w=0), weights="w")


def test_a_table_of_frequencies_is_that_of_the_people(
    people: pd.DataFrame, frequencies: pd.DataFrame
) -> None:
    """Row by row the same: whatever is computed from it is the same too."""
    expected, found = told(people), told(frequencies, counts="Freq")
    pd.testing.assert_frame_equal(found.X, expected.X)
    assert found.y.tolist() == expected.y.tolist()
    assert said(found, f"as many as Freq says: {len(frequencies)} rows became 300.")


def test_numbers_of_rows_are_no_feature_of_a_table_of_frequencies(
    frequencies: pd.DataFrame,
) -> None:
    frequencies.insert(0, "rownames", np.arange(1, len(frequencies) + 1))
    found = told(frequencies, counts="Freq")
    assert said(found, "rownames was left out")
    assert set(found.made_from.values()) == {"sex", "ward"} == {each.name for each in found.columns}


def test_a_table_of_frequencies_is_seen_but_not_read_as_one_unasked(
    frequencies: pd.DataFrame, people: pd.DataFrame
) -> None:
    found = told(frequencies)
    assert len(found.X) == len(frequencies)
    assert said(found, "how often they were seen, say --counts Freq")
    assert not said(told(people.assign(n=np.arange(300) % 7)), "--counts")
    assert not said(told(frequencies, counts="Freq"), "say --counts")


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        ([3, -1], "whole numbers of at least 0, but row 2 has -1"),
        ([3, 1.5], "but row 2 has 1.5; correct it, or say --weights n if it is a weight"),
        ([3, None], "but row 2 has none"),
        (["x", "y"], "--counts n has to hold whole numbers, but it is text"),
        ([0, 0], "makes 0 rows in all; between 1 and"),
        ([MOST_ROWS, 1], "makes 10,000,001 rows in all"),
    ],
)
def test_wrong_counts_are_refused(counts: list[Any], sentence: str) -> None:
    frame = pd.DataFrame({"a": ["u", "v"], "n": counts, "y": [0, 1]})
    with pytest.raises(WrongInputError, match=sentence):
        told(frame, counts="n")
