"""Pictures, by what is drawn."""

import sys
from dataclasses import replace
from itertools import pairwise
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from other_results import altered, with_own_chance
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from small_fits import estimator, privileged_table, table, told_estimator

from relbounds import OrdinalRelevance, RelevanceDisplay, RelevanceResult
from relbounds.display import layout as sheet
from relbounds.display.layout import labels
from relbounds.display.style import LOOKS
from relbounds.results.findings import Findings, arranged

mpl.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")
pytestmark = pytest.mark.usefixtures("no_figures")


@pytest.fixture(scope="module")
def model() -> OrdinalRelevance:
    """Two strong, two weak and two irrelevant features."""
    X, y, _ = table()
    return estimator("ordinal").fit(X, y)


@pytest.fixture(scope="module")
def result(model: OrdinalRelevance) -> RelevanceResult:
    return model.result_


@pytest.fixture(scope="module")
def told() -> OrdinalRelevance:
    """Four regular and three privileged features."""
    X, y, X_priv, *_ = privileged_table()
    names = ["scan", "$notes_$", "<script>"]
    told = pd.DataFrame(X_priv[:, :3], columns=names)
    return told_estimator("ordinal", n_probes=50).fit(X, y, told)


@pytest.fixture(scope="module")
def collapsed() -> RelevanceResult:
    """A result of both sides without weights, and so without thresholds."""
    X, y, X_priv, *_ = privileged_table()
    with pytest.warns(match="next to nothing"):
        return told_estimator("ordinal", C=1e-6).fit(X, y, X_priv).result_


def many(result: RelevanceResult, n_features: int, side: str = "regular") -> RelevanceResult:
    """The same features of a side over and over again."""
    ranges = next(each.weight_ranges for each in result.sides if each.side == side)
    return altered(
        result,
        side,
        feature_names=tuple(f"feature {k}" for k in range(n_features)),
        weight_ranges=np.resize(ranges, (n_features, *ranges.shape[1:])),
    )


# What is seen


def spans(bars: list[Any]) -> dict[int, tuple[float, float]]:
    """From where to where the bar of each row goes."""
    boxes = [path.get_extents() for each in bars for path in each.get_paths()]
    return {round((box.y0 + box.y1) / 2): (box.x0, box.x1) for box in boxes}


def names(panel: Any) -> list[str]:
    return [tick.get_text() for tick in panel.get_yticklabels()]


def markers(panel: Any, label: str) -> Any:
    return next(each for each in panel.collections if each.get_label() == label)


def lines(panel: Any) -> dict[str, list[float]]:
    """Where vertical lines stand, by what they are."""
    found: dict[str, list[float]] = {}
    for line in panel.get_lines():
        found.setdefault(line.get_label(), []).append(line.get_xdata()[0])
    return found


def explained(display: RelevanceDisplay) -> list[str]:
    return [text.get_text() for text in display.legend_.get_texts()]


def assert_drawn(panel: Any, bars: list[Any], side: Findings) -> None:
    """One side's bars, names, markers and thresholds are those of a panel."""
    found = spans(bars)
    assert sorted(found) == list(range(len(side.feature_names)))
    np.testing.assert_allclose([found[row] for row in sorted(found)], side.intervals)
    assert names(panel) == list(side.feature_names)
    for relevance, look in LOOKS.items():
        ends = markers(panel, f"ends of {look.name}").get_offsets()
        rows = np.flatnonzero(side.relevance == relevance)
        np.testing.assert_allclose(ends, np.column_stack([side.intervals[rows, 1], rows]))
    np.testing.assert_allclose(limits_of(panel, len(side.feature_names)), side.chance)


def limits_of(panel: Any, n_rows: int) -> list[float]:
    """Where chance ends in each row: by a line for all, or by a stroke in each."""
    strokes = [each for each in panel.collections if each.get_label() == "chance"]
    if not strokes:
        (shared,) = lines(panel)["maxrel"]
        return [shared] * n_rows
    assert "maxrel" not in lines(panel)
    segments = strokes[0].get_segments()
    assert [each[:, 1].mean() for each in segments] == pytest.approx(range(n_rows))
    return [each[0, 0] for each in segments]


