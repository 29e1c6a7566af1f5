"""Options of reading are arguments in Python, and do the same."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from messy_tables import as_text, patients, saved

import relbounds
from relbounds.exceptions import RelboundsWarning, WrongInputError

QUICK = {"further": False, "n_jobs": 1}


def test_notes_speak_of_arguments(tmp_path: Path) -> None:
    text = as_text(patients())
    titled = relbounds.analyze(saved(tmp_path / "a.csv", f"A title\n{text}"), "outcome", **QUICK)
    assert any("(`skip_rows` 0 if it" in note for note in titled.notes)
    nameless = saved(tmp_path / "b.csv", text.partition("\n")[2])
    found = relbounds.analyze(nameless, "column 6", **QUICK)
    assert any("(`header=True` if it does" in note for note in found.notes)


def test_a_frame_and_a_file_with_units_predict_rows_with_units(tmp_path: Path) -> None:
    frame = patients()
    frame["dose"] = [f"{dose} mg" for dose in frame["dose"]]
    path = saved(tmp_path / "table.csv", as_text(frame))
    of_file, of_frame = (relbounds.analyze(each, "outcome", **QUICK) for each in (path, frame))
    pd.testing.assert_frame_equal(of_file.to_frame(), of_frame.to_frame())
    assert of_frame.predict(frame).tolist() == of_file.predict(frame).tolist()
    plain = relbounds.analyze(patients(), "outcome", **QUICK)
    assert of_frame.predict(frame).tolist() == plain.predict(patients()).tolist()


def test_frequencies_are_counted_out_and_weights_reach_the_fit() -> None:
    frame = patients().drop(columns="id")
    counts = np.arange(60) % 3 + 1
    repeated = frame.loc[frame.index.repeat(counts)].reset_index(drop=True)
    counted = relbounds.analyze(frame.assign(n=counts), "outcome", counts="n", **QUICK)
    expected = relbounds.analyze(repeated, "outcome", **QUICK)
    pd.testing.assert_frame_equal(counted.to_frame(), expected.to_frame())
    weighted = relbounds.analyze(frame.assign(n=counts / 2), "outcome", weights="n", **QUICK)
    assert weighted.result.data.n_samples == 60
    assert "n" not in weighted.to_frame().index


def test_refusals_speak_of_arguments(tmp_path: Path) -> None:
    path = saved(tmp_path / "table.csv", as_text(patients()))
    with pytest.raises(WrongInputError, match=r"^`sheet` has no meaning for"):
        relbounds.analyze(path, "outcome", sheet="1")
    with pytest.raises(WrongInputError, match=r"^`weights`: the table has no column"):
        relbounds.analyze(path, "outcome", weights="height2")


def test_units_that_are_mixed_are_a_warning() -> None:
    frame = patients().assign(weight=[f"{k} {'kg' if k % 3 else 'lb'}" for k in range(60)])
    with pytest.warns(RelboundsWarning, match=r"different units, 'kg' and 'lb' .* with `drop`"):
        relbounds.analyze(frame, "outcome", **QUICK)
