"""Pictures along the tolerance, by what is drawn."""

import sys
from dataclasses import replace
from itertools import pairwise
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.text import Text
from sklearn.exceptions import NotFittedError
from small_fits import estimator, table

from relbounds import OrdinalRelevance, Relevance, RelevancePathDisplay
from relbounds.display.path_picture import end_text, longest_needed_first, of_feature, runs
from relbounds.display.style import LOOKS
from relbounds.exceptions import InfeasibleError
from relbounds.results.answers import RelevancePath

mpl.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")
pytestmark = pytest.mark.usefixtures("no_figures")

IRRELEVANT, WEAK, STRONG = Relevance


@pytest.fixture(scope="module")
def model() -> OrdinalRelevance:
    """Two strong features, two that replace each other, and two idle ones."""
    X, y, _ = table(n_samples=100)
    return estimator("ordinal", tolerance=0.1).fit(X, y)


@pytest.fixture(scope="module")
def path(model: OrdinalRelevance) -> RelevancePath:
    return model.tolerance_path([0, 0.01, 0.03, 0.3, 1])


@pytest.fixture
def small() -> RelevancePath:
    """Four features at three tolerances, made up."""
    return RelevancePath(
        feature_names=("late", "early", "always", "idle"),
        tolerances=np.array([0.0, 0.1, 1.0]),
        used=0.1,
        intervals=np.array(
            [
                [[0.0, 0.0], [0.3, 0.3], [0.6, 0.6], [0.01, 0.01]],
                [[0.0, 0.4], [0.0, 0.5], [0.5, 0.7], [0.0, 0.1]],
                [[0.0, 0.9], [0.0, 1.1], [0.2, 1.2], [0.0, 0.3]],
            ]
        ),
        thresholds=np.array([0.1, 0.2, 0.4]),
        relevance=np.array([[0, 2, 2, 0], [1, 1, 2, 0], [1, 1, 2, 0]]),
        strong_until=np.array([0.0, 0.04, np.inf, 0.02]),
    )


def many(path: RelevancePath, n_features: int) -> RelevancePath:
    """The same features over and over again."""
    chosen = np.arange(n_features) % len(path.feature_names)
    return replace(
        path,
        feature_names=tuple(f"feature {k}" for k in range(n_features)),
        intervals=path.intervals[:, chosen],
        relevance=path.relevance[:, chosen],
        strong_until=path.strong_until[chosen],
    )


# What is seen


def names(panel: Any) -> list[str]:
    return [tick.get_text() for tick in panel.get_yticklabels()]


def part(panel: Any, label: str) -> Any:
    return next(each for each in panel.collections if each.get_label() == label)


def line(panel: Any, label: str) -> Any:
    (found,) = (each for each in panel.get_lines() if each.get_label() == label)
    return found


def bands(display: RelevancePathDisplay) -> set[tuple[str, int, float, float]]:
    """The class of each band, its row, and from where to where it goes."""
    return {
        (bars.get_label(), round((box.y0 + box.y1) / 2), box.x0, box.x1)
        for bars in display.bars_
        for box in (path.get_extents() for path in bars.get_paths())
    }


def numbers(display: RelevancePathDisplay) -> list[str]:
    """What stands right of the bands."""
    (right,) = display.ax_.child_axes
    return names(right)


def explained(display: RelevancePathDisplay) -> list[str]:
    return [text.get_text() for text in display.legend_.get_texts()]


# Where classes change


def test_a_strong_feature_changes_exactly_where_a_good_model_does_without_it(
    small: RelevancePath,
) -> None:
    first, second = of_feature(small, 1)
    assert (first.relevance, first.low, first.high) == (STRONG, 0.0, 0.04)
    assert (second.relevance, second.low, second.high) == (WEAK, 0.04, 1.0)
    assert (first.tried, second.tried) == ((0.0,), (0.1, 1.0))


def test_other_changes_are_drawn_halfway_between_tolerances_that_were_tried(
    small: RelevancePath,
) -> None:
    first, second = of_feature(small, 0)
    assert (first.relevance, first.high) == (IRRELEVANT, 0.05)
    assert (second.relevance, second.low) == (WEAK, 0.05)


def test_a_class_that_ends_although_the_feature_is_still_needed_ends_halfway(
    small: RelevancePath,
) -> None:
    """As with probes whose minrel is not zero: a strong feature has to exceed that."""
    longer = replace(small, strong_until=np.array([0, 0.5, np.inf, 0]))
    assert of_feature(longer, 1)[0].high == 0.05


