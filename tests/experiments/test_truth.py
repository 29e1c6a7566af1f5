"""The truth benchmark: designs have the truth they claim, and the page says what the rows say."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr
from sklearn.linear_model import LinearRegression

from experiments import truth, truth_cells, truth_lines, truth_methods, truth_page, truth_tables
from experiments import truth_designs as designs
from experiments.pieces import Ledger
from experiments.truth_cells import Design, all_designs
from experiments.truth_methods import DEFAULT, EVERYWHERE, EVIDENCE, FDR, RIVALS, Answer
from relbounds import OrdinalRelevance
from relbounds.metrics import selection_scores

LARGE = 8000
INVENTED = (
    "real tables diabetes R2 0.6",
    "real tables wine R2 0.3",
    "paper's sets Set 1 noise 1",
    "paper's sets Set 3 noise 0.5",
    "idle groups 8 columns clean rho 0.9",
    "nothing matters n 60",
)
MADE_UP = {
    "independent": (designs.independent, {}),
    "neighbours": (designs.neighbours, {"rho": 0.9}),
    "idle group": (designs.idle_group, {"size": 8, "rho": 0.99}),
    "idle pairs": (designs.idle_pairs, {"needed": 12, "rho": 0.95}),
    "texts": (designs.texts, {}),
    "rare dummies": (designs.rare_dummies, {}),
    "suppressor": (designs.suppressor, {}),
    "copied suppressor": (designs.suppressor, {"copied": 3}),
    "small effects": (designs.small_effects, {}),
}


def made(name: str, n: int = LARGE) -> designs.Table:
    make, options = MADE_UP[name]
    return make(designs.Random(0), n=n, **options)


def drawn(name: str, task: str = "regression") -> designs.Drawn:
    return designs.with_outcome(made(name), designs.Random(1), task, 0.6)


@pytest.mark.parametrize("name", MADE_UP)
def test_idle_columns_depend_on_nothing_but_each_other(name: str) -> None:
    table = drawn(name)
    both = np.corrcoef(np.column_stack([table.X, table.y]), rowvar=False)
    at_most = 4.5 / np.sqrt(LARGE)
    others = np.append(~table.idle, True)
    assert np.abs(both[:-1][table.idle][:, others]).max() < at_most


@pytest.mark.parametrize("name", MADE_UP)
def test_all_but_the_needed_columns_add_nothing(name: str) -> None:
    """Without a needed column the rest explains less; without another, just as much."""
    table = drawn(name)
    explained = _explained(table.X, table.y)
    for j, is_needed in enumerate(table.needed):
        without = _explained(np.delete(table.X, j, axis=1), table.y)
        gain = (explained - without) / (1 - explained) * LARGE
        if is_needed:
            assert gain > 12  # a chi-square with one degree of freedom, were it not
        elif table.adds_nothing[j]:
            assert gain < 20


def _explained(X: np.ndarray, y: np.ndarray) -> float:
    return LinearRegression().fit(X, y).score(X, y)


@pytest.mark.parametrize("name", ["suppressor", "copied suppressor"])
def test_suppressors_tell_nothing_alone_and_much_beside_others(name: str) -> None:
    table = drawn(name, "ordinal")
    assert table.is_silent.sum() == (1 if name == "suppressor" else 3)
    for column in table.X[:, table.is_silent].T:
        assert abs(spearmanr(column, table.y).statistic) < 4 / np.sqrt(LARGE)
    first = np.flatnonzero(table.is_silent)[0]
    pair = table.X[:, [first - 1, first]]
    assert _explained(pair, table.y) > 1.5 * _explained(pair[:, :1], table.y)


def test_neighbours_and_groups_have_the_correlation_they_say() -> None:
    near = np.corrcoef(designs.chain(designs.Random(0), LARGE, 5, 0.9), rowvar=False)
    np.testing.assert_allclose(np.diag(near, 1), 0.9, atol=0.02)
    np.testing.assert_allclose(np.diag(near, 2), 0.81, atol=0.02)
    group = np.corrcoef(designs.alike(designs.Random(0), LARGE, 4, 0.5), rowvar=False)
    np.testing.assert_allclose(group[np.triu_indices(4, 1)], 0.5, atol=0.03)
    same = designs.alike(designs.Random(0), 50, 4, 1.0)
    np.testing.assert_array_equal(same, same[:, :1].repeat(4, axis=1))


def test_noise_has_the_share_that_it_should() -> None:
    table = made("independent")
    found = designs.with_outcome(table, designs.Random(1), "regression", 0.3)
    assert np.corrcoef(table.X @ table.weights, found.y)[0, 1] ** 2 == pytest.approx(0.3, abs=0.02)
    nothing = designs.noise_only(designs.Random(0), 100, 3)
    assert designs.with_outcome(nothing, designs.Random(1), "regression", 0.0).y.std() > 0.5


@pytest.mark.parametrize(("task", "sizes"), [("ordinal", [20] * 5), ("classification", [50] * 2)])
def test_classes_have_equal_size_and_the_order_of_the_outcome(task: str, sizes: list[int]) -> None:
    latent = designs.Random(0).standard_normal(100)
    classes = designs.outcome(latent, task)
    assert np.bincount(classes).tolist() == sizes
    assert (np.diff(classes[np.argsort(latent)]) >= 0).all()


def test_texts_leave_one_level_out_and_have_rare_ones() -> None:
    columns = designs.text(designs.Random(0), [50, 30, 18, 2])
    assert columns.sum(axis=0).tolist() == [30, 18, 2]
    assert set(columns.sum(axis=1)) == {0, 1}


def test_noisy_copies_are_neither_right_nor_wrong() -> None:
    clean, noisy = (designs.paper_set(designs.Random(0), 3, noise) for noise in (0.0, 0.5))
    assert clean.adds_nothing.sum() == 4 + 3
    assert noisy.adds_nothing.sum() == 3
    found = truth.measure(noisy, Answer(needed=noisy.needed | noisy.weak))
    assert (found["needed_found"], found["weak_needed"], found["false_needed"]) == (1, 1, 0)


@pytest.mark.parametrize("name", truth_tables.OF_SCIKIT_LEARN)
def test_real_tables_have_a_third_needed_and_shuffled_ones_idle(name: str) -> None:
    own = truth_tables.table_of(name)
    table = truth_tables.real(designs.Random(0), name)
    d = own.shape[1]
    assert np.linalg.matrix_rank(own) == d
    assert np.bincount(table.truth).tolist() == [6, d - d // 3, d // 3]
    weights = np.abs(table.weights[table.truth == designs.NEEDED])
    assert ((weights >= 0.5) & (weights <= 1)).all()
    shuffled = table.X[:, d:]
    source = [
        np.flatnonzero((np.sort(own, axis=0) == np.sort(x)[:, None]).all(0))[0] for x in shuffled.T
    ]
    np.testing.assert_allclose(
        np.corrcoef(shuffled, rowvar=False), np.corrcoef(own[:, source], rowvar=False), atol=1e-9
    )
    assert truth_tables.useless(designs.Random(0), name).truth.tolist() == [designs.IDLE] * d


def test_names_of_designs_are_unique_and_those_that_are_chosen_exist() -> None:
    known = set(all_designs())
    assert len(known) == len(list(truth_cells._slowest_first()))
    assert {*truth.QUICK, *truth.WITH_RIVALS, truth_lines.WHERE_REDUNDANT} <= known
    assert set(truth.QUICK_RIVALS) <= set(truth.QUICK) & set(truth.WITH_RIVALS)
    for quick in (True, False):
        keys = [piece.key for piece in truth.pieces(quick)]
        assert len(set(keys)) == len(keys)


def test_every_made_up_design_can_be_drawn_and_is_the_same_again() -> None:
    for design in all_designs().values():
        if "winequality" in design.name or "eucalyptus" in design.name:
            continue
        first, again = design.draw(0), design.draw(0)
        np.testing.assert_array_equal(first.X, again.X)
        np.testing.assert_array_equal(first.y, again.y)
        assert first.X.shape == (len(first.y), len(first.truth))
        assert first.X.std(axis=0).min() > 0


def test_t_tests_are_those_of_the_textbook() -> None:
    """One column: the test of its correlation. A copy could be another's: nothing is proved."""
    from scipy.stats import pearsonr

    rng = designs.Random(0)
    x, other = rng.standard_normal((2, 40))
    y = 0.5 * x + rng.standard_normal(40)
    single = truth_methods.t_tests(x[:, None], y)
    assert single[0] == pytest.approx(pearsonr(x, y).pvalue)
    copied = truth_methods.t_tests(np.column_stack([x, other, other]), y)
    assert copied[1:].tolist() == [1, 1]
    assert copied[0] == pytest.approx(truth_methods.t_tests(np.column_stack([x, other]), y)[0])
    assert truth_methods.t_tests(rng.standard_normal((10, 12)), y[:10]).tolist() == [1] * 12