def sharing(result: RelevanceResult) -> RelevanceResult:
    """The same, without features whose chance was measured apart."""
    return altered(result, shadows=())


def assert_apart(boxes: list[Any]) -> None:
    """No box begins before the one above it ends."""
    boxes = sorted(boxes, key=lambda box: -box.y1)
    assert all(below.y1 <= above.y0 for above, below in pairwise(boxes))


def label_boxes(panel: Any) -> list[Any]:
    panel.figure.draw_without_rendering()
    return [tick.get_window_extent() for tick in panel.get_yticklabels()]


# Intervals


def test_every_feature_has_a_bar_from_minrel_to_maxrel_and_a_marker_at_its_end(
    model: OrdinalRelevance,
) -> None:
    display = RelevanceDisplay.from_estimator(model)
    assert_drawn(display.ax_, display.bars_, model.result_)
    assert display.ax_.yaxis_inverted(), "the first feature is on top"
    assert display.ax_.get_xlim()[0] == 0
    assert "norm" in display.ax_.get_xlabel()
    assert (display.axes_, display.ax_.get_title(loc="left")) == (display.figure_.axes, "")


def test_each_class_has_bars_of_its_own(result: RelevanceResult) -> None:
    display = RelevanceDisplay.from_result(result)
    assert [bars.get_label() for bars in display.bars_] == ["strong", "weak", "irrelevant"]
    assert [len(bars.get_paths()) for bars in display.bars_] == [2, 2, 2]


def test_classes_differ_in_marker_and_hatch(result: RelevanceResult) -> None:
    panel = RelevanceDisplay.from_result(result).ax_
    ends = [markers(panel, f"ends of {look.name}") for look in LOOKS.values()]
    shapes = {each.get_paths()[0].vertices.tobytes() for each in ends}
    assert len(shapes) == 3, "square, diamond and circle"
    assert [look.hatch for look in LOOKS.values()] == ["", "///", ""]
    assert ends[2].get_facecolor().tolist() == [[1, 1, 1, 1]], "the circle is open"


def test_classes_are_told_apart_in_grey(result: RelevanceResult) -> None:
    """The median grey of each class's bars, in the picture as it is printed."""
    display = RelevanceDisplay.from_result(result)
    display.figure_.set_dpi(300)
    display.figure_.canvas.draw()
    pixels = np.asarray(display.figure_.canvas.buffer_rgba())[..., :3]
    grey = (pixels @ [0.299, 0.587, 0.114])[::-1]
    greys = []
    for bars in display.bars_:
        box = bars.get_paths()[0].get_extents().transformed(display.ax_.transData)
        left, right = box.x0 + box.width * np.array([0.1, 0.5])  # the marker is further right
        inside = grey[round(box.ymin) + 3 : round(box.ymax) - 3, round(left) : round(right)]
        greys.append(np.median(inside))
    assert np.diff(greys).min() > 50, greys


def test_the_legend_names_counts_and_explains_once(result: RelevanceResult) -> None:
    display = RelevanceDisplay.from_result(with_own_chance(result, 4))
    assert explained(display) == [
        "strong (2): indispensable",
        "weak (2): of use, but not indispensable",
        "irrelevant (2): of no use beyond chance",
        "needed: proved to add to all others",
        "limit of chance for this column",
    ]
    assert explained(RelevanceDisplay.from_result(sharing(result)))[4:] == [
        "limit of chance (maxrel)"
    ]
    nothing = altered(result, p_needed=np.ones(6))
    assert not any("needed" in text for text in explained(RelevanceDisplay.from_result(nothing)))
    assert display.figure_.legends == [display.legend_]
    assert display.ax_.get_legend() is None


