"""Pictures of what stands in for what, by what is drawn."""

import sys
from dataclasses import replace
from itertools import pairwise
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from other_results import altered
from sklearn.exceptions import NotFittedError
from sklearn.preprocessing import StandardScaler
from small_fits import estimator, privileged_table, table, told_estimator

from relbounds import OrdinalRelevance, RedundancyDisplay, RelevanceResult
from relbounds.display.style import LOOKS
from relbounds.display.tree import TIP, forks, leaves, ratio_text
from relbounds.results.answers import FAR_MORE, Join, Redundancy

mpl.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")
pytestmark = pytest.mark.usefixtures("no_figures")

TIMES = "\N{MULTIPLICATION SIGN}"


@pytest.fixture(scope="module")
def model() -> OrdinalRelevance:
    """Two strong features, groups of two and three that replace one another, two idle ones."""
    X, y, _ = table(n_samples=150, weak_groups=(2, 3), random_state=1)
    return estimator("ordinal").fit(X, y)


@pytest.fixture(scope="module")
def result(model: OrdinalRelevance) -> RelevanceResult:
    return model.result_


@pytest.fixture(scope="module")
def redundancy(model: OrdinalRelevance) -> Redundancy:
    found = model.redundancy()
    assert found.groups == (("x2", "x3"), ("x4", "x5", "x6")), "what is drawn below"
    return found


@pytest.fixture(scope="module")
def told() -> OrdinalRelevance:
    X, y, X_priv, *_ = privileged_table(n_samples=60)
    return told_estimator("ordinal").fit(X, y, X_priv)


def many(result: RelevanceResult, n_features: int) -> tuple[Redundancy, RelevanceResult]:
    """So many relevant features, joined in pairs, pairs of pairs and so on; four are a group."""
    chosen = np.resize(np.flatnonzero(result.relevance), n_features)
    names = tuple(f"feature {k}" for k in range(n_features))
    wide = altered(result, feature_names=names, weight_ranges=result.weight_ranges[chosen])
    joins, parts = [], [(name,) for name in names]
    while len(parts) > 1:
        first, second, *others = sorted(parts, key=len)
        price = 3.0 if len(first) == len(second) == 2 else 0.2
        joins.append(Join(first, second, 0.9 * (len(joins) + 1) / n_features, 0.1, 0.1, price))
        parts = [*others, first + second]
    groups = tuple(join.first + join.second for join in joins if join.price > 1)
    return Redundancy(names, groups, groups, tuple(reversed(joins)), np.arange(len(names))), wide


# What is seen


def part(panel: Any, label: str) -> Any:
    return next(each for each in panel.collections if each.get_label() == label)


def names(panel: Any) -> list[str]:
    return [tick.get_text() for tick in panel.get_yticklabels()]


def texts(panel: Any, begin: str) -> dict[str, float]:
    """Texts that begin like this, and in which row they stand."""
    return {
        text.get_text(): text.xy[1] for text in panel.texts if text.get_text().startswith(begin)
    }


def joins_drawn(panel: Any, label: str) -> list[tuple[float, float, float]]:
    """Distance, first and last row of each join."""
    lines = part(panel, label).get_segments()
    return sorted((line[1, 0], line[1, 1], line[2, 1]) for line in lines)


def explained(display: RedundancyDisplay) -> list[str]:
    return [text.get_text() for text in display.legend_.get_texts()]


def label_boxes(panel: Any) -> list[Any]:
    panel.figure.draw_without_rendering()
    return [tick.get_window_extent() for tick in panel.get_yticklabels()]


# The tree


