"""The report, by what is in the file."""

import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from io import StringIO
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from other_results import altered, with_own_chance
from report_cases import (
    HOSTILE,
    LEVELS,
    Page,
    degenerate_result,
    hostile_result,
    many_features,
    texts_follow_ups,
    texts_model,
    told_result,
    tuned_result,
)
from small_fits import PROBES, estimator, table

from relbounds import RegressionRelevance, RelevanceResult, write_report
from relbounds.exceptions import RelboundsError, ReportError
from relbounds.report import doubts
from relbounds.report.features import Axis, side_view
from relbounds.report.rendering import asset, breakable
from relbounds.results.findings import arranged
from relbounds.results.whole_columns import whole_columns
from relbounds.wording.evidence import marks
from relbounds.wording.relevance import answers, headline
from relbounds.wording.text import probability


@pytest.fixture(scope="module")
def result() -> RelevanceResult:
    return tuned_result()


@pytest.fixture(scope="module")
def told() -> RelevanceResult:
    return told_result()


@pytest.fixture(scope="module")
def nothing_learned() -> RelevanceResult:
    return degenerate_result()


@pytest.fixture
def read(tmp_path: Path):
    def written_and_read(result: RelevanceResult, **about) -> Page:
        return Page(write_report(result, tmp_path / "report.html", **about).read_text("utf-8"))

    return written_and_read


def plain(page: Page) -> str:
    """All that the page says, spaces simplified."""
    return re.sub(r"\s+", " ", " ".join(page.texts("body")))


# The file


def test_the_path_of_a_whole_file_is_returned_and_nothing_else_is_left(result, tmp_path) -> None:
    place = tmp_path / "report.html"
    place.write_text("old")
    assert write_report(result, str(place)) == place
    assert place.read_text("utf-8").endswith("</html>")
    assert [each.name for each in tmp_path.iterdir()] == ["report.html"]


def test_a_folder_is_no_place_for_a_report(result, tmp_path) -> None:
    with pytest.raises(ReportError, match=r"needs the name of a file; .* is a folder. Add one"):
        write_report(result, tmp_path)


def test_a_folder_that_is_missing_is_named(result, tmp_path) -> None:
    with pytest.raises(ReportError, match=r"there is no folder .*missing.* Create it"):
        write_report(result, tmp_path / "missing" / "report.html")
    assert issubclass(ReportError, RelboundsError)
    assert issubclass(ReportError, OSError)


def test_what_the_system_refuses_is_one_sentence_and_leaves_nothing(result, tmp_path) -> None:
    with pytest.raises(ReportError, match=r"cannot be written to .*: File name too long"):
        write_report(result, tmp_path / ("long" * 100))
    assert list(tmp_path.iterdir()) == []


def test_an_estimator_is_not_its_result(tmp_path) -> None:
    with pytest.raises(TypeError, match="has as result_; got a OrdinalRelevance"):
        write_report(estimator("ordinal"), tmp_path / "report.html")


def test_five_hundred_features_take_less_than_one_and_a_half_megabytes(result, tmp_path) -> None:
    place = write_report(many_features(result, 500), tmp_path / "report.html")
    assert place.stat().st_size < 1_500_000


# Safety


def test_names_are_text_wherever_they_stand(tmp_path) -> None:
    markup = write_report(
        hostile_result(),
        tmp_path / "report.html",
        title=HOSTILE[0],
        target=HOSTILE[0],
        source=HOSTILE[0],
        notes=[HOSTILE[0]],
        warnings=[HOSTILE[0]],
        command=HOSTILE[0],
        made_from={HOSTILE[3]: HOSTILE[0]},
        random_state=0,
    ).read_text("utf-8")
    assert "<script>alert" not in markup
    page = Page(markup)
    assert page.texts("script") == [asset("page.js")], "there is one script, and it is ours"
    assert page.texts("h1") == [HOSTILE[0]]
    shown = page.texts("th", class_="feature")[1:]
    assert sorted(each.split("column of")[0] for each in shown) == sorted([*HOSTILE, "constant"])