@pytest.mark.parametrize("kind", ["intervals", "probes"])
@pytest.mark.parametrize("n_features", [1, 6, 200])
def test_the_legend_covers_no_panel(result: RelevanceResult, kind: str, n_features: int) -> None:
    wide = many(result, n_features)
    _, given = plt.subplots(layout="constrained")
    for ax in (None, given):
        display = RelevanceDisplay.from_result(wide, ax=ax, kind=kind)
        display.figure_.draw_without_rendering()
        panel = display.ax_.get_window_extent()
        assert display.legend_.get_window_extent().y0 > panel.y1
        assert panel.height > 60, "and leaves room for it"


def test_thresholds_are_dashes_and_that_of_minrel_is_dotted_where_it_is_not_zero(
    result: RelevanceResult,
) -> None:
    plain = RelevanceDisplay.from_result(sharing(result))
    assert [line.get_linestyle() for line in plain.ax_.get_lines()] == ["--"]
    probes = replace(result.probes, intervals=result.probes.intervals + 0.1)
    raised = altered(sharing(result), probes=probes)
    display = RelevanceDisplay.from_result(raised)
    styles = {line.get_label(): line.get_linestyle() for line in display.ax_.get_lines()}
    assert styles == {"maxrel": "--", "minrel": ":"}
    assert lines(display.ax_)["minrel"] == [raised.thresholds.minrel]
    assert explained(display)[4:] == ["limit of chance (maxrel)", "limit of chance (minrel)"]


@pytest.mark.parametrize("signed", [False, True])
def test_a_plus_beyond_the_end_of_its_bar_marks_what_is_needed(
    result: RelevanceResult, signed: bool
) -> None:
    ranges = result.weight_ranges.copy()
    ranges[1] = -ranges[1][::-1]
    ranges[4] = [-0.1, 0.2]
    needed = np.array([1e-9, 1e-9, 1, 1, 1e-9, 1])
    mixed = altered(result, weight_ranges=ranges, p_needed=needed)
    assert mixed.needed.tolist() == [True, True, False, False, True, False]
    display = RelevanceDisplay.from_result(mixed, signed=signed)
    display.figure_.draw_without_rendering()
    pluses = [each for each in display.ax_.collections if each.get_label() == "needed"]
    found = {}
    for each in pluses:
        for place in each.get_offsets():
            found[round(place[1])] = each.get_offset_transform().transform(place)[0]
    assert sorted(found) == [0, 1, 4]
    for row, x in found.items():
        low, high = spans(display.bars_)[row]
        to_left = signed and row == 1
        end = display.ax_.transData.transform((low if to_left else high, row))[0]
        assert (end - x if to_left else x - end) > 3, "beyond the marker, in pixels"
    assert {each.get_facecolor().tobytes() for each in pluses} == {
        np.array([[0.0, 0, 0, 1]]).tobytes()
    }, "in ink, so that it is seen in print"


def test_chance_of_one_column_is_drawn_in_its_row(result: RelevanceResult) -> None:
    own = with_own_chance(result, 4)
    display = RelevanceDisplay.from_result(own, sort="relevance")
    order = arranged(own.regular)
    assert np.ptp(own.chance) > 0.05
    np.testing.assert_allclose(limits_of(display.ax_, 6), own.chance[order])


def test_features_can_be_sorted_by_relevance(result: RelevanceResult) -> None:
    mixed = altered(
        result,
        feature_names=result.feature_names[::-1],
        weight_ranges=result.weight_ranges[::-1],
        p_alone=result.p_alone[::-1],
        p_needed=result.p_needed[::-1],
    )
    display = RelevanceDisplay.from_result(mixed, sort="relevance")
    order = arranged(mixed.regular, "relevance")
    assert names(display.ax_) == [mixed.feature_names[feature] for feature in order]
    found = spans(display.bars_)
    np.testing.assert_allclose([found[row] for row in range(6)], mixed.intervals[order])
    assert sorted(spans(display.bars_[:1])) == [0, 1], "strong ones on top"