def test_measures_count_what_they_say() -> None:
    data = designs.Drawn(
        np.zeros((3, 6)),
        np.zeros(3),
        np.array([2, 2, 1, 1, 0, 0]),
        np.array([False, True, False, False, False, False]),
    )
    relevant = np.array([1, 1, 1, 0, 1, 0], dtype=bool)
    needed = np.array([1, 0, 1, 0, 0, 0], dtype=bool)
    p = dict.fromkeys(EVIDENCE, np.array([0.0005, 0.03, 0.5, 0.02, 0.005, np.nan]))
    found = truth.measure(data, Answer(relevant, needed, p))
    assert (found["idle_relevant"], found["weak_relevant"], found["false_use"]) == (0.5, 0.5, 0.25)
    assert (found["needed_found"], found["weak_needed"], found["false_needed"]) == (0.5, 0.5, 0.5)
    assert found["f1"] == selection_scores(data.truth, relevant).f1
    assert found["p_alone 0.05"] == pytest.approx(2 / 3)  # the suppressor and an idle one
    assert found["p_in_models 0.05"] == 0.5
    assert found["p_needed 0.05"] == 0.5
    assert found["p_needed 0.001"] == 0


def test_a_cell_has_a_line_for_each_method() -> None:
    design = Design("few", "", "", designs.independent, {"n": 60, "needed": 2, "idle": 2}, r2=0.9)
    found = truth.cell(
        design, range(2), ("default", "least squares 0.05", "cross-validated stability")
    )
    assert found.index.tolist() == ["default", "least squares 0.05", "cross-validated stability"]
    assert found.loc["least squares 0.05", "needed_found"] == 1
    assert found.loc["default", "needed_relevant"] == 1
    assert truth.names("suppressors")


