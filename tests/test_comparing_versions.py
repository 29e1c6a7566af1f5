"""The scripts that compare two versions see what differs, and what is proved not to."""

import ast
import importlib
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

BENCHMARKS = Path(__file__).parent.parent / "benchmarks" / "versions"


def script(name: str) -> ModuleType:
    """A script of benchmarks/versions/, which finds its neighbours when it is imported."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(BENCHMARKS)
        return importlib.import_module(name)


same_answers, named_values = script("same_answers"), script("named_values")
static_figures = script("static_figures")
Value, Comparison = named_values.Value, same_answers.Comparison


def verdict(old, new) -> str:
    return Comparison("case", {"x": old}, {"x": new}).verdict


@pytest.mark.parametrize(
    "found",
    [np.array([1.0, np.nan, np.inf]), 2.5, np.nan, None, "text", [("a", None, 0.1)], {"a": 1}],
)
def test_the_same_bits_are_identical(found):
    assert verdict(Value(found), Value(found)) == "identical"


def test_another_sign_of_zero_is_not_identical_but_proved():
    assert verdict(Value(np.zeros(1)), Value(-np.zeros(1))) == "within proofs"


@pytest.mark.parametrize(("moved", "expected"), [(2e-7, "within proofs"), (4e-7, "different")])
def test_an_end_may_move_by_the_doubts_of_both_sides(moved, expected):
    old, new = np.array([[-1.0, 2.0]]), np.array([[-1.0, 2.0 + moved]])
    assert verdict(Value(old, np.full((1, 2), 1e-7)), Value(new, 2e-7)) == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (np.array([0, 1]), np.array([0, 2])),
        (np.array([1.0, np.nan]), np.array([1.0, 3.0])),
        (np.array([np.inf]), np.array([3.0])),
        (np.zeros(2), np.zeros(3)),
        ("strong", "weak"),
        (None, 1.0),
        ([("a", 1.0)], [("b", 1.0)]),
    ],
)
def test_what_no_proof_covers_is_different(old, new):
    assert verdict(Value(old, 1e-3), Value(new, 1e-3)) == "different"


def test_a_value_that_only_one_side_has_is_different():
    assert Comparison("case", {"x": Value(1)}, {}).verdict == "different"


def test_a_dictionary_is_information_only():
    name = named_values.INFORMATION
    compared = Comparison("case", {name: Value("{}")}, {name: Value("{1}")})
    assert compared.verdict == "identical"
    assert compared.has_other_dictionary


def test_numbers_in_a_message_may_move_but_not_its_words():
    def told(text: str) -> dict:
        return named_values.of_error(ValueError(text))

    assert Comparison("case", told("gap 1.3e-07"), told("gap 2e-08")).verdict == "within proofs"
    assert Comparison("case", told("gap 1.3"), told("hole 1.3")).verdict == "different"


def test_the_longest_chain_is_found_and_a_cycle_told():
    imports = {"a": {"b", "c"}, "b": {"c"}, "c": set(), "d": {"c"}}
    assert static_figures.longest_chain(imports) == ["a", "b", "c"]
    assert static_figures.longest_chain({"a": {"b"}, "b": {"a"}})[0] == "a cycle"


def test_only_imports_that_happen_at_once_count():
    source = """
from typing import TYPE_CHECKING
import house.roof
from house import door
if TYPE_CHECKING:
    import house.types
def enter():
    import house.hall
"""
    rooms = ("roof", "door", "types", "hall")
    trees = {f"house.{room}": ast.parse("") for room in rooms}
    trees |= {"house": ast.parse(""), "house.street": ast.parse(source)}
    found = static_figures._imports("house.street", trees)
    assert sorted(found) == ["house.door", "house.roof"]


def test_lines_of_code_are_neither_blank_nor_comments_nor_docstrings():
    source = '''def one(
    a,
):
    """Docstring
    of two lines."""

    # a comment
    return """a
    text""" + a
'''
    [(name, lines)] = static_figures._functions({Path("m.py"): source})
    assert name.startswith("m.one")
    assert lines == 5