def test_columns_of_a_group_stay_together_in_a_bracket(result: RelevanceResult) -> None:
    one, two, *_, last = result.feature_names
    made_from = {one: "color", last: "color", two: "alone", "elsewhere": "alone"}
    display = RelevanceDisplay.from_result(result, made_from=made_from)
    assert names(display.ax_)[:3] == [one, last, two]
    brackets = markers(display.ax_, "origins").get_segments()
    assert len(brackets) == 1, "one column is no group"
    places = brackets[0][:, 1]
    assert (places.min(), places.max()) == (pytest.approx(-0.35), pytest.approx(1.35))
    display.figure_.draw_without_rendering()
    drawn = markers(display.ax_, "origins").get_transform().transform(brackets[0])[:, 0]
    edge = display.ax_.get_window_extent().x0
    assert max(box.x1 for box in label_boxes(display.ax_)) < drawn.min() < drawn.max() < edge


def test_without_origins_there_is_no_bracket(result: RelevanceResult) -> None:
    display = RelevanceDisplay.from_result(result, made_from={})
    assert "origins" not in {each.get_label() for each in display.ax_.collections}


# With signs


@pytest.mark.parametrize("side", ["regular", "privileged"])
def test_signed_bars_are_weights_around_zero_with_thresholds_on_both_sides(
    told: OrdinalRelevance, side: str
) -> None:
    result = with_own_chance(told.result_, 0, side)
    display = RelevanceDisplay.from_result(result, signed=True)
    found, panel, bars = {
        "regular": (result, display.axes_[0], display.bars_[:3]),
        "privileged": (result.privileged, display.axes_[-1], display.bars_[3:]),
    }[side]
    ranges = found.hulls / found.norm
    drawn = spans(bars)
    np.testing.assert_allclose([drawn[row] for row in sorted(drawn)], ranges)
    assert lines(panel) == {"zero": [0]}, "and chance has strokes"
    right, left = (each for each in panel.collections if each.get_label() == "chance")
    for sign, strokes in ((1, right), (-1, left)):
        places = [each[0, 0] for each in strokes.get_segments()]
        np.testing.assert_allclose(places, sign * found.chance)
    limit = found.chance.max()
    low, high = panel.get_xlim()
    assert low < min(-limit, ranges.min())
    assert high > max(limit, ranges.max())
    assert "|" not in panel.get_xlabel(), "a weight, not its absolute value"


def test_a_signed_bar_has_its_marker_at_the_end_further_from_zero(result: RelevanceResult) -> None:
    ranges = np.array([[1.0, 3.0], [-3.0, -1.0], [-2.0, 3.0], [-3.0, 2.0], [0, 0], [-1.0, 1.0]])
    display = RelevanceDisplay.from_result(altered(result, weight_ranges=ranges), signed=True)
    ends = {
        round(row): end * result.norm
        for look in LOOKS.values()
        for end, row in markers(display.ax_, f"ends of {look.name}").get_offsets()
    }
    assert [ends[row] for row in range(6)] == pytest.approx([3, -3, 3, -3, 0, 1])


# Many features, long names


def test_two_hundred_names_do_not_overlap_and_can_be_read(result: RelevanceResult) -> None:
    display = RelevanceDisplay.from_result(many(result, 200), sort="relevance")
    boxes = label_boxes(display.ax_)
    assert len(boxes) == 200
    assert_apart(boxes)
    assert {tick.get_fontsize() >= 7 for tick in display.ax_.get_yticklabels()} == {True}
    ticks = display.ax_.xaxis.get_major_ticks()
    assert all(tick.label1.get_visible() and tick.label2.get_visible() for tick in ticks)


@pytest.mark.parametrize("n_features", [20, 40, 200])
def test_names_do_not_overlap_on_given_axes(result: RelevanceResult, n_features: int) -> None:
    """Where not all fit, as many are left out as have to be, which is said."""
    _, ax = plt.subplots()
    RelevanceDisplay.from_result(many(result, n_features), ax=ax)
    boxes = label_boxes(ax)
    assert_apart(boxes)
    if n_features < 200:
        assert (len(boxes), ax.get_ylabel()) == (n_features, "")
    else:
        step = 200 // len(boxes)
        assert names(ax) == [f"feature {k}" for k in range(0, 200, step)]
        assert ax.get_ylabel() == f"200 features, one name in {step} is shown"