def test_the_policy_allows_our_style_and_script_alone(result, read) -> None:
    page = read(result)
    (policy,) = [
        held["content"]
        for held, _ in page.found("meta")
        if held.get("http-equiv") == "Content-Security-Policy"
    ]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        (text,) = page.texts(tag)
        hashed = b64encode(sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{hashed}'" in policy


def test_nothing_is_loaded_and_no_attribute_holds_code_or_style(result, read) -> None:
    for tag, held, _ in read(result).elements:
        assert not [name for name in held if name.startswith("on") or name in {"src", "style"}]
        address = held.get("href") or "#"
        assert address.startswith(("#", "data:")), (tag, address)


# What it says


def test_the_answer_comes_first_and_names_every_feature(result, read) -> None:
    page = read(result)
    (headline,) = page.texts("p", class_="headline")
    assert headline == (
        "Two features are indispensable; one feature adds something of its own, but little; one "
        "feature is useful, but replaceable; two features are of no use beyond chance."
    )
    cards = page.texts("div", class_="card")
    assert len(cards) == 4
    for card, verdict in zip(cards, answers(result.regular), strict=True):
        assert verdict.claim in card
        assert all(name in card for name in verdict.names)
        assert verdict.advice in card
    assert page.texts("h2")[0] == "The answer"


def test_every_feature_has_a_row_with_the_numbers_of_the_frame(result, read) -> None:
    page = read(result)
    (controls,) = [held for held, _ in page.found("div", class_="controls")]
    rows = [held for held, _ in page.found("tr") if "data-exact" in held]
    names = [text for text in page.texts("th", class_="feature") if text != "Feature"]
    lines = [f"{name},{held['data-exact']}" for name, held in zip(names, rows, strict=True)]
    text = "\n".join([controls["data-columns"], *lines])
    read_back = pd.read_csv(StringIO(text), index_col="feature").loc[list(result.feature_names)]
    frame = result.to_frame().assign(relevance=lambda all_: all_["relevance"].astype(str))
    pd.testing.assert_frame_equal(read_back, frame, check_dtype=False, rtol=1e-8, atol=1e-9)


def test_bars_stand_where_the_intervals_are(result, read) -> None:
    result = with_own_chance(result, 4)
    page = read(result)
    axis = Axis.of(result.regular)
    classes = {"strong", "weak", "irrelevant"}
    bars = [held for held, _ in page.found("rect") if held.get("class") in classes]
    order = arranged(result.regular)
    for held, (least, most) in zip(bars, result.intervals[order], strict=True):
        assert float(held["x"][:-1]) == pytest.approx(axis.place(least), abs=0.02)
        assert float(held["width"][:-1]) == pytest.approx(
            axis.place(most) - axis.place(least), abs=0.02
        )
    drawn = [held["x1"] for held, _ in page.found("line", class_="most")]
    usual = f"{axis.place(result.thresholds.maxrel)}%"
    in_rows = [f"{axis.place(result.chance[k])}%" for k in order]
    assert len(set(in_rows)) == 2, "one feature has a chance of its own"
    assert drawn[:7] == [usual, *in_rows]
    assert set(drawn[7:]) == {usual}
    assert "chance, usually: " in plain(page)


def test_chance_has_one_line_where_all_share_it(result, read) -> None:
    shared = altered(result, shadows=())
    page = read(shared)
    assert len({held["x1"] for held, _ in page.found("line", class_="most")}) == 1
    assert "usually" not in plain(page)
    assert "a line of its own" not in plain(page)
    assert "1 feature has a line of its own" in plain(read(with_own_chance(result, 4)))


def test_three_answers_stand_beside_each_bar_and_p_values_below(result, read) -> None:
    page = read(result)
    rows = page.texts("tr", class_="more")
    cells = page.texts("td", class_="kind")
    for place, (row, k) in enumerate(zip(rows, arranged(result.regular).tolist(), strict=True)):
        assert tuple(cells[3 * place : 3 * place + 3]) == marks(result.regular, k)
        for p in result.regular.p_of_kinds[k]:
            assert f"p = {probability(p)}" in row
    heads = [held.get("data-key") for held, _ in page.found("th", class_="kind")]
    assert heads == ["p_alone", "p_in_models", "p_needed"]


def test_a_row_says_what_good_models_make_of_its_feature(result, read) -> None:
    said = read(result).texts("p", class_="saying")
    assert said[0].startswith("Every good model gives it between ")
    assert "Larger values go with higher classes in every good model." in said[0]
    assert "It adds to all others. Alone: yes (p = " in said[0]
    assert "another does without it. Nothing proves that it is of use." in said[-1]


def test_columns_of_one_feature_stay_together_and_say_so(result, read) -> None:
    strongest, *_, weakest = (
        held for held, _ in read(result).found("tbody") if "data-rank" in held
    )
    names = {int(each["data-given"]) - 1 for each in (strongest, weakest)}
    made_from = {f"x{k}": "colour" for k in names}
    first, second, *_ = read(result, made_from=made_from).texts("th", class_="feature")[1:]
    assert {first, second} == {f"{name}column of colour" for name in made_from}


def test_headings_are_in_order(result, told, nothing_learned, read) -> None:
    for each in (result, told, nothing_learned):
        levels = [int(tag[1]) for tag, *_ in read(each).elements if re.fullmatch("h[1-6]", tag)]
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(below - above <= 1 for above, below in pairwise(levels))


def test_links_lead_to_what_is_there(result, nothing_learned, read) -> None:
    for each in (result, nothing_learned):
        page = read(each)
        ids = {held.get("id") for _, held, _ in page.elements}
        assert {held["href"][1:] for held, _ in page.found("a")} <= ids


def test_chance_is_explained_with_its_figures(result, read) -> None:
    said = plain(read(result))
    assert "10 columns of the data were shuffled" in said
    assert (
        f"stays below {100 * result.thresholds.maxrel:.0f} % with a probability of 99.9 %" in said
    )
    assert "If all 6 features meant nothing, at most about 0.018 of them would be" in said


def test_three_questions_are_told_with_how_many_say_yes(result, read) -> None:
    said = plain(read(result))
    for question, count in (
        ("Does it tell something alone?", 4),
        ("Does some good model give it more weight than chance would?", 4),
        ("Does it add to all others?", 3),
    ):
        assert re.search(rf"{re.escape(question)}\s*yes for {count} of 6", said)


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ({}, "Needed is what adds to all others, with a false discovery rate of at most 5 %"),
        ({"selection": "fdr", "level": 0.1}, "at most 10 % are expected to be of no use"),
        ({"selection": "fwer"}, "With a probability of 95 %, none of the features called relevant"),
        ({"selection": "probe"}, "By this rule, the paper's, other evidence does not count."),
    ],
    ids=["evidence", "fdr", "fwer", "probe"],
)
def test_the_page_says_by_which_rule_and_error_rate(result, read, rule: dict, said: str) -> None:
    page = plain(read(altered(result, rule=rule)))
    assert said in page
    assert f"Selection {rule.get('selection', 'evidence')}: " in page
    assert ("would be called relevant by accident" in page) == (
        "level" not in rule and "f" not in rule.get("selection", "")
    )


