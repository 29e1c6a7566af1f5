"""What experiments read and write: benchmark data, the paper's numbers, pages."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from experiments import benchmark_data, pages, printed
from experiments.pieces import Piece, run

# The benchmark data


def test_missing_data_are_told_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RELBOUNDS_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(benchmark_data.MissingDataError, match="--data or RELBOUNDS_DATA") as told:
        benchmark_data.folder()
    assert "nowhere" in str(told.value)
    assert "github.com/ayrna/orca" in str(told.value)
    assert "\n" not in str(told.value)


def data_folder(at: Path) -> Path:
    for name in benchmark_data.FILES:
        (at / name).parent.mkdir(parents=True, exist_ok=True)
        (at / name).write_text(
            "a,b,y\n1,2,1\n3,4,2\n5,6,2\n" if name.endswith("csv") else "0\n1 2\n"
        )
    return at


def test_data_are_looked_for_where_they_are_said_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, named, shared = (
        data_folder(tmp_path / each) for each in ("given", "named", "shared/data")
    )
    monkeypatch.delenv("RELBOUNDS_DATA", raising=False)
    monkeypatch.setenv("RELBOUNDS_SHARED", str(shared.parent))
    assert benchmark_data.folder() == shared.resolve()
    monkeypatch.setenv("RELBOUNDS_DATA", str(named))
    assert benchmark_data.folder() == named.resolve()
    assert benchmark_data.folder(given) == given.resolve()
    with benchmark_data.at(given):
        loaded = benchmark_data.load("tae")
    assert benchmark_data.folder() == named.resolve()
    assert loaded.X.columns.tolist() == ["a", "b"]
    assert loaded.y.tolist() == [1, 2, 2]
    assert loaded.train_rows(1).tolist() == [0]


def where(_: int) -> list[dict]:
    return [{"folder": str(benchmark_data.folder())}]


@pytest.mark.parametrize("jobs", [1, 2])
def test_pieces_find_the_data_folder_that_was_given(tmp_path: Path, jobs: int) -> None:
    found = []
    experiment = SimpleNamespace(
        NAME="where",
        TITLE="",
        NEEDS_DATA=True,
        pieces=lambda quick: [Piece("a", where, {"_": 0})],
        write=lambda rows, out, quick: found.extend(rows["folder"]),
    )
    data = data_folder(tmp_path / f"data {jobs}")
    run(experiment, tmp_path, quick=False, jobs=jobs, data=data)
    assert found == [str(data.resolve())]


# Pages


def test_a_number_stands_beside_the_papers() -> None:
    assert pages.beside(0.987, 0.95) == "0.99 (0.95, +0.04)"
    assert pages.beside(0.90, 0.95) == "0.90 (0.95, -0.05)"
    assert pages.beside(0.5, None) == "0.50"
    assert pages.beside(np.nan, 0.95) == "-"


def test_a_table_gets_the_papers_column_and_the_difference() -> None:
    table = pd.DataFrame({"set": [1, 2], "data": ["clean", "noisy"], "f1": [0.9, 0.8]})
    found = pages.compared(table, "f1", {(1, "clean"): 1.0}, ("set", "data"))
    assert found.columns.tolist() == ["set", "data", "f1", "paper", "difference"]
    assert found["difference"].iloc[0] == pytest.approx(-0.1)
    assert np.isnan(found["paper"].iloc[1])
    assert pages.markdown_of(found).splitlines() == [
        "| set | data | f1 | paper | difference |",
        "| --- | --: | --: | --: | --: |",
        "| 1 | clean | 0.90 | 1.00 | -0.10 |",
        "| 2 | noisy | 0.80 | - | - |",
    ]


def test_a_page_says_where_its_numbers_come_from(tmp_path: Path) -> None:
    rows = pd.DataFrame({"relbounds": ["0.1.0"], "source": ["ab12"], "date": ["2024-05-01"]})
    pages.write_page(tmp_path / "a" / "page.md", "Title", ["Text."], rows, seeds="0 to 29")
    text = (tmp_path / "a" / "page.md").read_text()
    beginning = "# Title\n\nText.\n\n*Computed 2024-05-01 with relbounds 0.1.0 (source ab12);"
    assert text.startswith(beginning)
    assert "scikit-learn" in text
    assert "Seeds: 0 to 29." in text


def test_the_papers_tables_are_whole() -> None:
    assert len(printed.TABLE2) == 3 * 9 * 6
    assert len(printed.TABLE4_MMAE) == 40
    assert len(printed.TABLE4_RUN_TIME) == 20
    assert len(printed.TABLE5) == 30
    assert len(printed.TABLE7) == 3 * 8 * 4
    assert {name for name, _ in printed.TABLE5} == set(benchmark_data.ORDINAL_SETS)
    explicit = [printed.TABLE4_MMAE[name, "explicit"] for name in benchmark_data.ORDINAL_SETS]
    assert np.mean(explicit) == pytest.approx(0.454, abs=5e-4), "as the issue sums it up"