def test_a_thousand_features_are_a_handful_of_artists(result: RelevanceResult) -> None:
    display = RelevanceDisplay.from_result(many(result, 1000))
    assert len(display.ax_.collections) + len(display.ax_.patches) < 10
    assert sum(len(bars.get_paths()) for bars in display.bars_) == 1000


def test_a_figure_never_outgrows_what_can_be_saved() -> None:
    (space,) = sheet.new([40_000], row=10)
    assert space.ax.figure.get_size_inches()[1] * 300 < 2**16
    assert space.row < 1, "in points"


def test_names_are_text_and_not_formulas(result: RelevanceResult, tmp_path) -> None:
    """A dollar sign or an underscore is no mathematics."""
    odd = ("$cost_$", "<script>", "a_b", "x^2", "100 %", "$")
    display = RelevanceDisplay.from_result(altered(result, feature_names=odd))
    display.figure_.savefig(tmp_path / "names.png")
    assert names(display.ax_) == list(odd)
    assert not any(tick.get_parse_math() for tick in display.ax_.get_yticklabels())


def test_long_names_are_cut_in_the_middle_and_broken_ones_are_one_line() -> None:
    long, *others = labels(["head " + 50 * "x" + " tail", "two\nlines  here", "short"])
    assert len(long) <= 32
    assert (long[:5], long[-5:], long.count("…")) == ("head ", " tail", 1)
    assert others == ["two lines here", "short"]


def test_names_that_differ_in_the_middle_stay_different() -> None:
    twins = [f"{20 * 'x'}{middle}{20 * 'y'}" for middle in ("one", "two")]
    assert labels(twins) == twins
    longer = [f"{90 * 'x'}{middle}{90 * 'y'}" for middle in ("one", "two", "one")]
    one, two, again = labels([*longer, "z"])[:3]
    assert one == again != two
    assert one.endswith(" (1)")


# Probes


def test_probes_are_a_histogram_with_a_stroke_for_each(result: RelevanceResult) -> None:
    display = RelevanceDisplay.from_result(result, kind="probes")
    probes = result.probe_intervals[:, 1]
    (bars,) = display.bars_
    boxes = [path.get_extents() for path in bars.get_paths()]
    heights = np.array([box.height for box in boxes])
    counts = [((probes >= box.x0) & (probes < box.x1)).sum() for box in boxes]
    assert sum(counts) == len(probes)
    np.testing.assert_allclose(heights / heights.max(), counts / np.max(counts))
    strokes = markers(display.ax_, "probes").get_segments()
    assert sorted(stroke[0, 0] for stroke in strokes) == pytest.approx(sorted(probes))


def test_features_stand_above_the_probes_in_a_row_for_each_class(result: RelevanceResult) -> None:
    panel = RelevanceDisplay.from_result(result, kind="probes").ax_
    assert names(panel) == ["strong (2)", "weak (2)", "irrelevant (2)", "probes (10)"]
    for row, (relevance, look) in enumerate(LOOKS.items()):
        points = markers(panel, look.name).get_offsets()
        maxrel = result.intervals[result.relevance == relevance, 1]
        assert sorted(points[:, 0]) == pytest.approx(sorted(maxrel))
        assert (np.abs(points[:, 1] - row) < 0.5).all()
    assert lines(panel) == {"maxrel": [result.thresholds.maxrel]}
    assert "maxrel" in panel.get_xlabel()


def test_probes_of_both_sides_have_panels(told: OrdinalRelevance) -> None:
    result = told.result_
    display = RelevanceDisplay.from_estimator(told, kind="probes")
    assert len(display.bars_) == len(display.axes_) == 2
    limits = [lines(panel)["maxrel"] for panel in display.axes_]
    assert limits == [[result.thresholds.maxrel], [result.privileged.thresholds.maxrel]]
    assert explained(display) == [
        "probes: permuted, meaningless columns",
        "limit of chance (maxrel)",
    ]


def test_probes_that_are_all_the_same_can_be_drawn(result: RelevanceResult) -> None:
    none = altered(result, probes=replace(result.probes, intervals=np.zeros((10, 2))))
    (bars,) = RelevanceDisplay.from_result(none, kind="probes").bars_
    assert len(bars.get_paths()) == 1


