"""Constraints are read as limits of weights; what says nothing is refused in one sentence."""

from typing import Any

import numpy as np
import pytest

from relbounds.engine import Restriction
from relbounds.exceptions import ConstraintError
from relbounds.method.training_data import Feature
from relbounds.questions.constraints import Constraint, Reader, combined

NORM = 2.0  # numbers are shares of it


def regular(name: str, column: int) -> Feature:
    return Feature(name, 0, column, np.array([column]))


FEATURES = [
    regular("age", 0),
    regular("sex", 1),
    Feature("constant", 0, None, np.empty(0, dtype=np.int64)),
    Feature("later", 1, 0, np.array([2, 3])),  # privileged: a weight in each of two functions
]
N_WEIGHTS = 4


@pytest.fixture
def reader() -> Reader:
    return Reader(FEATURES, N_WEIGHTS, NORM)


def limits(case: Restriction) -> list[tuple[float, float]]:
    return list(zip(case.low.tolist(), case.high.tolist(), strict=True))


FREE = (-np.inf, np.inf)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("absent", (0.0, 0.0)),
        ("positive", (0.0, np.inf)),
        ("negative", (-np.inf, 0.0)),
        (("signed", -0.25, 0.5), (-0.5, 1.0)),
        (["signed", 0.25, np.inf], (0.5, np.inf)),
        ((0, 0.25), (-0.5, 0.5)),
        ([0.0, np.float64(0.25)], (-0.5, 0.5)),
        ((0, 0), (0.0, 0.0)),
    ],
)
def test_limits_are_shares_of_the_norm(
    reader: Reader, asked: Any, expected: tuple[float, float]
) -> None:
    for key in ("sex", 1, np.int64(1)):
        (constraint,) = reader.read({key: asked})
        (case,) = constraint.cases
        assert limits(case) == [FREE, expected, FREE, FREE]
        assert case.totals == ()


@pytest.mark.parametrize("asked", ["absent", "negative", ("signed", -0.25, 0.5), (0, 0.25)])
def test_what_is_asked_of_a_privileged_feature_is_asked_of_both_functions(
    reader: Reader, asked: Any
) -> None:
    (constraint,) = reader.read({"later": asked})
    (case,) = constraint.cases
    assert limits(case)[:2] == [FREE, FREE]
    assert limits(case)[2] == limits(case)[3] != FREE


def test_where_zero_is_not_allowed_there_is_a_case_for_each_sign(reader: Reader) -> None:
    (constraint,) = reader.read({"age": (0.25, 0.5)})
    assert [limits(each)[0] for each in constraint.cases] == [(0.5, 1.0), (-1.0, -0.5)]
    (constraint,) = reader.read({"age": (0.25, np.inf)})
    assert [limits(each)[0] for each in constraint.cases] == [(0.5, np.inf), (-np.inf, -0.5)]


def test_where_zero_is_not_allowed_one_function_of_a_privileged_feature_is_large(
    reader: Reader,
) -> None:
    """And neither is larger than allowed."""
    (constraint,) = reader.read({"later": (0.25, 0.5)})
    assert [limits(each)[2:] for each in constraint.cases] == [
        [(0.5, 1.0), (-1.0, 1.0)],
        [(-1.0, -0.5), (-1.0, 1.0)],
        [(-1.0, 1.0), (0.5, 1.0)],
        [(-1.0, 1.0), (-1.0, -0.5)],
    ]


def test_several_features_are_each_asked_the_same(reader: Reader) -> None:
    (constraint,) = reader.read({("age", 1): "positive"})
    assert [limits(each)[:2] for each in constraint.cases] == [[(0.0, np.inf), (0.0, np.inf)]]
    (constraint,) = reader.read({("age", "sex"): (0.25, 0.5)})
    signs = {tuple(np.sign(each.low[:2])) for each in constraint.cases}
    assert len(constraint.cases) == 4
    assert signs == {(1, 1), (1, -1), (-1, 1), (-1, -1)}


def test_a_number_limits_the_total_of_several_features(reader: Reader) -> None:
    """Both functions of a privileged feature count; a constant one adds nothing."""
    (constraint,) = reader.read({("sex", "later", "constant"): 0.25})
    (case,) = constraint.cases
    assert limits(case) == [FREE] * 4
    ((positions, limit),) = case.totals
    assert (sorted(positions), limit) == ([1, 2, 3], 0.5)


