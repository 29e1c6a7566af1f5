"""Pictures, by what is drawn."""

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from small_fits import estimator, privileged_table, table, told_estimator

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


# Privileged features


@pytest.fixture(scope="module")
def told() -> OrdinalRelevance:
    """Four regular and three privileged features."""
    X, y, X_priv, *_ = privileged_table()
    names = ["scan", "$notes_$", "<script>"]
    return told_estimator("ordinal", n_probes=50).fit(
        X, y, pd.DataFrame(X_priv[:, :3], columns=names)
    )


def assert_drawn(panel, side) -> None:
    """One side's bars, names and thresholds are those of a panel, and nothing else is."""
    bars = {round(bar.get_y() + bar.get_height() / 2): bar for bar in panel.patches}
    assert sorted(bars) == list(range(len(side.feature_names)))
    least = 0.004 * side.intervals.max()
    for feature, (minrel, maxrel) in enumerate(side.intervals):
        assert bars[feature].get_x() == pytest.approx(minrel)
        assert bars[feature].get_width() == pytest.approx(max(maxrel - minrel, least))
    places = {line.get_label(): line.get_xdata()[0] for line in panel.get_lines()}
    assert places == {
        "chance: most relevance": side.thresholds.maxrel,
        "chance: least relevance": side.thresholds.minrel,
    }
    assert [tick.get_text() for tick in panel.get_yticklabels()] == list(side.feature_names)
    legend = [text.get_text() for text in panel.get_legend().get_texts()]
    counts = [int((side.relevance == relevance).sum()) for relevance in (2, 1, 0)]
    assert legend[:3] == [
        f"strong ({counts[0]})",
        f"weak ({counts[1]})",
        f"irrelevant ({counts[2]})",
    ]


def test_privileged_features_have_a_panel_of_their_own(told: OrdinalRelevance, tmp_path) -> None:
    """With their own thresholds; both panels have titles, the last says what is measured."""
    display = RelevanceDisplay.from_estimator(told)
    regular, privileged = display.axes_
    assert_drawn(regular, told.result_)
    assert_drawn(privileged, told.result_.privileged)
    assert regular.get_title(loc="left") == "regular features"
    assert privileged.get_title(loc="left") == "privileged features"
    assert regular.get_xlabel() == ""
    assert "norm" in privileged.get_xlabel()
    assert display.ax_ is regular
    assert display.figure_.axes == display.axes_
    display.figure_.savefig(tmp_path / "both.png")


def test_bars_of_both_panels_are_told_apart_by_class(told: OrdinalRelevance) -> None:
    """Three classes for each side, looking the same on both."""
    display = RelevanceDisplay.from_estimator(told)
    assert [sum(len(bars) for bars in part) for part in (display.bars_[:3], display.bars_[3:])] == [
        4,
        3,
    ]
    looks = [
        {bars.get_label().split()[0]: bars[0].get_facecolor() for bars in part if len(bars)}
        for part in (display.bars_[:3], display.bars_[3:])
    ]
    shared = set(looks[0]) & set(looks[1])
    assert len(shared) >= 2
    assert all(looks[0][name] == looks[1][name] for name in shared)


def test_one_given_axes_shows_regular_features_only(told: OrdinalRelevance) -> None:
    figure, (left, right) = plt.subplots(1, 2)
    display = RelevanceDisplay.from_estimator(told, ax=left)
    assert_drawn(left, told.result_)
    assert left.get_title(loc="left") == "", "there is nothing to tell it from"
    assert "norm" in left.get_xlabel()
    assert not right.patches
    assert (display.axes_, display.figure_, len(display.bars_)) == ([left], figure, 3)
    assert len(plt.get_fignums()) == 1


@pytest.mark.parametrize("kind", [list, tuple, np.asarray])
def test_two_given_axes_show_both_sides(told: OrdinalRelevance, kind) -> None:
    figure, axes = plt.subplots(1, 2)
    display = RelevanceDisplay.from_result(told.result_, ax=kind(axes))
    assert_drawn(axes[0], told.result_)
    assert_drawn(axes[1], told.result_.privileged)
    assert axes[1].get_title(loc="left") == "privileged features"
    assert display.figure_ is figure
    assert len(plt.get_fignums()) == 1


def test_without_privileged_features_there_is_one_panel_without_title(
    model: OrdinalRelevance,
) -> None:
    display = RelevanceDisplay.from_estimator(model)
    assert display.axes_ == [display.ax_] == display.figure_.axes
    assert display.ax_.get_title(loc="left") == ""


def test_a_second_axes_without_privileged_features_stays_empty(model: OrdinalRelevance) -> None:
    _, (used, spare) = plt.subplots(1, 2)
    RelevanceDisplay.from_estimator(model, ax=[used, spare])
    assert len(used.patches) == 6
    assert "norm" in used.get_xlabel()
    assert not spare.patches
    assert spare.get_xlabel() == ""


@pytest.mark.filterwarnings("ignore::relbounds.exceptions.DegenerateModelWarning")
def test_a_collapse_has_two_panels_without_thresholds(tmp_path) -> None:
    X, y, X_priv, *_ = privileged_table()
    display = RelevanceDisplay.from_estimator(told_estimator("ordinal", C=1e-6).fit(X, y, X_priv))
    assert [len(panel.get_lines()) for panel in display.axes_] == [0, 0]
    assert [len(panel.patches) for panel in display.axes_] == [4, 4]
    display.figure_.savefig(tmp_path / "nothing.png")