def test_tolerance_and_confidence_are_two_things(result, read) -> None:
    said = plain(read(result))
    assert "The tolerance is what you call as good" in said
    assert "The confidence is about chance" in said


def test_what_is_proved_only_by_itself_is_explained_where_it_occurs(result, read) -> None:
    assert "(yes)" not in plain(read(result))
    p_needed = np.where(np.arange(100) == 50, 0.0009, 1.0)
    many = altered(many_features(result, 100), p_needed=p_needed)
    assert "(yes): it would be proved to add to the others if it were the only" in plain(read(many))


def test_the_features_nearest_to_the_line_are_named_on_both_sides(result, read) -> None:
    p, used = result.regular.strongest, result.relevance > 0
    above = int(np.argmax(np.where(used, p, -1)))
    below = int(np.argmin(np.where(used, np.inf, p)))
    (calls,) = read(result).texts("ul", class_="calls")
    for k, label in ((above, "(weak|strong)"), (below, "irrelevant")):
        said = (
            rf"{result.feature_names[k]} \({label}\): its strongest evidence \((alone|in models)\)"
        )
        assert re.search(rf"{said} has p = {re.escape(probability(p[k]))}\.", calls)
    assert "it has the least weight in a good model" in calls


def test_a_close_call_is_said_with_the_answer_too(result, read) -> None:
    """Evidence next to what it has to be, on either side of it."""
    for p, label in ((0.0008, "weak"), (0.0012, "irrelevant")):
        page = read(altered(result, p_alone=[*result.p_alone[:4], p, 1.0]))
        cautions = page.texts("p", class_="caution")
        assert any(text.startswith("Too close to call: x4.") for text in cautions)
        calls = page.texts("ul", class_="calls")[0]
        assert re.search(rf"x4 \({label}\): .*? has p = {p:g}\.? Too close to call\.", calls)
    assert "Too close" not in " ".join(read(result).texts("p", class_="caution"))