@pytest.mark.parametrize("key", [("age", "age"), (0, "age"), ("age", 0, "age")])
def test_a_feature_that_is_named_twice_counts_once(reader: Reader, key: Any) -> None:
    """As a set of features has each once."""
    together = reader.read({key: 0.3, "age": (0.2, 1)})
    assert combined(together, N_WEIGHTS)
    ((positions, _),) = together[0].cases[0].totals
    assert positions.tolist() == [0]


def test_sets_are_told_in_the_order_of_the_data() -> None:
    """The order of a set is not the same in every run."""
    names = [f"feature {k}" for k in range(8)]
    reader = Reader([regular(name, k) for k, name in enumerate(names)], 8, NORM)
    for asked in (1.0, "absent"):
        (constraint,) = reader.read({frozenset(names): asked})
        assert constraint.text.startswith(", ".join(names) + ": ")


@pytest.mark.parametrize(
    ("constraints", "text"),
    [
        ({"age": "absent"}, "age: absent"),
        ({0: "positive"}, "age: positive"),
        ({"later": (0, 0.25)}, "later: relevance from 0 to 0.25"),
        ({"age": ("signed", -0.5, np.inf)}, "age: weight from -0.5 to inf"),
        ({("age", 1): "negative"}, "age, sex: negative"),
        ({("later", "age"): 0.125}, "later, age: at most 0.125 in total"),
    ],
)
def test_constraints_are_told_in_words(
    reader: Reader, constraints: dict[Any, Any], text: str
) -> None:
    assert [each.text for each in reader.read(constraints)] == [text]


@pytest.mark.parametrize("constraints", [{}, None, "absent", [("age", "absent")], {"age"}])
def test_constraints_are_a_dictionary(reader: Reader, constraints: Any) -> None:
    with pytest.raises(
        ConstraintError,
        match=r"Constraints are a dictionary of features and what is asked of them, for instance "
        r"\{'age': 'absent'\}; got ",
    ):
        reader.read(constraints)


@pytest.mark.parametrize("key", ["Age", 4, -1, True, 1.0, None, ("age", "height"), (0, 9)])
def test_a_feature_that_is_not_there_is_refused(reader: Reader, key: Any) -> None:
    missing = key[1] if isinstance(key, tuple) else key
    with pytest.raises(ConstraintError) as raised:
        reader.read({key: "absent"})
    assert str(raised.value) == (
        f"There is no feature {missing!r}; name one of age, sex, constant, later or give an index "
        "from 0 to 3."
    )


def test_of_many_features_ten_are_named() -> None:
    many = [regular(f"x{k}", k) for k in range(12)]
    with pytest.raises(ConstraintError, match=r"one of x0, .*x9, \.\.\. or give an index .* 11\."):
        Reader(many, 12, NORM).read({"y": "absent"})


@pytest.mark.parametrize(
    "asked", ["Absent", "gone", 0.5, 1, None, (), (0.1,), ("unsigned", 0, 1), {0, 1}]
)
def test_what_is_asked_has_to_be_known(reader: Reader, asked: Any) -> None:
    """A number alone is for several features."""
    with pytest.raises(
        ConstraintError,
        match=r"A constraint is 'absent', 'positive', 'negative', \(low, high\) for the relevance, "
        r"\('signed', low, high\) for the weight, or for several features the most that their total"
        r" relevance may be; got ",
    ):
        reader.read({"age": asked})


@pytest.mark.parametrize(
    "asked",
    [(0.5, 0.1), (-0.1, 0.5), (np.nan, 1), (0, np.nan), ("a", "b"), (True, 1), ("signed", 1)],
)
def test_a_range_of_relevance_is_two_numbers(reader: Reader, asked: Any) -> None:
    with pytest.raises(
        ConstraintError,
        match="A range of relevance has two numbers, the smaller first and not negative; got ",
    ):
        reader.read({"age": asked})


@pytest.mark.parametrize("ends", [(0.5, 0.1), (np.nan, 1), (0, np.nan), ("a", "b"), (0, None)])
def test_a_range_of_a_weight_is_two_numbers(reader: Reader, ends: Any) -> None:
    with pytest.raises(
        ConstraintError,
        match="A range of a signed weight has two numbers, the smaller first; got ",
    ):
        reader.read({"age": ("signed", *ends)})