# Privileged features


def test_privileged_features_have_a_panel_beside_the_others(told: OrdinalRelevance) -> None:
    """With thresholds of their own; the titles say which side it is, and count."""
    display = RelevanceDisplay.from_estimator(told)
    regular, privileged = display.axes_
    assert_drawn(regular, display.bars_[:3], told.result_)
    assert_drawn(privileged, display.bars_[3:], told.result_.privileged)
    counts = {
        name: ", ".join(
            f"{(side.relevance == each).sum()} {look.name}" for each, look in LOOKS.items()
        )
        for name, side in (("regular", told.result_), ("privileged", told.result_.privileged))
    }
    for name, panel in zip(counts, display.axes_, strict=True):
        assert panel.get_title(loc="left") == f"{name} features: {counts[name]}"
        assert "norm" in panel.get_xlabel()
    display.figure_.draw_without_rendering()
    left, right = regular.get_window_extent(), privileged.get_window_extent()
    assert left.x1 < right.x0
    assert left.y1 == pytest.approx(right.y1)
    assert display.figure_.axes == display.axes_
    assert explained(display)[0] == "strong: indispensable", "titles have counts"


@pytest.mark.parametrize("longer", ["regular", "privileged"])
def test_the_shorter_panel_has_rows_of_about_the_same_height(
    told: OrdinalRelevance, longer: str
) -> None:
    display = RelevanceDisplay.from_result(many(told.result_, 30, longer))
    display.figure_.draw_without_rendering()
    rows = [
        panel.get_window_extent().height / abs(np.diff(panel.get_ylim())[0])
        for panel in display.axes_
    ]
    assert rows[0] == pytest.approx(rows[1], rel=0.15)
    tops = [panel.get_window_extent().y1 for panel in display.axes_]
    assert tops[0] == pytest.approx(tops[1])


def test_one_given_axes_shows_regular_features_only(told: OrdinalRelevance) -> None:
    figure, (left, right) = plt.subplots(1, 2)
    display = RelevanceDisplay.from_estimator(told, ax=left)
    assert_drawn(left, display.bars_, told.result_)
    assert left.get_title(loc="left") == "", "there is nothing to tell it from"
    assert not right.collections
    assert (display.axes_, display.figure_, len(display.bars_)) == ([left], figure, 3)
    assert display.legend_ is left.get_legend()
    assert len(plt.get_fignums()) == 1


@pytest.mark.parametrize("kind", [list, tuple, np.asarray])
def test_two_given_axes_show_both_sides(told: OrdinalRelevance, kind) -> None:
    figure, axes = plt.subplots(1, 2)
    display = RelevanceDisplay.from_result(told.result_, ax=kind(axes))
    assert_drawn(axes[0], display.bars_[:3], told.result_)
    assert_drawn(axes[1], display.bars_[3:], told.result_.privileged)
    assert display.figure_ is figure
    assert len(plt.get_fignums()) == 1


def test_a_second_axes_without_privileged_features_stays_empty(result: RelevanceResult) -> None:
    _, (used, spare) = plt.subplots(1, 2)
    display = RelevanceDisplay.from_result(result, ax=[used, spare])
    assert display.axes_ == [used]
    assert not spare.collections
    assert spare.get_xlabel() == ""


# Nothing to see


@pytest.mark.parametrize("kind", ["intervals", "probes"])
@pytest.mark.parametrize("sides", [1, 2])
def test_a_result_without_weights_says_so_in_the_picture(
    collapsed: RelevanceResult, kind: str, sides: int, tmp_path
) -> None:
    result = collapsed if sides == 2 else replace(collapsed, sides=collapsed.sides[:1], slack=None)
    display = RelevanceDisplay.from_result(result, kind=kind)
    display.figure_.savefig(tmp_path / "nothing.png")
    (note,) = display.ax_.texts
    assert note.get_text().replace("\n", " ") == result.why_degenerate
    assert [len(panel.get_lines()) for panel in display.axes_] == [0] * sides
    assert not any("limit" in text for text in explained(display))