def test_the_proofs_are_no_worse_than_said(result, read) -> None:
    (power,) = page.texts("sup") if (page := read(result)) else ()
    gap = result.certificate_gaps.max() / result.norm
    assert gap <= 10.0 ** int(power.replace("\N{MINUS SIGN}", "-")) <= 10 * gap


# The model


def test_missed_classes_are_compared_with_the_middle_class(result, read) -> None:
    chosen = next(each for each in result.tuning if each.hyperparameters == result.hyperparameters)
    said = plain(read(result))
    assert f"missed by {chosen.mean:.2f} classes on average" in said
    assert f"(standard error {chosen.standard_error:.2f})" in said
    assert "Always naming the middle class would miss by 1.20." in said
    assert f"at most {100 * result.tolerances.norm:.2g} %" in said


def test_two_classes_are_compared_with_guessing(read) -> None:
    X, y, _ = table("classification")
    result = estimator("classification", C=None).fit(X, y).result_
    assert re.search(r"was right in \d+ % .* Guessing is right in 50 %", plain(read(result)))


def test_numbers_are_compared_with_a_model_without_features(read) -> None:
    X, y, _ = table("regression")
    result = RegressionRelevance(epsilon=0.1, **PROBES).fit(X, y).result_
    said = plain(read(result))
    assert re.search(r"missed by 0\.\d\d on average .* A model without features misses by", said)
    assert "Larger values go with a larger outcome" in said


def test_a_model_worse_than_guessing_is_told_before_all_else(result, read) -> None:
    bad = tuple(replace(each, errors=np.full(5, 1.3)) for each in result.tuning)
    page = read(replace(result, tuning=bad))
    first = page.texts("p", class_="headline")[0]
    assert "predicts worse than one that gives the same answer to all" in first
    assert "its error was 1.30, against 1.20" in first
    assert "hardly better" not in plain(page)


def test_classes_of_different_size_are_told(read) -> None:
    X, y, _ = table("classification")
    kept = (y == 0) | (np.arange(len(y)) % 4 == 0)
    result = estimator("classification", class_weight="balanced").fit(X[kept], y[kept]).result_
    sizes = np.bincount(y[kept])
    said = plain(read(result))
    assert f"The classes differ in size ({sizes[0]} of 0, {sizes[1]} of 1)" in said
    assert f"a sample of 1 counts {sizes[0] / sizes[1]:.3g} times as much as one of 0" in said
    assert f"{sizes[0]}, {sizes[1]}" in said


def test_a_model_no_better_than_guessing_is_warned_of(result, read) -> None:
    bad = tuple(replace(each, errors=np.full(5, 1.2)) for each in result.tuning)
    page = read(replace(result, tuning=bad))
    assert "predicts hardly better than one that gives the same" in page.texts("section")[0]


def test_a_doubt_that_was_told_already_is_shown_once(result, read) -> None:
    bad = tuple(replace(each, errors=np.full(5, 1.2)) for each in result.tuning)
    doubtful = replace(result, tuning=bad)
    page = read(doubtful, warnings=doubts(doubtful))
    assert plain(page).count("hardly better than one that gives the same") == 1


def test_advice_is_for_where_the_result_was_computed(nothing_learned, read) -> None:
    told = replace(nothing_learned, slack="privileged")
    assert "slack='mixed'" in plain(read(told))
    typed = plain(read(told, command="relbounds analyze table.csv --target y"))
    assert "--slack mixed gives samples slack of their own." in typed
    assert "larger C" not in typed


def test_given_settings_have_no_score_and_the_page_says_so(read) -> None:
    assert "cannot say how well the model predicts" in plain(read(hostile_result()))


def test_a_joint_budget_has_one_tolerance(result, read) -> None:
    joint = replace(result, budget="joint", tolerances=replace(result.tolerances, loss=None))
    assert "total weight and its loss together" in plain(read(joint))


# Data, warnings, origin