def test_bands_of_a_feature_leave_no_gap(path: RelevancePath) -> None:
    for feature in range(len(path.feature_names)):
        found = of_feature(path, feature)
        assert (found[0].low, found[-1].high) == (0.0, 1.0)
        assert all(before.high == after.low for before, after in pairwise(found))
        assert [each for run in found for each in run.tried] == path.tolerances.tolist()


def test_what_is_strong_longest_is_on_top_then_what_is_of_use_soonest(
    small: RelevancePath,
) -> None:
    assert [small.feature_names[k] for k in longest_needed_first(small)] == [
        "always",
        "early",
        "late",
        "idle",
    ]


# All features


def test_every_feature_has_a_row_of_bands_in_the_looks_of_its_classes(
    path: RelevancePath,
) -> None:
    display = RelevancePathDisplay.from_result(path)
    assert names(display.ax_) == [path.feature_names[k] for k in longest_needed_first(path)]
    expected = {(LOOKS[run.relevance].name, run.row, run.low, run.high) for run in runs(path)}
    assert bands(display) == expected
    assert {name for name, *_ in expected} == {"strong", "weak", "irrelevant"}
    assert [bars.get_hatch() for bars in display.bars_] == ["", "///", ""]
    assert display.ax_.yaxis_inverted(), "what is needed longest is on top"


def test_every_band_has_the_marker_of_its_class_inside(path: RelevancePath) -> None:
    display = RelevancePathDisplay.from_result(path)
    for relevance, look in LOOKS.items():
        marks = part(display.ax_, f"marks of {look.name}").get_offsets()
        found = [run for run in runs(path) if run.relevance == relevance]
        assert [row for _, row in marks] == [run.row for run in found]
        assert all(run.low <= x <= run.high for run, (x, _) in zip(found, marks, strict=True))


def test_a_stroke_and_a_number_say_until_when_a_feature_is_needed(small: RelevancePath) -> None:
    display = RelevancePathDisplay.from_result(small)
    strokes = part(display.ax_, "in every good model until").get_offsets()
    np.testing.assert_allclose(strokes, [(0.04, 1), (0.02, 3)])
    assert numbers(display) == ["always", "0.0400", "0", "0.0200"]


def test_prices_that_are_rounding_are_zero_and_those_beyond_the_axis_have_a_number_only(
    small: RelevancePath,
) -> None:
    odd = replace(small, strong_until=np.array([1e-9, 3.14159, np.inf, 0.0004]))
    display = RelevancePathDisplay.from_result(odd)
    assert part(display.ax_, "in every good model until").get_offsets()[:, 0].tolist() == [0.0004]
    assert sorted(numbers(display)) == ["0", "3.14", "<0.001", "always"]


def test_a_dashed_line_stands_at_the_tolerance_of_the_fit(path: RelevancePath) -> None:
    display = RelevancePathDisplay.from_result(path)
    used = line(display.ax_, "used")
    assert used.get_xdata()[0] == path.used == 0.1
    assert used.is_dashed()
    assert "tolerance of the fit (0.1)" in explained(display)


def test_the_axis_holds_zero_and_powers_of_ten_and_a_tick_for_what_was_tried(
    path: RelevancePath,
) -> None:
    panel = RelevancePathDisplay.from_result(path).ax_
    assert panel.get_xlim() == (0, 1)
    assert [tick.get_text() for tick in panel.get_xticklabels()] == ["0", "0.01", "0.1", "1"]
    tried = set(panel.get_xticks(minor=True)) | set(panel.get_xticks())
    assert tried >= set(path.tolerances)
    zero, least, next_ = panel.transData.transform([(0, 0), (0.01, 0), (0.1, 0)])[:, 0]
    assert least - zero > 0.5 * (next_ - least), "zero has room"


@pytest.mark.parametrize(
    ("tolerances", "labels"), [([0.02, 0.08], ["0.02", "0.08"]), ([0.0, 0.0005], ["0", "0.0005"])]
)
def test_a_short_axis_has_its_ends_as_ticks(
    small: RelevancePath, tolerances: list[float], labels: list[str]
) -> None:
    short = replace(
        small,
        tolerances=np.array(tolerances),
        used=tolerances[0],
        intervals=small.intervals[:2],
        thresholds=small.thresholds[:2],
        relevance=small.relevance[:2],
    )
    panel = RelevancePathDisplay.from_result(short).ax_
    assert [tick.get_text() for tick in panel.get_xticklabels()] == labels