def test_joins_stand_at_their_distances_between_their_halves() -> None:
    """By hand: c and d are most alike, then a and b, then both pairs."""
    joins = [
        Join(("c", "d"), ("a", "b"), 0.9, 1.0, 1.0, 2.0),
        Join(("b",), ("a",), 0.5, 0.1, 0.1, 1.0),
        Join(("c",), ("d",), 0.2, 0.0, 0.0, 1.0),
    ]
    order = leaves(joins, {"a": 0, "b": 1, "c": 2, "d": 3})
    assert order == ["a", "b", "c", "d"], "as in the data, as far as the tree allows"
    closest, next_, root = forks(joins, {name: row for row, name in enumerate(order)})
    assert closest.path == [(TIP, 2), (0.2, 2), (0.2, 3), (TIP, 3)]
    assert next_.path == [(TIP, 1), (0.5, 1), (0.5, 0), (TIP, 0)]
    assert root.path == [(0.2, 2.5), (0.9, 2.5), (0.9, 0.5), (0.5, 0.5)]
    assert root.place == (0.9, 1.5)
    assert [fork.stands_in for fork in (closest, next_, root)] == [True, True, False]


def test_no_lines_of_a_tree_cross(redundancy: Redundancy) -> None:
    """Every set that is joined takes neighbouring rows."""
    order = {name: place for place, name in enumerate(redundancy.feature_names)}
    rows = {name: row for row, name in enumerate(leaves(redundancy.joins, order))}
    for join in redundancy.joins:
        taken = sorted(rows[name] for name in join.first + join.second)
        assert taken == list(range(taken[0], taken[-1] + 1))


def test_stand_ins_are_thick_with_how_much_dearer_both_are_and_others_thin_and_grey(
    redundancy: Redundancy, result: RelevanceResult
) -> None:
    tree = RedundancyDisplay.from_result(redundancy, result).ax_
    expected = {
        label: sorted(join.distance for join in redundancy.joins if chosen(join.ratio))
        for label, chosen in (
            ("stand-ins", lambda ratio: ratio >= FAR_MORE),
            ("alike", lambda ratio: ratio < FAR_MORE),
        )
    }
    drawn = {label: [distance for distance, *_ in joins_drawn(tree, label)] for label in expected}
    assert drawn == {label: pytest.approx(places) for label, places in expected.items()}
    thick, thin = part(tree, "stand-ins"), part(tree, "alike")
    assert thick.get_linewidth()[0] > 2 * thin.get_linewidth()[0]
    assert thin.get_edgecolor()[0][:3] == pytest.approx([0.55] * 3, abs=0.01)
    of_groups = [
        next(j for j in redundancy.joins if {*j.first, *j.second} == set(group))
        for group in redundancy.groups
    ]
    assert {f"{TIMES} {ratio_text(join.ratio)}" for join in of_groups} <= set(texts(tree, TIMES))


@pytest.mark.parametrize(
    ("price", "number"), [(0.7, "3.5"), (3.0, "15"), (1e4, "1000+"), (np.inf, "∞")]
)
def test_numbers_at_joins_have_few_digits(
    result: RelevanceResult, price: float, number: str
) -> None:
    redundancy, wide = many(result, 2)
    (join,) = redundancy.joins
    dear = replace(redundancy, joins=(replace(join, price=price),))
    assert list(texts(RedundancyDisplay.from_result(dear, wide).ax_, TIMES)) == [
        f"{TIMES} {number}"
    ]


def test_a_number_is_left_out_inside_of_stand_ins_at_about_the_same_distance(
    result: RelevanceResult,
) -> None:
    redundancy, wide = many(result, 3)
    root, inner = redundancy.joins
    for distance, written in ((0.1, 2), (0.79, 1)):
        joins = (replace(root, distance=0.8, price=9), replace(inner, distance=distance, price=2))
        display = RedundancyDisplay.from_result(replace(redundancy, joins=joins), wide)
        assert len(texts(display.ax_, TIMES)) == written
        assert len(joins_drawn(display.ax_, "stand-ins")) == 2, "thick they are all the same"


def test_joins_of_copies_can_be_seen(result: RelevanceResult) -> None:
    """At distance zero, to the left of the leaves."""
    redundancy, wide = many(result, 2)
    copies = replace(redundancy, joins=(replace(redundancy.joins[0], distance=0.0),))
    tree = RedundancyDisplay.from_result(copies, wide).ax_
    (line,) = part(tree, "alike").get_segments()
    left, tip = tree.transData.transform(line[[1, 0]])[:, 0]
    assert tip - left > 5, "pixels"
    assert tree.xaxis_inverted(), "the root is on the left"