@pytest.mark.parametrize(
    "asked", [(np.inf, np.inf), ("signed", np.inf, np.inf), ("signed", -np.inf, -np.inf)]
)
def test_a_range_begins_and_ends_where_weights_can_be(reader: Reader, asked: Any) -> None:
    """No weight is infinite: such a range says nothing that could be kept."""
    with pytest.raises(ConstraintError, match="A range of"):
        reader.read({"age": asked})


@pytest.mark.parametrize("limit", [-0.1, np.nan, -np.inf])
def test_a_total_is_not_negative(reader: Reader, limit: float) -> None:
    with pytest.raises(ConstraintError, match="A total relevance is at least 0"):
        reader.read({("age", "sex"): limit})


def test_a_total_is_finite(reader: Reader) -> None:
    """An infinite one would limit nothing, and as a row it is no number."""
    with pytest.raises(ConstraintError, match="A total relevance is"):
        reader.read({("age", "sex"): np.inf})


@pytest.mark.parametrize("asked", ["absent", 0.5])
def test_something_has_to_be_asked_of_at_least_one_feature(reader: Reader, asked: Any) -> None:
    with pytest.raises(ConstraintError, match="at least one feature"):
        reader.read({(): asked})


def test_a_name_that_two_features_have_is_refused() -> None:
    """A table without names calls its columns x0, x1, ...; a privileged frame may do so too."""
    twice = Reader([regular("x0", 0), Feature("x0", 1, 0, np.array([1, 2]))], 3, NORM)
    with pytest.raises(ConstraintError, match="x0"):
        twice.read({"x0": "absent"})
    assert twice.read({0: "absent"})[0].cases[0].low.tolist() == [0, -np.inf, -np.inf]


@pytest.mark.parametrize("asked", [(0.1, 0.5), ("signed", 0.1, 0.5), ("signed", -0.5, -0.1)])
def test_a_constant_feature_cannot_have_a_weight(reader: Reader, asked: Any) -> None:
    constraints = reader.read({"constant": asked})
    assert combined(constraints, N_WEIGHTS) == []


@pytest.mark.parametrize("asked", ["absent", "positive", (0, 0.5), ("signed", -0.5, 0)])
def test_a_constant_feature_keeps_what_zero_keeps(reader: Reader, asked: Any) -> None:
    (case,) = combined(reader.read({"constant": asked}), N_WEIGHTS)
    assert limits(case) == [FREE] * 4


def test_cases_of_several_constraints_are_combined(reader: Reader) -> None:
    """Two signs of one feature with two of another; limits on the same weight meet."""
    constraints = reader.read(
        {"age": (0.1, np.inf), 0: (0, 0.5), "sex": (0.2, np.inf), ("age", "sex"): 0.4}
    )
    cases = combined(constraints, N_WEIGHTS)
    assert {tuple(limits(each)[0]) for each in cases} == {(0.2, 1.0), (-1.0, -0.2)}
    assert {tuple(limits(each)[1]) for each in cases} == {(0.4, np.inf), (-np.inf, -0.4)}
    assert len(cases) == 4
    assert all(each.totals[0][1] == 0.8 for each in cases)


def test_cases_that_nothing_can_keep_are_left_out(reader: Reader) -> None:
    one_sign = reader.read({"age": (0.1, 0.5), 0: "positive"})
    assert [limits(each)[0] for each in combined(one_sign, N_WEIGHTS)] == [(0.2, 1.0)]
    for contradiction in (
        {"age": (0.1, 0.5), 0: "absent"},
        {"age": "positive", 0: ("signed", -0.3, -0.2)},
        {"age": (0.2, 1), "sex": (0.2, 1), ("age", "sex"): 0.39},
        {"later": (0.2, 1), ("later",): 0.1},
    ):
        assert combined(reader.read(contradiction), N_WEIGHTS) == []


def test_nothing_asked_leaves_everything() -> None:
    (case,) = combined([], N_WEIGHTS)
    assert limits(case) == [FREE] * 4
    kept = Constraint("kept", (Restriction.none(N_WEIGHTS),))
    assert limits(combined([kept], N_WEIGHTS)[0]) == [FREE] * 4
