"""Pictures, by what is drawn."""

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from small_fits import estimator, table

from relbounds import OrdinalRelevance, RelevanceDisplay

mpl.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def model() -> OrdinalRelevance:
    """Two strong, two weak and two irrelevant features."""
    X, y, _ = table()
    return estimator("ordinal").fit(X, y)


def test_every_feature_has_a_bar_from_minrel_to_maxrel(model: OrdinalRelevance) -> None:
    display = RelevanceDisplay.from_estimator(model)
    bars = {round(bar.get_y() + bar.get_height() / 2): bar for bar in display.ax_.patches}
    assert sorted(bars) == list(range(6))
    for feature, (minrel, maxrel) in enumerate(model.intervals_):
        assert bars[feature].get_x() == pytest.approx(minrel)
        # No bar is thinner than a line, 0.004 of the largest value.
        least = 0.004 * model.intervals_.max()
        assert bars[feature].get_width() == pytest.approx(max(maxrel - minrel, least))


def test_each_class_has_its_own_look_and_is_counted(model: OrdinalRelevance) -> None:
    display = RelevanceDisplay.from_result(model.result_)
    labels = [bars.get_label() for bars in display.bars_]
    assert labels == ["strong (2)", "weak (2)", "irrelevant (2)"]
    looks = {(bars[0].get_facecolor(), bars[0].get_hatch()) for bars in display.bars_}
    assert len({colour for colour, _ in looks}) == len({hatch for _, hatch in looks}) == 3
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert set(labels) < set(legend)


def test_thresholds_are_dashed_lines(model: OrdinalRelevance) -> None:
    display = RelevanceDisplay.from_result(model.result_)
    limits = model.result_.thresholds
    places = {line.get_label(): line.get_xdata() for line in display.ax_.get_lines()}
    assert all(line.get_linestyle() in ("--", ":") for line in display.ax_.get_lines())
    np.testing.assert_array_equal(places["chance: most relevance"], [limits.maxrel] * 2)
    np.testing.assert_array_equal(places["chance: least relevance"], [limits.minrel] * 2)


def test_names_are_ticks(model: OrdinalRelevance) -> None:
    display = RelevanceDisplay.from_result(model.result_)
    ticks = [tick.get_text() for tick in display.ax_.get_yticklabels()]
    assert ticks == list(model.result_.feature_names)
    assert display.ax_.yaxis_inverted(), "the first feature is on top"
    assert display.ax_.get_xlim()[0] == 0
    assert "norm" in display.ax_.get_xlabel()


def test_given_axes_are_used(model: OrdinalRelevance) -> None:
    figure, (left, right) = plt.subplots(1, 2)
    display = RelevanceDisplay.from_estimator(model, ax=right)
    assert display.ax_ is right
    assert display.figure_ is figure
    assert not left.patches
    assert len(right.patches) == 6
    assert len(plt.get_fignums()) == 1


def test_without_axes_a_figure_is_made_and_can_be_saved(model: OrdinalRelevance, tmp_path) -> None:
    display = RelevanceDisplay(model.result_).plot()
    display.figure_.savefig(tmp_path / "intervals.png")
    assert (tmp_path / "intervals.png").stat().st_size > 1000


@pytest.mark.filterwarnings("ignore::relbounds.exceptions.DegenerateModelWarning")
def test_a_result_without_weights_has_no_thresholds_to_draw(tmp_path) -> None:
    X, y, _ = table()
    display = RelevanceDisplay.from_estimator(estimator("ordinal", C=1e-6).fit(X, y))
    assert len(display.ax_.get_lines()) == 0
    counts = {bars.get_label() for bars in display.bars_}
    assert counts == {"strong (0)", "weak (0)", "irrelevant (6)"}
    display.figure_.savefig(tmp_path / "nothing.png")


def test_names_are_text_and_not_formulas(tmp_path) -> None:
    """A dollar sign or an underscore is no mathematics."""
    X, y, _ = table()
    names = ["$cost_$", "<script>", "a_b", "x^2", "100 %", "$"]
    display = RelevanceDisplay.from_estimator(
        estimator("ordinal").fit(pd.DataFrame(X, columns=names), y)
    )
    display.figure_.savefig(tmp_path / "names.png")
    assert [tick.get_text() for tick in display.ax_.get_yticklabels()] == names