def test_false_discoveries_are_those_of_the_librarys_own_rule() -> None:
    data = all_designs()["independent n 200 R2 0.5"].draw(0)
    answer = truth_methods.ours_by_rate(data, "ordinal", 0, level=0.1)
    model = OrdinalRelevance(selection="fdr", level=0.1, random_state=0).fit(data.X, data.y)
    assert answer.relevant.tolist() == (model.relevance_ > 0).tolist()
    assert answer.needed.tolist() == model.needed_.tolist()
    assert answer.needed.any()


def test_a_rival_without_an_answer_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RIVALS, "Boruta", (lambda drawn, task, seed: None, "boruta", 1))
    rows = truth.ask_rival("nothing matters n 60", "Boruta", range(2))
    assert [row["draws"] for row in rows] == [0]


def invented(rng: designs.Random, idle: float = 0.0) -> pd.DataFrame:
    """Rows as a run would give, with evidence, from answers at random."""
    rows = []
    for name in INVENTED:
        data = all_designs()[name].draw(0)
        for method in (*EVERYWHERE, *RIVALS):
            measured = []
            for _ in range(3):
                d = len(data.truth)
                relevant = (data.truth > 0) | (rng.uniform(size=d) < idle)
                p = {each: rng.uniform(size=d) for each in EVIDENCE}
                answer = Answer(relevant, data.needed, p if method in (DEFAULT, FDR) else {})
                leads = dict.fromkeys(truth_methods.LEADS, 0.0)
                measured.append({**truth.measure(data, answer), **leads, "seconds": 1.0})
            rows.append(truth._summed(name, method, measured))
    return pd.DataFrame(rows).assign(piece="p", relbounds="0", source="a", date="2026-01-01")


def test_the_page_is_written_from_rows(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "rows.csv")
    ledger.append(invented(designs.Random(0)).to_dict("records"))
    truth.write(ledger.rows, tmp_path, quick=True)
    page = (tmp_path / "truth.md").read_text("utf-8")
    assert "none of 6 cells above" in page
    assert "Left out" not in page
    assert {"truth.md", "cells.csv", "chance.png", "power.png"} <= {
        path.name for path in tmp_path.iterdir()
    }
    for kind in truth_lines.IN_WORDS.values():
        assert f"No effect, {kind}: p at most 0.05" in page


def test_lines_are_kept_or_broken() -> None:
    def kept(rows: pd.DataFrame) -> dict[str, bool | None]:
        return {each.what: each.is_kept for each in truth_lines.all_lines(truth_lines.cells(rows))}

    rows = invented(designs.Random(0))
    good, bad = kept(rows), kept(invented(designs.Random(0), idle=0.5))
    for what in (
        "Idle columns called relevant, in every cell",
        "False discoveries, 'of any use', level 0.1",
    ):
        assert good[what] is True
        assert bad[what] is False
    broken = truth_lines.breaks(truth_lines.cells(invented(designs.Random(0), idle=0.5)))
    assert "idle called relevant" in set(broken["what"])


def test_a_library_without_evidence_is_told_apart_from_one_that_fails() -> None:
    """What was not measured is neither kept nor broken, and a rival that is missing is named."""
    rows = invented(designs.Random(0))
    rows = rows.drop(columns=[name for name in rows if "p_" in name or "lead" in name])
    cells = truth_lines.cells(rows[rows["method"] != "knockoffs 0.1"])
    lines = {each.what: each.is_kept for each in truth_lines.all_lines(cells)}
    assert lines["No effect, alone: p at most 0.05"] is None
    page = "\n".join(truth_page.parts(cells))
    assert "not measured" in page
    assert "its package is not installed: knockoffs 0.1" in page


def test_pieces_of_a_cell_are_taken_together() -> None:
    shares = [0.0, 0.5, 1.0, 1.0, 0.0]
    name = "nothing matters n 60"
    rows = pd.DataFrame(
        [
            truth._summed(name, DEFAULT, [{"idle_relevant": share} for share in part])
            for part in (shares[:2], shares[2:])
        ]
    )
    cell = truth_lines.cells(rows).iloc[0]
    assert cell["draws"] == 5
    assert cell["idle_relevant"] == pytest.approx(np.mean(shares))
    assert cell["idle_relevant error"] == pytest.approx(np.std(shares, ddof=1) / np.sqrt(5))
