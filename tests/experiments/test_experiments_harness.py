"""Experiments are computed piece by piece, and an interrupted one goes on."""

import logging
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import relbounds
from experiments import benchmark_data, pieces
from experiments.pieces import Ledger, Piece, PiecesFailed, run
from relbounds.cli import reproduce
from relbounds.cli.main import main

ROOT = Path(__file__).parents[2]


def squares(number: int, log: Path) -> list[dict]:
    """Two rows, and a note that the piece was computed."""
    with log.open("a") as file:
        file.write(f"{number}\n")
    if number < 0:
        raise ArithmeticError(f"no root of {number}")
    return [{"number": number, "square": number**2 / 3}, {"number": number, "square": np.nan}]


class Squares:
    """An experiment."""

    NAME, TITLE, NEEDS_DATA = "squares", "Squares", False

    def __init__(self, folder: Path, numbers: list[int]) -> None:
        self.log, self.numbers, self.written = folder / "log", numbers, []

    def pieces(self, quick: bool) -> list[Piece]:
        return [
            Piece(f"number {each}", squares, {"number": each, "log": self.log})
            for each in self.numbers
        ]

    def write(self, rows: pd.DataFrame, out: Path, quick: bool) -> None:
        self.written.append((rows, out, quick))

    @property
    def computed(self) -> list[int]:
        return [int(line) for line in self.log.read_text().split()]


def test_rows_are_kept_with_their_piece_and_version_in_the_order_of_pieces(tmp_path: Path) -> None:
    experiment = Squares(tmp_path, [3, 1, 2])
    run(experiment, tmp_path, quick=False, jobs=2)
    kept = pd.read_csv(tmp_path / "squares" / "rows.csv", dtype={"source": str})
    assert kept["piece"].tolist() == [f"number {n}" for n in (3, 3, 1, 1, 2, 2)]
    assert kept["square"].tolist()[::2] == [9 / 3, 1 / 3, 4 / 3], "no digit is lost"
    assert set(kept["relbounds"]) == {relbounds.__version__}
    assert set(kept["source"]) == {pieces.source()}
    [(rows, out, quick)] = experiment.written
    pd.testing.assert_frame_equal(rows, kept)
    assert (out, quick) == (tmp_path / "squares", False)


@pytest.mark.parametrize("source", ["565950865586", "0123456789e5"])
def test_a_source_whose_letters_are_all_digits_stays_a_text(tmp_path: Path, source: str) -> None:
    ledger = Ledger(tmp_path / "rows.csv")
    ledger.append([{"piece": "1", "square": 1.5, "source": source}])
    assert ledger.rows["source"].tolist() == [source]
    assert Ledger(tmp_path / "rows.csv").put_in_order(["1"])["source"].tolist() == [source]


def test_rows_from_another_state_of_the_library_are_told(tmp_path: Path, caplog) -> None:
    run(Squares(tmp_path, [1]), tmp_path, quick=False, jobs=1)
    assert not caplog.records
    kept = tmp_path / "squares" / "rows.csv"
    kept.write_text(kept.read_text().replace(pieces.source(), "0123456789ab"))
    run(Squares(tmp_path, [1, 2]), tmp_path, quick=False, jobs=1)
    assert "another state of the library (0123456789ab; now" in caplog.text
    assert set(Ledger(kept).sources) == {"0123456789ab", pieces.source()}


def test_quick_results_have_a_folder_of_their_own(tmp_path: Path) -> None:
    experiment = Squares(tmp_path, [1])
    run(experiment, tmp_path, quick=True, jobs=1)
    assert (tmp_path / "quick" / "squares" / "rows.csv").exists()
    assert experiment.written[0][1:] == (tmp_path / "quick" / "squares", True)


def test_what_is_done_is_not_computed_again(tmp_path: Path) -> None:
    run(Squares(tmp_path, [1, 2]), tmp_path, quick=False, jobs=1)
    experiment = Squares(tmp_path, [1, 2, 3])
    run(experiment, tmp_path, quick=False, jobs=1)
    assert experiment.computed == [1, 2, 3]
    assert len(experiment.written[0][0]) == 6