def test_a_result_without_weights_has_its_bars_at_zero(collapsed: RelevanceResult) -> None:
    display = RelevanceDisplay.from_result(collapsed, signed=True)
    assert set(spans(display.bars_[:3]).values()) == {(0.0, 0.0)}
    counts = [len(bars.get_paths()) for bars in display.bars_]
    assert (counts[0], counts[3]) == (0, 0), "no good model, nothing indispensable"
    assert (sum(counts[:3]), sum(counts[3:])) == (4, 4)


def test_the_note_fits_on_the_picture_of_a_single_feature(collapsed: RelevanceResult) -> None:
    display = RelevanceDisplay.from_result(many(replace(collapsed, sides=collapsed.sides[:1]), 1))
    display.figure_.draw_without_rendering()
    note, page = display.ax_.texts[0].get_window_extent(), display.figure_.bbox
    assert page.x0 < note.x0 < note.x1 < page.x1
    assert page.y0 < note.y0 < note.y1 < display.legend_.get_window_extent().y0


# How it is called


def test_a_figure_is_made_by_pyplot_and_can_be_saved(result: RelevanceResult, tmp_path) -> None:
    display = RelevanceDisplay(result).plot()
    assert plt.figure(plt.get_fignums()[0]) is display.figure_
    display.figure_.savefig(tmp_path / "intervals.png")
    assert (tmp_path / "intervals.png").stat().st_size > 1000


def test_settings_reach_the_picture_from_an_estimator(model: OrdinalRelevance) -> None:
    made_from = dict.fromkeys(model.result_.feature_names, "one")
    settings: dict[str, Any] = {"sort": "relevance", "signed": True, "made_from": made_from}
    display = RelevanceDisplay.from_estimator(model, **settings)
    assert names(display.ax_) == names(RelevanceDisplay(model.result_).plot(**settings).ax_)
    assert "zero" in lines(display.ax_)
    assert len(markers(display.ax_, "origins").get_segments()) == 1


def test_an_estimator_that_is_not_fitted_is_refused() -> None:
    with pytest.raises(NotFittedError, match="not fitted yet"):
        RelevanceDisplay.from_estimator(OrdinalRelevance())


def test_an_estimator_of_another_kind_is_refused() -> None:
    X, y, _ = table()
    pipeline = make_pipeline(StandardScaler(), StandardScaler()).fit(X, y)
    with pytest.raises(TypeError, match=r"one of relbounds.*got Pipeline.*pass the part"):
        RelevanceDisplay.from_estimator(pipeline)


def test_an_estimator_is_no_result(model: OrdinalRelevance) -> None:
    with pytest.raises(TypeError, match=r"RelevanceResult.*got OrdinalRelevance.*from_estimator"):
        RelevanceDisplay.from_result(model)


@pytest.mark.parametrize(
    ("settings", "error", "sentence"),
    [
        ({"sort": "name"}, ValueError, "sort must be one of 'relevance', 'given'; got 'name'"),
        ({"kind": "bars"}, ValueError, "kind must be one of 'intervals', 'probes'; got 'bars'"),
        ({"signed": "yes"}, ValueError, "signed must be one of True, False; got 'yes'"),
        ({"signed": True, "kind": "probes"}, ValueError, "the sign of a probe means nothing"),
        ({"made_from": ["color"]}, TypeError, "made_from must map names .*; got list"),
        ({"ax": []}, TypeError, "ax must be an Axes of matplotlib, or two of them"),
        ({"ax": "left"}, TypeError, "ax must be an Axes of matplotlib.*; got 'left'"),
    ],
)
def test_a_wrong_setting_is_told_in_a_sentence(
    result: RelevanceResult, settings: dict[str, Any], error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        RelevanceDisplay(result).plot(**settings)
    assert plt.get_fignums() == []


def test_without_matplotlib_the_extra_is_named(
    result: RelevanceResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    display = RelevanceDisplay(result)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"matplotlib, which is not installed.*relbounds\[plot\]"):
        display.plot()
