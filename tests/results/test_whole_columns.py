"""A text column is one line, with the verdict, the interval and the evidence of its block."""

import json

import numpy as np
import pandas as pd
import pytest
from small_fits import privileged_table, told_estimator

from relbounds import OrdinalRelevance, RegressionRelevance, RelevanceResult
from relbounds.results.answers import Blocks
from relbounds.results.whole_columns import whole_columns
from relbounds.wording.relevance import summary


def colours(n: int = 200, seed: int = 3) -> tuple[pd.DataFrame, np.ndarray]:
    """A number and a text of four values that matter, and an idle number between them."""
    draw = np.random.RandomState(seed)
    number, level, idle = draw.normal(size=n), draw.randint(4, size=n), draw.normal(size=n)
    score = number + np.array([0.0, 1.0, -1.5, 2.0])[level] + draw.normal(scale=0.3, size=n)
    dummies = {f"colour={name}": (level == k) * 1.0 for k, name in enumerate("abc", start=1)}
    X = pd.DataFrame({"size": number, **dummies, "idle": idle})
    return X, np.digitize(score, np.quantile(score, [1 / 3, 2 / 3]))


@pytest.fixture(scope="module")
def model() -> OrdinalRelevance:
    return OrdinalRelevance(random_state=0, n_probes=20).fit(*colours())


def test_the_features_of_a_block_are_one_at_the_place_of_the_first(model: OrdinalRelevance) -> None:
    blocks = model.blocks()
    whole = whole_columns(model.result_, blocks)
    assert whole.feature_names == ("size", "colour", "idle")
    np.testing.assert_allclose(whole.intervals[1], blocks.intervals[0])
    assert whole.relevance[1] == blocks.relevance[0]
    assert whole.needed[1] == blocks.needed[0]
    assert whole.p_needed[1] == blocks.p_needed[0]
    assert whole.signs[1] == 0
    assert np.isnan(whole.chance[1])
    before = model.result_.to_frame().drop(columns=["minrel_over_threshold"])
    pd.testing.assert_frame_equal(
        whole.to_frame()[before.columns].loc[["size", "idle"]], before.loc[["size", "idle"]]
    )


def test_sentences_speak_of_the_column(model: OrdinalRelevance) -> None:
    said = " ".join(summary(whole_columns(model.result_, model.blocks())))
    assert "colour" in said
    assert "colour=" not in said


def test_it_is_a_result_that_survives_a_trip_through_json(model: OrdinalRelevance) -> None:
    whole = whole_columns(model.result_, model.blocks())
    plain = whole.to_dict()
    assert (
        RelevanceResult.from_dict(json.loads(json.dumps(plain))).to_frame().equals(whole.to_frame())
    )


def test_without_blocks_it_is_the_same_result(model: OrdinalRelevance) -> None:
    assert whole_columns(model.result_, None).sides == model.result_.sides


def test_a_block_of_one_stays_the_feature(model: OrdinalRelevance) -> None:
    blocks = model.blocks({"one": ["size"]})
    assert whole_columns(model.result_, blocks).feature_names == model.result_.feature_names


def test_privileged_blocks_are_folded_on_their_side() -> None:
    X, y, X_priv, *_ = privileged_table()
    told = told_estimator("ordinal").fit(X, y, X_priv=X_priv)
    names = told.result_.privileged.feature_names[:2]
    whole = whole_columns(told.result_, told.blocks({"both": names}))
    assert whole.sides[0] is told.result_.sides[0]
    assert whole.privileged.feature_names[0] == "both"
    assert len(whole.privileged.feature_names) == len(told.result_.privileged.feature_names) - 1


def test_shadows_stay_with_their_feature(model: OrdinalRelevance) -> None:
    blocks = model.blocks()
    whole = whole_columns(model.result_, blocks)
    names = model.result_.feature_names
    of_singles = {
        names[each.feature]
        for each in model.result_.regular.shadows
        if names[each.feature] not in blocks.features[0]
    }
    assert {whole.feature_names[each.feature] for each in whole.regular.shadows} == of_singles


def test_a_record_of_blocks_is_all_that_is_needed(model: OrdinalRelevance) -> None:
    again = Blocks.from_dict(json.loads(json.dumps(model.blocks().to_dict())))
    assert whole_columns(model.result_, again).feature_names == ("size", "colour", "idle")


def test_pictures_draw_no_line_of_chance_for_a_whole_column(model: OrdinalRelevance) -> None:
    pytest.importorskip("matplotlib")
    from relbounds import RelevanceDisplay

    whole = whole_columns(model.result_, model.blocks())
    figure = RelevanceDisplay.from_result(whole).figure_
    figure.canvas.draw()
    left, right = figure.axes[0].get_xlim()
    assert np.isfinite([left, right]).all()
    assert right >= whole.intervals.max()


def test_parts_of_an_outcome_are_suspected_by_their_own_names() -> None:
    """The columns of a text before them take several places in the best model."""
    draw = np.random.RandomState(0)
    first, second, warmth = draw.normal(size=(3, 150))
    level = draw.randint(4, size=150)
    dummies = {f"colour={name}": (level == k) * 1.0 for k, name in enumerate("abc", start=1)}
    X = pd.DataFrame({**dummies, "warmth": warmth, "first": first, "second": second})
    model = RegressionRelevance(random_state=0, n_probes=20).fit(X, 3 * first + 2 * second)
    whole = whole_columns(model.result_, model.blocks())
    assert whole.feature_names == ("colour", "warmth", "first", "second")
    assert whole.suspected_together == model.result_.suspected_together == ("first", "second")
