"""Columns that are the outcome in disguise are suspected, and honest ones are not."""

from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from relbounds.method.evidence import disguise
from relbounds.method.evidence.disguise import OF_TWO, suspects
from relbounds.method.groups import Groups
from relbounds.method.training_data import Table, TrainingData

RNG = np.random.RandomState(0)
N = 200
NOISE = RNG.normal(size=(N, 4))
SCORE = NOISE[:, 0] + 0.2 * RNG.normal(size=N)


def data(columns, y, *, classes=(), names=None, weight=None, groups=None) -> TrainingData:
    columns = np.asarray(columns, dtype=float).reshape(len(y), -1)
    names = tuple(names or (f"x{k}" for k in range(columns.shape[1])))
    table = Table(names, columns, np.ones(columns.shape[1], dtype=bool))
    weight = np.ones(len(y)) if weight is None else weight
    return TrainingData(
        (table,), np.asarray(y, dtype=float), weight, tuple(classes) or None, groups=groups
    )


def of_classes(columns, y, **others) -> TrainingData:
    return data(columns, y, classes=range(int(np.max(y)) + 1), **others)


def suspected(asked: TrainingData) -> dict[str, float]:
    return {each.column: each.error for each in suspects(asked)}


LOW = (SCORE < -0.5).astype(int)


def test_a_column_that_was_cut_into_classes_is_suspected_alone() -> None:
    found = suspects(of_classes(np.column_stack([NOISE, SCORE]), LOW))
    assert [(each.column, each.features, each.error) for each in found] == [("x4", ("x4",), 0.0)]


def test_hours_that_are_zero_for_one_class_are_suspected() -> None:
    hours = np.where(LOW == 1, 0.0, RNG.randint(1, 3000, N))
    assert suspected(of_classes(np.column_stack([NOISE, hours]), LOW)) == {"x4": 0.0}


@pytest.mark.parametrize("sign", [-1, 1])
def test_three_classes_may_lie_in_any_order(sign: int) -> None:
    y = np.array([2, 0, 1])[np.digitize(SCORE, [-0.5, 0.5])]
    assert suspected(of_classes(np.column_stack([NOISE, sign * SCORE]), y)) == {"x4": 0.0}


def test_codes_may_stand_for_classes_in_any_order() -> None:
    """1 and 9 are one class, 2 the other: no cut tells them, each value does."""
    code = RNG.choice([1, 2, 9], N)
    assert suspected(of_classes(np.column_stack([NOISE, code]), code == 2)) == {"x4": 0.0}


def test_a_text_is_asked_as_a_whole_and_called_by_its_name() -> None:
    """No single one of its columns tells the classes apart."""
    reason = RNG.choice(list("abcd"), N)
    y = np.isin(reason, ["a", "c"]).astype(int)
    levels = np.column_stack([reason == level for level in "bcd"])
    names = ["x", "reason=b", "reason=c", "reason=d"]
    [found] = suspects(of_classes(np.column_stack([NOISE[:, 0], levels]), y, names=names))
    assert (found.column, found.features) == ("reason", ("reason=b", "reason=c", "reason=d"))


def test_a_number_whose_name_has_an_equals_sign_is_no_text() -> None:
    columns = np.column_stack([NOISE[:, 0], SCORE])
    assert suspected(of_classes(columns, LOW, names=["a=1", "a=2"])) == {"a=2": 0.0}


@pytest.mark.parametrize(("flipped", "is_suspected"), [(1, True), (8, False)])
def test_a_few_errors_of_writing_do_not_hide_it_and_many_do(
    flipped: int, is_suspected: bool
) -> None:
    y = LOW.copy()
    for label in (0, 1):
        y[np.flatnonzero(label == LOW)[:flipped]] = 1 - label
    found = suspected(of_classes(SCORE, y))
    assert bool(found) == is_suspected
    assert all(0 < error <= OF_TWO for error in found.values())


def test_any_rising_or_falling_function_of_a_number_is_suspected() -> None:
    columns = np.column_stack([NOISE, np.exp(SCORE), -(SCORE**3), np.abs(SCORE)])
    assert suspected(data(columns, SCORE)) == {"x4": 0.0, "x5": 0.0}


def test_a_number_is_asked_in_its_own_spread() -> None:
    close = SCORE + 0.005 * SCORE.std() * RNG.normal(size=N)
    for unit in (1e-6, 1.0, 1e6):
        [(name, error)] = suspected(data(np.column_stack([NOISE, close]), unit * SCORE)).items()
        assert (name, error < 0.01) == ("x4", True)


def test_one_number_far_away_makes_no_column_suspect() -> None:
    """In standard deviations all others would be next to each other."""
    y = RNG.normal(size=N)
    y[7] = 1e6
    assert not suspected(data(np.column_stack([NOISE, np.arange(N) % 2]), y))


def test_a_part_of_a_number_is_not_suspected() -> None:
    other = RNG.normal(size=N)
    assert not suspected(data(np.column_stack([SCORE, other]), SCORE + 0.3 * other))


@pytest.mark.parametrize("load", [load_breast_cancer, load_iris, load_wine])
def test_honest_measurements_are_not_suspected(load) -> None:
    X, y = load(return_X_y=True)
    assert not suspected(of_classes(X, y))


