"""Names fit a terminal, are told apart, and go before bars."""

import io

import pytest

from relbounds.answer.screen import name_width
from relbounds.answer.terminal import Terminal, columns_of, fitted_apart

LONG = "expression of the gene in tumour tissue, second sample of the patient, replicate"


@pytest.mark.parametrize(
    "names",
    [
        ["pressure, first visit", "pressure, last visit"],
        [f"{LONG} {k}" for k in range(120)],
        [f"{k}{LONG}" for k in range(120)],
        [f"{LONG} {k} {LONG}" for k in range(120)],
        [f"{LONG} {k} {LONG}" for k in range(3)] + ["expate~2", "x", "x"],
        ["日本語日本語の日本語", "日本語日本語が日本語"],
    ],
)
@pytest.mark.parametrize("width", [8, 13, 24])
def test_two_names_are_never_cut_to_the_same(names: list[str], width: int) -> None:
    found = fitted_apart(names, width)
    assert {columns_of(text) for text in found} == {width}
    assert len(set(found)) == len(set(names)) == len(set(zip(names, found, strict=True)))


def test_names_go_before_bars_where_there_is_no_room_for_both() -> None:
    assert name_width(longest=20, room=26) == 20
    assert name_width(longest=30, room=30) == 30
    assert name_width(longest=50, room=30) == 30
    assert name_width(longest=50, room=34) == 24, "and a bar of ten"
    assert name_width(longest=50, room=59) == 29, "and a bar of thirty"
    assert name_width(longest=50, room=3) == len("feature")


def test_a_pipe_is_as_wide_as_columns_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert Terminal.of(io.StringIO()).width == 100
    monkeypatch.setenv("COLUMNS", "60")
    assert Terminal.of(io.StringIO()).width == 60
    monkeypatch.setenv("COLUMNS", "wide")
    assert Terminal.of(io.StringIO()).width == 100