@pytest.mark.parametrize("feature", [None, "x2"])
def test_a_single_tolerance_can_be_drawn(
    model: OrdinalRelevance, feature: str | None, tmp_path
) -> None:
    display = RelevancePathDisplay.from_estimator(model, tolerances=[], feature=feature)
    assert display.path.tolerances.tolist() == [0.1]
    low, high = display.ax_.get_xlim()
    assert low < 0.1 < high
    display.figure_.savefig(tmp_path / "single.png")


def test_classes_are_told_apart_in_grey(small: RelevancePath) -> None:
    """The median grey of a band of each class, in the picture as it is printed."""
    display = RelevancePathDisplay.from_result(small)
    display.figure_.set_dpi(300)
    display.figure_.canvas.draw()
    pixels = np.asarray(display.figure_.canvas.buffer_rgba())[..., :3]
    grey = (pixels @ [0.299, 0.587, 0.114])[::-1]
    greys = []
    for bars in display.bars_:
        box = bars.get_paths()[-1].get_extents().transformed(display.ax_.transData)
        left, right = box.x0 + box.width * np.array([0.6, 0.9])  # right of the marker
        greys.append(
            np.median(grey[round(box.ymin) + 3 : round(box.ymax) - 3, round(left) : round(right)])
        )
    assert np.diff(greys).min() > 50, greys


def test_names_are_text_and_not_formulas(small: RelevancePath, tmp_path) -> None:
    odd = ("$cost_$", "<script>", "x^2", "100 %")
    display = RelevancePathDisplay.from_result(replace(small, feature_names=odd))
    display.figure_.savefig(tmp_path / "names.png")
    assert sorted(names(display.ax_)) == sorted(odd)
    one = RelevancePathDisplay.from_result(replace(small, feature_names=odd), feature="$cost_$")
    one.figure_.savefig(tmp_path / "one.png")
    assert one.ax_.get_title(loc="left") == "$cost_$"


def test_eighty_features_can_be_read_and_have_their_numbers(path: RelevancePath) -> None:
    display = RelevancePathDisplay.from_result(many(path, 80))
    display.figure_.draw_without_rendering()
    boxes = [tick.get_window_extent() for tick in display.ax_.get_yticklabels()]
    ordered = sorted(boxes, key=lambda box: -box.y1)
    assert all(below.y1 <= above.y0 for above, below in pairwise(ordered))
    assert len(numbers(display)) == len(boxes) == 80
    assert len(display.ax_.collections) < 10, "a thousand artists would take seconds"


def test_where_names_are_left_out_so_are_their_numbers(path: RelevancePath) -> None:
    _, ax = plt.subplots()
    wide = many(path, 300)
    display = RelevancePathDisplay.from_result(wide, ax=ax)
    shown = names(ax)
    assert 0 < len(shown) < 300
    position = {name: k for k, name in enumerate(wide.feature_names)}
    ends = [end_text(wide.strong_until[position[name]]) for name in shown]
    assert numbers(display) == ends


def test_the_legend_explains_all_and_covers_no_panel(path: RelevancePath) -> None:
    _, given = plt.subplots(layout="constrained")
    for ax in (None, given):
        display = RelevancePathDisplay.from_result(path, ax=ax)
        assert explained(display) == [
            "strong: indispensable",
            "weak: of use, but not indispensable",
            "irrelevant: of no use beyond chance",
            "from here on a good model does without it",
            "tolerance of the fit (0.1)",
        ]
        display.figure_.draw_without_rendering()
        panel = display.ax_.get_window_extent()
        assert display.legend_.get_window_extent().y0 > panel.y1
    assert len(plt.get_fignums()) == 2


def test_of_a_feature_that_is_only_bounded_nothing_is_drawn_or_written(
    small: RelevancePath,
) -> None:
    bounded = np.array([False, False, False, True])
    path = replace(small, bounded=bounded, strong_until=np.array([0.0, 0.04, np.inf, np.nan]))
    display = RelevancePathDisplay.from_result(path)
    assert names(display.ax_)[-1] == "idle"
    assert end_text(path.strong_until[-1]) == ""
    display = RelevancePathDisplay.from_result(path, feature="idle")
    [band] = display.bars_
    assert band.get_paths()[0].get_extents().y1 == 0


# One feature