def test_chance_is_not_suspected() -> None:
    """Of 3,000 idle columns some put ten samples in perfect order."""
    y = np.repeat([0, 1], 5)
    columns = np.random.RandomState(1).normal(size=(10, 3000))
    outcome = disguise._Classes.of(of_classes(columns, y))
    assert min(outcome.errors_of(columns, [np.array([k]) for k in range(3000)])) == 0.0
    assert not suspected(of_classes(columns, y))


def test_columns_that_are_sorted_together_miss_what_each_does() -> None:
    """Those with equal values are asked one by one."""
    random = np.random.RandomState(2)
    y = random.randint(4, size=80)
    columns = y[:, None] + random.normal(size=(80, 12)) * np.linspace(0, 2, 12)
    columns[:, 3:6] = np.round(columns[:, 3:6], 1)
    outcome = disguise._Classes.of(replace(of_classes(columns, y), weight=random.uniform(1, 3, 80)))
    sets = [np.array([k]) for k in range(12)]
    each = [outcome._error_of(columns[:, one]) for one in sets]
    np.testing.assert_allclose(outcome.errors_of(columns, sets), each, rtol=0, atol=1e-12)
    assert len(set(each)) > 8


def test_a_short_series_follows_any_trend_and_is_not_asked() -> None:
    trend = np.arange(40.0) ** 2
    assert suspected(data(np.arange(40), trend)) == {"x0": 0.0}
    assert not suspected(data(np.arange(20), trend[:20]))


def test_tiny_classes_are_not_asked() -> None:
    y = np.zeros(N, dtype=int)
    y[:4] = 1
    assert not suspected(of_classes(y + 0.01 * NOISE[:, 0], y))
    beside = np.where(np.arange(N) < 4, 2, LOW)
    assert suspected(of_classes(SCORE, beside)) == {"x0": 0.0}


def test_rows_of_one_group_are_one_observation() -> None:
    patient = np.repeat(np.arange(6), 20)
    y = (patient < 3).astype(int)
    assert suspected(of_classes(patient, y)) == {"x0": 0.0}
    assert not suspected(of_classes(patient, y, groups=Groups.of(patient)))


def test_weights_count() -> None:
    y = LOW.copy()
    wrong = np.flatnonzero(LOW == 1)[:25]
    y[wrong] = 0
    assert not suspected(of_classes(SCORE, y))
    weight = np.ones(N)
    weight[wrong] = 1e-3
    assert list(suspected(of_classes(SCORE, y, weight=weight))) == ["x0"]


@pytest.mark.parametrize("task", ["classes", "numbers"])
def test_a_glance_at_some_rows_of_many_passes_by_idle_columns_only(
    monkeypatch: pytest.MonkeyPatch, task: str
) -> None:
    rng = np.random.RandomState(0)
    columns = rng.normal(size=(6000, 8))
    score = columns[:, 3] + 0.01 * rng.normal(size=6000)
    y = score if task == "numbers" else (score > 1.5).astype(int)
    asked = data(columns, y) if task == "numbers" else of_classes(columns, y)
    found = suspected(asked)
    assert list(found) == ["x3"]
    monkeypatch.setattr(disguise, "_MANY", 10**6)
    assert suspected(asked) == found


def test_a_glance_knows_codes_also_where_most_classes_are_rare() -> None:
    """Of fewer rows so many different values would be taken for numbers."""
    rng = np.random.RandomState(0)
    codes = rng.randint(45, size=6000)
    code_of_rare = {7: 1, 30: 2}
    y = np.array([code_of_rare.get(code, 0) for code in codes])
    kept = (y == 0) | (np.cumsum(y > 0) < 40)
    assert suspected(of_classes(codes[kept], y[kept])) == {"x0": 0.0}


def missed_by_any_cuts(x: np.ndarray, y: np.ndarray, k: int) -> float:
    """All orders of the classes, all cuts: the least mean share that is missed in ranks."""
    ends = np.concatenate([[-np.inf], np.unique(x) + 0.5])
    sizes = np.bincount(y, minlength=k)
    return (
        min(
            sum(
                abs(np.searchsorted(cuts, a) - place[b]) / sizes[b]
                for a, b in zip(x, y, strict=True)
            )
            for place in permutations(range(k))
            for cuts in product(ends, repeat=k - 1)
            if list(cuts) == sorted(cuts)
        )
        / k
    )


@given(
    st.integers(2, 3),
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2)), min_size=3, max_size=9),
)
def test_cuts_miss_no_less_than_the_best_of_all(k: int, rows: list[tuple[int, int]]) -> None:
    """And nothing, if there are any that miss nothing."""
    x = np.array([a for a, _ in rows] + list(range(k)))
    y = np.array([b % k for _, b in rows] + list(range(k)))
    cells = np.zeros((len(np.unique(x)), k))
    np.add.at(cells, (np.unique(x, return_inverse=True)[1], y), 1)
    missed = disguise._missed_by_cuts((cells / cells.sum(axis=0)).T)
    best = missed_by_any_cuts(x, y, k)
    assert missed >= best - 1e-9
    assert missed == 0 if best == 0 else missed > 0
