"""Columns of 0 and 1 that add up to one in every row are found, and nothing else is."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.preprocessing import OneHotEncoder
from small_fits import estimator

from relbounds.estimators.one_hot import adding_up
from relbounds.exceptions import OneHotWarning

N = 60
RANDOM = np.random.RandomState(0)
SITE = RANDOM.choice(["north", "south", "west"], N)
SEX = RANDOM.choice(["f", "m"], N)
TEXTS = pd.DataFrame({"site": SITE, "sex": SEX})
DOSE = RANDOM.normal(size=(N, 1))


def coded(**settings) -> np.ndarray:
    return OneHotEncoder(sparse_output=False, **settings).fit_transform(TEXTS)


def groups(values) -> list[list[int]]:
    return list(adding_up(values))


def test_every_value_of_each_text_is_found() -> None:
    assert groups(coded()) == [[0, 1, 2], [3, 4]]
    assert groups(np.hstack([DOSE, coded(), DOSE])) == [[1, 2, 3], [4, 5]]
    assert groups(sparse.csc_array(coded())) == [[0, 1, 2], [3, 4]]


def test_a_value_that_was_left_out_leaves_nothing_to_find() -> None:
    assert groups(coded(drop="first")) == []
    assert groups(DOSE) == []


def test_indicators_before_a_group_and_values_that_do_not_occur_do_not_hide_it() -> None:
    site, sex = coded()[:, :3], coded()[:, 3:]
    unseen = np.zeros((N, 1))
    table = np.hstack([sex[:, :1], site[:, :2], unseen, site[:, 2:]])
    assert groups(table) == [[1, 2, 4]]
    assert groups(np.hstack([np.ones((N, 1)), site])) == [[1, 2, 3]]


def test_numbers_that_add_up_are_no_indicators() -> None:
    share = RANDOM.uniform(size=(N, 1))
    assert groups(np.hstack([share, 1 - share])) == []
    later = coded()[:, 3:].copy()
    later[-1] = [2.0, -1.0]
    assert groups(later) == []


@given(st.lists(st.integers(0, 3), min_size=8, max_size=8), st.integers(0, 2**12 - 1))
def test_whatever_stands_before_a_group_it_is_found(levels: list[int], bits: int) -> None:
    """Whatever indicators come first, all columns of a text that occur are the end of a group."""
    before = np.array([bits >> place & 1 for place in range(16)], dtype=float).reshape(8, 2)
    there = sorted(set(levels))
    text = np.array([[level == each for each in there] for level in levels], dtype=float)
    found = groups(np.hstack([before, text]))
    if len(there) > 1:
        assert found[-1][-1] == 1 + len(there)
    for group in found:
        assert (np.hstack([before, text])[:, group].sum(axis=1) == 1).all()


def test_one_warning_names_the_columns_and_what_to_do() -> None:
    X = pd.get_dummies(TEXTS, prefix_sep="=", dtype=float).assign(dose=DOSE[:, 0])
    y = (DOSE[:, 0] > 0).astype(int)
    says = r"site=north, site=south, site=west; sex=f, sex=m\. .*OneHotEncoder\(drop=\"first\"\)"
    with pytest.warns(OneHotWarning, match=says) as caught:
        estimator("classification").fit(X, y)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        estimator("classification").fit(X.drop(columns=["site=north", "sex=f"]), y)


def test_of_many_columns_a_few_are_named() -> None:
    towns = pd.get_dummies(pd.Series([f"t{k % 12:02}" for k in range(N)]), dtype=float)
    X = towns.assign(dose=DOSE[:, 0])
    with pytest.warns(OneHotWarning, match=r"every row: t00, t01, t02, t03 and 8 more\."):
        estimator("classification").fit(X, (DOSE[:, 0] > 0).astype(int))