def test_the_interval_of_one_feature_is_drawn_along_the_tolerance(small: RelevancePath) -> None:
    display = RelevancePathDisplay.from_result(small, feature="early")
    strong, weak = display.bars_
    assert (strong.get_label(), weak.get_label()) == ("strong", "weak")
    assert (strong.get_hatch(), weak.get_hatch()) == ("", "///")
    corners = {tuple(np.round(each, 9)) for each in strong.get_paths()[0].vertices}
    assert corners == {(0.0, 0.3), (0.04, 0.0), (0.04, 0.38)}, "zero where it ceases to be needed"
    box = weak.get_paths()[0].get_extents()
    assert (box.x0, box.x1, box.y0, box.y1) == pytest.approx((0.04, 1.0, 0.0, 1.1))
    marks = part(display.ax_, "tried, weak").get_offsets()
    np.testing.assert_allclose(marks, [(0.1, 0.5), (1.0, 1.1)])


def test_what_chance_reaches_is_drawn_beside_the_interval(path: RelevancePath) -> None:
    by_name = RelevancePathDisplay.from_result(path, feature="x2")
    limit = line(by_name.ax_, "maxrel")
    np.testing.assert_array_equal(limit.get_xdata(), path.tolerances)
    np.testing.assert_array_equal(limit.get_ydata(), path.thresholds)
    assert line(by_name.ax_, "used").get_xdata()[0] == path.used
    assert explained(by_name)[-2:] == ["limit of chance (maxrel)", "tolerance of the fit (0.1)"]
    by_index = RelevancePathDisplay.from_result(path, feature=2)
    assert by_index.ax_.get_title(loc="left") == by_name.ax_.get_title(loc="left") == "x2"


def test_on_given_axes_the_legend_stands_above_the_name_of_the_feature(
    small: RelevancePath,
) -> None:
    figure, ax = plt.subplots(layout="constrained")
    display = RelevancePathDisplay.from_result(small, feature="early", ax=ax)
    figure.draw_without_rendering()
    (title,) = (text for text in ax.findobj(Text) if text.get_text() == "early")
    assert display.legend_.get_window_extent().y0 >= title.get_window_extent().y1 - 1


@pytest.mark.parametrize("feature", ["age", 6, -1, True, 1.5])
def test_a_feature_that_is_not_there_is_refused(path: RelevancePath, feature: Any) -> None:
    with pytest.raises(ValueError, match=rf"one of the 6 features of the path; got {feature!r}"):
        RelevancePathDisplay.from_result(path, feature=feature)
    assert plt.get_fignums() == []


# How it is called


def test_an_estimator_is_asked_for_these_tolerances(model: OrdinalRelevance) -> None:
    display = RelevancePathDisplay.from_estimator(model, tolerances=[0, 0.5])
    assert display.path.tolerances.tolist() == [0, 0.1, 0.5]
    assert [plt.figure(number) for number in plt.get_fignums()] == [display.figure_]


def test_given_axes_are_drawn_on(path: RelevancePath) -> None:
    figure, (left, right) = plt.subplots(1, 2)
    display = RelevancePathDisplay(path).plot(ax=left)
    assert (display.ax_, display.figure_) == (left, figure)
    assert display.legend_ is left.get_legend()
    assert not right.collections
    assert len(plt.get_fignums()) == 1


def test_an_estimator_that_is_not_fitted_is_refused() -> None:
    with pytest.raises(NotFittedError, match="not fitted yet"):
        RelevancePathDisplay.from_estimator(OrdinalRelevance())


def test_a_model_that_learned_nothing_has_no_path() -> None:
    X, y, _ = table()
    with pytest.warns(match="uses no feature"):
        model = estimator("ordinal", C=1e-6).fit(X, y)
    with pytest.raises(InfeasibleError, match="nothing to ask about"):
        RelevancePathDisplay.from_estimator(model)


def test_a_result_is_no_path(model: OrdinalRelevance) -> None:
    with pytest.raises(TypeError, match=r"path must be a RelevancePath.*got RelevanceResult"):
        RelevancePathDisplay(model.result_)


def test_axes_that_are_none_are_refused(path: RelevancePath) -> None:
    with pytest.raises(TypeError, match=r"ax must be an Axes of matplotlib; got 'left'"):
        RelevancePathDisplay.from_result(path, ax="left")


def test_without_matplotlib_the_extra_is_named(
    path: RelevancePath, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"RelevancePathDisplay draws.*relbounds\[plot\]"):
        RelevancePathDisplay.from_result(path)
