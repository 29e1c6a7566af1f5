"""The answer without each relevant feature, one at a time."""

import pandas as pd
import pytest
from report_cases import texts_follow_ups, texts_model
from small_fits import estimator, table

from relbounds import OrdinalRelevance


@pytest.fixture(scope="module")
def model() -> OrdinalRelevance:
    X, y, _ = table()
    return estimator("ordinal", C=None).fit(X, y)


def test_each_relevant_feature_has_its_price(model) -> None:
    found = model.absences()
    prices = model.prices()
    relevant = [name for name, k in zip(prices.index, model.relevance_, strict=True) if k]
    assert [each.name for each in found.each] == relevant
    table = found.to_frame()
    for column in ("price", "indispensable", "error_without", "score_fall"):
        pd.testing.assert_series_equal(table[column], prices.loc[relevant, column])


def test_what_is_needed_then_is_what_a_fit_without_it_needs(model) -> None:
    """``what_if`` asks the same evidence, beside programs that are not solved here."""
    for each in model.absences().each:
        if each.price.is_indispensable:
            continue
        then = model.what_if({each.name: "absent"})
        now, before = then.to_frame()["needed"], model.result_.to_frame()["needed"]
        others = now.index != each.name
        assert set(each.needed) == set(now.index[others & now & ~before])
        assert set(each.no_longer_needed) == set(now.index[others & ~now & before])


def test_copies_stand_in_for_each_other() -> None:
    X, y, _ = table()
    X[:, 3] = X[:, 2]
    then = {each.name: each.needed for each in estimator("ordinal").fit(X, y).absences().each}
    assert then["x2"] == ("x3",)
    assert then["x3"] == ("x2",)


def test_a_column_that_became_several_is_left_out_as_one() -> None:
    model, blocks = texts_model(), texts_follow_ups()["blocks"]
    (colour,) = [each for each in model.absences(blocks).each if each.name == "colour"]
    members = dict(zip(blocks.names, blocks.features, strict=True))["colour"]
    assert colour.price.features == members
    assert colour.price == model.price(list(members))