def test_rows_of_pieces_that_are_no_longer_asked_for_are_not_shown(tmp_path: Path) -> None:
    run(Squares(tmp_path, [1, 2, 3]), tmp_path, quick=False, jobs=1)
    experiment = Squares(tmp_path, [2])
    run(experiment, tmp_path, quick=False, jobs=1)
    assert set(experiment.written[0][0]["piece"]) == {"number 2"}
    assert len(pd.read_csv(tmp_path / "squares" / "rows.csv")) == 6


def test_a_failing_piece_is_told_and_tried_again_while_the_others_go_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    experiment = Squares(tmp_path, [-1, 1, 2])
    for _ in range(2):
        with (
            caplog.at_level(logging.INFO, "experiments"),
            pytest.raises(
                PiecesFailed, match=r"squares: 1 of 3 pieces failed \(first: number -1\)"
            ),
        ):
            run(experiment, tmp_path, quick=False, jobs=1)
    assert experiment.computed == [-1, 1, 2, -1]
    assert "Piece number -1 failed" in caplog.text
    assert "ArithmeticError: no root of -1" in caplog.text
    assert len(experiment.written[-1][0]) == 4, "what is there is shown"


@pytest.mark.parametrize("cut", [1, 5, 12, 25, 40])
def test_a_torn_last_line_costs_its_piece_only(tmp_path: Path, cut: int) -> None:
    run(Squares(tmp_path, [1, 2, 3]), tmp_path, quick=False, jobs=1)
    kept = tmp_path / "squares" / "rows.csv"
    whole = kept.read_text()
    kept.write_text(whole[:-cut])
    assert Ledger(kept).keys == {"number 1", "number 2"}
    experiment = Squares(tmp_path, [1, 2, 3])
    run(experiment, tmp_path, quick=False, jobs=1)
    assert experiment.computed == [1, 2, 3, 3]
    assert kept.read_text() == whole


def test_a_torn_first_line_of_a_piece_leaves_the_piece_before_it(tmp_path: Path) -> None:
    run(Squares(tmp_path, [1, 2]), tmp_path, quick=False, jobs=1)
    kept = tmp_path / "squares" / "rows.csv"
    kept.write_text(kept.read_text() + "number 3,3")
    assert Ledger(kept).keys == {"number 1", "number 2"}


@pytest.mark.parametrize("text", ["", "piece,num"])
def test_a_file_without_a_whole_line_is_an_empty_one(tmp_path: Path, text: str) -> None:
    (tmp_path / "rows.csv").write_text(text)
    ledger = Ledger(tmp_path / "rows.csv")
    assert ledger.keys == set()
    ledger.append([{"piece": "a", "value": 1.5}])
    assert Ledger(tmp_path / "rows.csv").keys == {"a"}


def test_pieces_may_have_columns_of_their_own(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "rows.csv")
    ledger.append([{"piece": "a", "left": 0.1}])
    ledger.append([{"piece": "b", "right": "text, with a comma"}])
    ledger.append([{"piece": "c", "left": 0.3}])
    read = Ledger(tmp_path / "rows.csv").rows
    assert read.columns.tolist() == ["piece", "left", "right"]
    assert read["left"].tolist()[::2] == [0.1, 0.3]
    assert read["right"].tolist()[1] == "text, with a comma"


def test_a_key_with_a_comma_is_refused() -> None:
    with pytest.raises(ValueError, match="without quotes"):
        Piece("set 1, clean", squares)


def test_a_piece_without_rows_is_a_failure(tmp_path: Path) -> None:
    experiment = SimpleNamespace(
        NAME="none",
        TITLE="",
        NEEDS_DATA=False,
        pieces=lambda quick: [Piece("a", list)],
        write=None,
    )
    with pytest.raises(PiecesFailed, match="1 of 1"):
        run(experiment, tmp_path, quick=False, jobs=1)