# Rows


def test_every_relevant_feature_has_a_leaf_a_name_and_a_bar_in_one_row(
    model: OrdinalRelevance, result: RelevanceResult
) -> None:
    display = RedundancyDisplay.from_estimator(model)
    tree, intervals = display.axes_
    shown = names(intervals)
    assert sorted(shown) == [
        name for name, each in zip(result.feature_names, result.relevance, strict=True) if each
    ]
    assert tree.get_ylim() == intervals.get_ylim()
    position = {name: place for place, name in enumerate(result.feature_names)}
    for bars, relevance in zip(display.bars_, ("strong", "weak"), strict=True):
        boxes = [path.get_extents() for path in bars.get_paths()]
        rows = [round((box.y0 + box.y1) / 2) for box in boxes]
        of_rows = [position[shown[row]] for row in rows]
        np.testing.assert_allclose([(b.x0, b.x1) for b in boxes], result.intervals[of_rows])
        leaf_rows = part(tree, relevance).get_offsets()[:, 1]
        assert sorted(leaf_rows) == sorted(rows), "the marker of its class is at the leaf"
        assert {LOOKS[each].name for each in result.relevance[of_rows]} == {relevance}
    (limit,) = (line for line in intervals.get_lines() if line.get_label() == "maxrel")
    assert set(limit.get_xdata()) == {result.thresholds.maxrel}


def test_groups_are_bands_in_both_panels_with_a_name_beside_the_tree(
    redundancy: Redundancy, result: RelevanceResult
) -> None:
    display = RedundancyDisplay.from_result(redundancy, result)
    tree, intervals = display.axes_
    row = {name: row for row, name in enumerate(names(intervals))}
    expected = [
        (min(row[name] for name in group), max(row[name] for name in group))
        for group in redundancy.groups
    ]
    for panel in (tree, intervals):
        boxes = [path.get_extents() for path in part(panel, "groups").get_paths()]
        assert [(round(b.y0 + 0.44, 9), round(b.y1 - 0.44, 9)) for b in boxes] == expected
    middles = [(first + last) / 2 for first, last in expected]
    assert texts(tree, "group") == {"group 1": middles[0], "group 2": middles[1]}
    display.figure_.draw_without_rendering()
    edges = [text.get_window_extent().x1 for text in tree.texts if "group" in text.get_text()]
    assert max(edges) < tree.get_window_extent().x0


def test_bands_are_seen_in_grey(redundancy: Redundancy, result: RelevanceResult) -> None:
    display = RedundancyDisplay.from_result(redundancy, result)
    display.figure_.canvas.draw()
    pixels = np.asarray(display.figure_.canvas.buffer_rgba())[..., :3]
    grey = (pixels @ [0.299, 0.587, 0.114])[::-1]
    tree, intervals = display.axes_
    row = {name: row for row, name in enumerate(names(intervals))}
    x, tops = tree.get_xlim()[0], {}
    for name in ("x0", "x2"):
        left, y = tree.transData.transform((x, row[name] + 0.2))
        tops[name] = grey[round(y), round(left) + 4]
    assert tops["x0"] > 250
    assert 200 < tops["x2"] < 240, "light, and not white"


def test_privileged_features_are_called_so_and_have_their_own_limit(
    told: OrdinalRelevance,
) -> None:
    result = told.result_
    display = RedundancyDisplay.from_estimator(told)
    shown = names(display.axes_[1])
    sides = [name.endswith(" (privileged)") for name in shown]
    assert sum(sides) == (result.privileged.relevance > 0).sum() > 0
    (limit,) = (line for line in display.axes_[1].get_lines() if line.get_label() == "maxrel")
    own = dict(zip(result.feature_names, result.chance, strict=True)) | {
        f"{name} (privileged)": limit
        for name, limit in zip(
            result.privileged.feature_names, result.privileged.chance, strict=True
        )
    }
    np.testing.assert_allclose(limit.get_xdata()[::2], [own[name] for name in shown])