def test_what_was_told_is_on_the_page(result, read) -> None:
    said = plain(
        read(
            result,
            target="stage",
            source="clinic.csv",
            notes=["Two identifiers were left out."],
            command="relbounds analyze clinic.csv --target stage",
            random_state=7,
        )
    )
    for text in (
        "Which features does stage need?",
        "from clinic.csv",
        "Two identifiers were left out.",
        "relbounds analyze clinic.csv --target stage",
        "Seed (random_state) 7",
        "0 < 1 < 2 < 3 < 4",
        "Neurocomputing, 2020",
        f"relbounds {result.version}",
    ):
        assert text in said


def test_a_seed_that_was_not_told_is_not_made_up(result, read) -> None:
    assert "Seed (random_state) not told to this page" in plain(read(result))


def test_warnings_stand_above_the_answer_and_only_if_there_are_any(result, read) -> None:
    page = read(result, warnings=["Class 4 has two samples."])
    assert page.texts("h2")[:2] == ["Please note", "The answer"]
    assert "Class 4 has two samples." in page.texts("section")[0]
    assert "Please note" not in read(result).texts("h2")


def test_lost_probes_are_warned_of(result, read) -> None:
    lost = replace(result.probes, asked=14, infeasible=4)
    assert "4 of 14 permuted regular columns" in plain(read(altered(result, probes=lost)))


def test_constant_features_are_named(read) -> None:
    page = read(hostile_result())
    assert "Of a single value constant" in plain(page)
    said = page.texts("p", class_="saying")
    assert any("single value in these data" in each for each in said)


# Names


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("YearsAtCompany", ["Years", "At", "Company"]),
        ("JobRole=Sales_Executive", ["Job", "Role=", "Sales_", "Executive"]),
        ("a.b/c-d", ["a.", "b/", "c-", "d"]),
        ("-2.39 to 1,000.5", ["-2.39 to 1,000.5"]),
        ("BMI", ["BMI"]),
        ("<b>&amp;", ["&lt;b&gt;&amp;amp;"]),
    ],
)
def test_names_go_on_in_the_next_line_between_their_parts(name: str, parts: list[str]) -> None:
    assert breakable(name).split("<wbr>") == parts


# Whole columns


def test_a_text_is_one_line_whose_levels_unfold(read) -> None:
    result, asked = texts_model().result_, texts_follow_ups()
    page = read(result, **asked)
    lines = [held for held, _ in page.found("tr", class_="line")]
    levels = [held["data-name"] for held, _ in page.found("tr", class_="level")]
    assert len(lines) == 4
    assert sorted(levels) == sorted([*LEVELS, "shape=round", "shape=flat"])
    assert page.texts("p", class_="headline") == [headline(whole(result, asked).regular)]
    assert "4 values, compared with white" in plain(page)
    assert "very_dark_blue 30" in plain(page)
    assert "Columns that count as one" not in plain(page)
    assert "although none of its columns" not in plain(page)


def whole(result: RelevanceResult, asked: dict) -> RelevanceResult:
    return whole_columns(result, asked["blocks"])


def test_a_whole_column_has_no_line_of_chance(read) -> None:
    result, asked = texts_model().result_, texts_follow_ups()
    side = whole(result, asked).regular
    axis = Axis.of(side, result.regular)
    for row in side_view(result, side)["rows"]:
        assert bool(row["chance"]) == (row["name"] not in asked["blocks"].names)
    assert np.isfinite(axis.end)


def test_columns_that_overlap_have_a_table_of_their_own(read) -> None:
    model = texts_model()
    blocks = model.blocks({"some": ["idle", "width_of_sepals"], "colour": list(LEVELS)})
    page = read(model.result_, blocks=blocks)
    assert "Columns that count as one" in page.texts("h2")
    assert len(page.found("tr", class_="line")) == len(model.result_.feature_names)


# What people ask next


def test_sizes_of_classes_are_bars(read) -> None:
    result = texts_model().result_
    (sizes,) = read(result, target="stage").texts("table", class_="sizes")
    for count in result.data.class_sizes:
        assert f"{count}" in sizes


def test_numbers_have_a_histogram(read) -> None:
    X, y, _ = table("regression")
    result = estimator("regression").fit(X, y).result_
    assert result.data.histogram.counts.sum() == len(y)
    page = read(result)
    (spread,) = page.texts("figure", class_="spread")
    assert f"half of the samples up to {np.median(y):.4g}" in spread
    old = replace(result, data=replace(result.data, histogram=None))
    assert not read(old).found("figure", class_="spread")