def test_a_killed_run_loses_only_what_was_under_way(tmp_path: Path) -> None:
    """A process computes pieces of 0.2 s and is killed; another goes on where it stopped."""
    module = tmp_path / "slow_squares.py"
    module.write_text(
        textwrap.dedent(
            """
            import sys, time
            from pathlib import Path
            from experiments.pieces import Piece, run

            NAME, TITLE, NEEDS_DATA = "slow", "Slow", False

            def slow(number):
                time.sleep(0.2)
                with open("log", "a") as file:
                    file.write(f"{number}\\n")
                return [{"number": number}]

            def pieces(quick):
                return [Piece(f"number {n}", slow, {"number": n}) for n in range(8)]

            def write(rows, out, quick):
                (out / "page.md").write_text(str(sorted(rows["number"])))

            if __name__ == "__main__":
                run(sys.modules[__name__], Path("out"), quick=False, jobs=int(sys.argv[1]))
            """
        )
    )
    environment = os.environ | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    command = [sys.executable, module.name, "1"]
    kept, log = tmp_path / "out" / "slow" / "rows.csv", tmp_path / "log"
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE)
    while not kept.exists() or kept.read_text().count("\n") < 4:
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stderr.close()
    before = len(log.read_text().split())
    assert 3 <= len(Ledger(kept).keys) < 8
    assert not (kept.parent / "page.md").exists()
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)
    assert (kept.parent / "page.md").read_text() == str(list(range(8)))
    assert len(log.read_text().split()) <= 9, f"{before} of 8 were done before"


# The command


def test_an_unknown_experiment_is_wrong_input(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["reproduce", "table99"])
    said = capsys.readouterr().err
    assert "table99" in said
    assert "table2" in said


def test_missing_data_are_wrong_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv("RELBOUNDS_DATA", raising=False)
    monkeypatch.chdir(ROOT)
    command = ["reproduce", "table4", "--quick", "--out", str(tmp_path)]
    assert main([*command, "--data", "nowhere"]) == 2
    assert "The benchmark data are not in nowhere" in caplog.text


def test_other_experiments_run_where_data_are_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    experiments = {
        "first": SimpleNamespace(
            NAME="first", TITLE="", NEEDS_DATA=True, pieces=lambda quick: [], write=None
        ),
        "second": Squares(tmp_path, [2]),
        "benchmark_data": benchmark_data,
        "pieces": pieces,
    }
    monkeypatch.setattr(reproduce, "EXPERIMENTS", ("first", "second"))
    monkeypatch.setattr(reproduce, "_module", experiments.get)
    monkeypatch.setenv("RELBOUNDS_DATA", "nowhere")
    assert main(["reproduce", "all", "--out", str(tmp_path), "--jobs", "1"]) == 2
    assert experiments["second"].computed == [2]
    assert "first is left out" in caplog.text


def test_failing_pieces_end_with_a_sentence_and_code_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    modules = {
        "table2": Squares(tmp_path, [-1]),
        "pieces": pieces,
        "benchmark_data": benchmark_data,
    }
    monkeypatch.setattr(reproduce, "_module", modules.get)
    assert main(["reproduce", "table2", "--out", str(tmp_path), "--jobs", "1"]) == 1
    assert "squares: 1 of 1 pieces failed" in caplog.records[-1].message


def test_no_jobs_are_wrong_input(caplog: pytest.LogCaptureFixture) -> None:
    assert main(["reproduce", "table2", "--jobs", "0"]) == 2
    assert "--jobs must be at least 1; got 0." in caplog.text


def test_debug_shows_where_an_error_comes_from() -> None:
    with pytest.raises(reproduce.WrongInputError, match="at least 1"):
        main(["reproduce", "table2", "--jobs", "0", "--debug"])


def test_without_a_checkout_a_sentence_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(reproduce, "__file__", str(tmp_path / "a/b/c/reproduce.py"))
    with pytest.raises(reproduce.WrongInputError, match="in a checkout"):
        reproduce.find_checkout()
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "pieces.py").touch()
    assert reproduce.find_checkout() == tmp_path


def test_a_missing_package_is_told_with_the_extra_that_has_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def absent(name: str) -> None:
        raise ModuleNotFoundError(name="clarabel")

    monkeypatch.setattr(reproduce.importlib, "import_module", absent)
    with pytest.raises(reproduce.WrongInputError, match=r"need clarabel: pip install .*reproduce"):
        reproduce._module("table2")


@pytest.mark.parametrize("name", reproduce.EXPERIMENTS)
def test_committed_results_come_from_one_state_of_the_library(name: str) -> None:
    rows = pd.read_csv(ROOT / "experiments" / "results" / name / "rows.csv")
    assert len(set(rows["source"])) == 1
    assert rows["source"].notna().all()