def test_names_are_text_and_not_formulas(
    redundancy: Redundancy, result: RelevanceResult, tmp_path
) -> None:
    odd = ("$cost_$", "<script>", "a_b", "x^2", "100 %", "$", "\\alpha", "u", "v")
    new = dict(zip(result.feature_names, odd, strict=True))

    def renamed(group: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(new[name] for name in group)

    display = RedundancyDisplay.from_result(
        replace(
            redundancy,
            feature_names=odd,
            groups=tuple(map(renamed, redundancy.groups)),
            joins=tuple(
                replace(join, first=renamed(join.first), second=renamed(join.second))
                for join in redundancy.joins
            ),
        ),
        altered(result, feature_names=odd),
    )
    display.figure_.savefig(tmp_path / "names.png")
    assert sorted(names(display.axes_[1])) == sorted(odd[:7])
    assert not any(tick.get_parse_math() for tick in display.axes_[1].get_yticklabels())


def test_sixty_features_can_be_read(result: RelevanceResult) -> None:
    display = RedundancyDisplay.from_result(*many(result, 60))
    boxes = sorted(label_boxes(display.axes_[1]), key=lambda box: -box.y1)
    assert len(boxes) == 60
    assert all(below.y1 <= above.y0 for above, below in pairwise(boxes))
    assert {tick.get_fontsize() >= 8 for tick in display.axes_[1].get_yticklabels()} == {True}
    groups = [t.get_window_extent() for t in display.ax_.texts if t.get_text().startswith("group")]
    assert len(groups) == 15
    ordered = sorted(groups, key=lambda box: -box.y1)
    assert all(below.y1 <= above.y0 for above, below in pairwise(ordered))


def test_the_legend_explains_what_is_drawn_and_covers_no_panel(
    redundancy: Redundancy, result: RelevanceResult
) -> None:
    display = RedundancyDisplay.from_result(redundancy, result)
    assert explained(display) == [
        "strong (2): indispensable",
        "weak (5): of use, but not indispensable",
        "limit of chance (maxrel)",
        f"stand-ins: missing both costs {TIMES} the sum",
        "joined by likeness only",
    ]
    display.figure_.draw_without_rendering()
    assert display.legend_.get_window_extent().y0 > display.ax_.get_window_extent().y1


# On given axes


def test_one_given_axes_shows_the_tree_with_names_at_its_leaves(
    redundancy: Redundancy, result: RelevanceResult
) -> None:
    figure, (left, right) = plt.subplots(1, 2, layout="constrained")
    display = RedundancyDisplay.from_result(redundancy, result, ax=left)
    assert (display.axes_, display.bars_, display.figure_) == ([left], [], figure)
    assert not right.collections
    figure.draw_without_rendering()
    labels = [tick.label2 for tick in left.yaxis.get_major_ticks()]
    assert sorted(each.get_text() for each in labels) == [f"x{k}" for k in range(7)]
    edge = left.get_window_extent().x1
    assert all(each.get_visible() and each.get_window_extent().x0 > edge for each in labels)
    assert not any("limit" in text for text in explained(display))
    assert len(plt.get_fignums()) == 1


@pytest.mark.parametrize("kind", [list, tuple, np.asarray])
def test_two_given_axes_show_tree_and_intervals(
    redundancy: Redundancy, result: RelevanceResult, kind
) -> None:
    _, axes = plt.subplots(1, 2)
    display = RedundancyDisplay(redundancy, result).plot(ax=kind(axes))
    assert display.axes_ == list(axes)
    assert display.legend_ is axes[0].get_legend()
    assert len(display.bars_) == 2
    assert len(plt.get_fignums()) == 1


def test_a_new_figure_is_the_only_one_and_its_panels_scroll_together(
    redundancy: Redundancy, result: RelevanceResult, tmp_path
) -> None:
    display = RedundancyDisplay.from_result(redundancy, result)
    assert [plt.figure(number) for number in plt.get_fignums()] == [display.figure_]
    display.axes_[1].set_ylim(3, 0)
    assert display.ax_.get_ylim() == (3, 0)
    display.figure_.savefig(tmp_path / "tree.png")


# Nothing to join


def note(display: RedundancyDisplay) -> str:
    (text,) = display.ax_.texts
    return text.get_text().replace("\n", " ")


def of_so_many(result: RelevanceResult, n_relevant: int) -> RelevanceResult:
    """The same with so many features left that anything speaks for."""
    ranges = result.weight_ranges.copy()
    ranges[n_relevant:] = 0
    p = np.where(np.arange(len(ranges)) < n_relevant, 1e-9, 1.0)
    return altered(result, weight_ranges=ranges, p_alone=p, p_needed=p)


@pytest.mark.parametrize(
    ("n_relevant", "sentence"),
    [
        (0, "No feature is relevant, so there is nothing to stand in for."),
        (1, "Only x0 is relevant, and no other feature can stand in for it."),
    ],
)
def test_too_few_relevant_features_for_a_tree_draw_a_note(
    result: RelevanceResult, n_relevant: int, sentence: str, tmp_path
) -> None:
    few = of_so_many(result, n_relevant)
    nothing = Redundancy(few.feature_names, (), (), (), np.arange(len(few.feature_names)))
    display = RedundancyDisplay.from_result(nothing, few)
    display.figure_.savefig(tmp_path / "few.png")
    assert note(display) == sentence
    assert sum(len(bars.get_paths()) for bars in display.bars_) == n_relevant


def test_a_model_that_learned_nothing_draws_why() -> None:
    X, y, _ = table()
    with pytest.warns(match="uses no feature"):
        model = estimator("ordinal", C=1e-6).fit(X, y)
    assert note(RedundancyDisplay.from_estimator(model)) == model.result_.why_degenerate


# How it is called


def test_an_estimator_that_is_not_fitted_is_refused() -> None:
    with pytest.raises(NotFittedError, match="not fitted yet"):
        RedundancyDisplay.from_estimator(OrdinalRelevance())


def test_an_estimator_of_another_kind_is_refused() -> None:
    with pytest.raises(TypeError, match=r"one of relbounds.*got StandardScaler"):
        RedundancyDisplay.from_estimator(StandardScaler().fit([[0.0], [1.0]]))


def test_what_is_no_redundancy_or_no_result_is_refused(
    model: OrdinalRelevance, redundancy: Redundancy, result: RelevanceResult
) -> None:
    with pytest.raises(TypeError, match=r"redundancy must be a Redundancy.*got RelevanceResult"):
        RedundancyDisplay(result, result)
    with pytest.raises(TypeError, match=r"result must be a RelevanceResult.*from_estimator"):
        RedundancyDisplay(redundancy, model)


def test_findings_of_different_fits_are_refused(
    redundancy: Redundancy, result: RelevanceResult
) -> None:
    for other in (of_so_many(result, 3), altered(result, feature_names=tuple("abcdefghi"))):
        with pytest.raises(ValueError, match="must come from the same fit"):
            RedundancyDisplay.from_result(redundancy, other)
    with pytest.raises(ValueError, match="must come from the same fit"):
        RedundancyDisplay.from_result(replace(redundancy, joins=(), groups=()), result)
    assert plt.get_fignums() == []


@pytest.mark.parametrize("ax", [[], "left"])
def test_axes_that_are_none_are_refused(
    redundancy: Redundancy, result: RelevanceResult, ax: Any
) -> None:
    with pytest.raises(TypeError, match="two of them for the tree and the intervals; got"):
        RedundancyDisplay.from_result(redundancy, result, ax=ax)
    assert plt.get_fignums() == []


def test_without_matplotlib_the_extra_is_named(
    redundancy: Redundancy, result: RelevanceResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"RedundancyDisplay draws.*relbounds\[plot\]"):
        RedundancyDisplay.from_result(redundancy, result)