def test_gaps_and_ranges_stand_below_their_feature(read) -> None:
    said = plain(read(texts_model().result_, **texts_follow_ups()))
    assert "From -2.5 to 3, half of the values up to 0.25. 3 gaps." in said


def test_what_other_data_would_say_stands_in_the_table_and_in_sentences(read) -> None:
    asked = texts_follow_ups()
    page = read(texts_model().result_, **asked)
    shares = dict(zip(asked["stability"].names, asked["stability"].relevant, strict=True))
    names = page.texts("th", class_="feature")[1:]
    lines = [held["data-again"] for held, _ in page.found("tbody") if "data-again" in held]
    assert len(lines) == len(shares)
    assert sorted(map(float, lines)) == pytest.approx(sorted(shares.values()), abs=1e-3)
    assert any("width_of_sepals" in name for name in names)
    assert "Other data would very probably call" in plain(page)
    assert "10 halves in all" in plain(page)


def test_shares_of_other_features_are_not_shown(read) -> None:
    """Those of whole columns say nothing of a page without them, and the other way round."""
    asked = texts_follow_ups()
    said = plain(read(texts_model().result_, stability=asked["stability"]))
    assert "Would other data say the same?" not in said


def test_what_models_say_of_the_unseen_is_a_table(read) -> None:
    asked = texts_follow_ups()
    page = read(texts_model().result_, **asked)
    (said,) = page.texts("table", class_="held-out")
    for count in asked["held_out"].counts.ravel():
        assert f"{count:.0f}" in said
    assert "samples that a model had not seen, in cross-validation" in plain(page)


def test_each_absence_has_a_line(read) -> None:
    asked = texts_follow_ups()
    page = read(texts_model().result_, **asked)
    (without,) = [
        text for text in page.texts("table", class_="blocks") if "Needed only then" in text
    ]
    for each in asked["absences"].each:
        assert each.name in without


def test_names_lead_to_their_lines(read) -> None:
    page = read(texts_model().result_, **texts_follow_ups())
    ids = {held.get("id") for _, held, _ in page.elements}
    assert {held["href"][1:] for held, _ in page.found("a")} <= ids


# Other results


def test_privileged_features_have_a_table_and_thresholds_of_their_own(told, read) -> None:
    page = read(told)
    regular, privileged = page.texts("table", class_="features")
    assert all(name in privileged for name in told.privileged.feature_names)
    assert all(name in regular for name in told.feature_names)
    for side, text in ((told, regular), (told.privileged, privileged)):
        assert re.search(rf"chance(, usually)?: {100 * side.thresholds.maxrel:.1f} %", text)
    assert len(page.texts("p", class_="headline")) == 2
    assert {
        held["data-exact"].split(",")[0] for held, _ in page.found("tr") if "data-exact" in held
    } == {
        "regular",
        "privileged",
    }


def test_where_nothing_was_learned_no_interval_is_shown(nothing_learned, read) -> None:
    idle = altered(nothing_learned, p_alone=np.ones(6), p_needed=np.ones(6))
    page = read(idle)
    assert "No feature was found to be of use" in page.texts("p", class_="headline")[0]
    assert not page.found("table", class_="blocks")
    assert page.texts("ul", class_="names")[0].split() == list(nothing_learned.feature_names)
    page = read(nothing_learned)
    assert "although some of them tell something" in page.texts("p", class_="headline")[0]
    (told,) = page.texts("table", class_="blocks")
    assert all(name in told for name in nothing_learned.feature_names)
    assert told.count("yes") == 4 + 3
    assert "Nothing can be said" not in plain(page)
    assert nothing_learned.why_degenerate in plain(page)
    assert not page.found("table", class_="features")
    assert not page.found("svg", class_="bar")
    assert "nan" not in plain(page).split()


@given(st.floats(1e-4, 1e3))
def test_an_axis_has_two_to_six_ticks_at_round_numbers(end: float) -> None:
    ticks = Axis(end).ticks
    assert 2 <= len(ticks) <= 6
    assert ticks[0]["place"] == 0
    assert all(0 <= each["place"] <= 100 for each in ticks)
    assert all(len(each["label"].rstrip(" %").strip("0.").replace(".", "")) <= 2 for each in ticks)
