"""What covers for a feature: copies for one another, and nobody who has nothing to do with it."""

import numpy as np
import pandas as pd
import pytest

from relbounds import ClassificationRelevance, OrdinalRelevance, RegressionRelevance
from relbounds.datasets import PAPER_SETS
from relbounds.results.answers import Covers
from relbounds.wording.further import of_covers

PROVED = 0.001
QUICK = {"n_probes": 10, "random_state": 0}


def table(n: int = 300, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """``twin`` is ``cause`` and a little noise, ``other`` matters, ``idle`` does not."""
    rng = np.random.RandomState(seed)
    cause, other, idle = rng.standard_normal((3, n))
    X = pd.DataFrame(
        {
            "cause": cause,
            "twin": cause + 0.3 * rng.standard_normal(n),
            "other": other,
            "idle": idle,
        }
    )
    return X, cause + other + rng.standard_normal(n)


def covered(model: object) -> dict[str, tuple[str, ...]]:
    found = model.covers()
    return dict(zip(found.names, found.by, strict=True))


@pytest.mark.parametrize("task", ["numbers", "two classes", "ordered classes"])
def test_what_a_feature_is_made_from_covers_for_it(task: str) -> None:
    X, y = table()
    match task:
        case "numbers":
            model = RegressionRelevance(**QUICK).fit(X, y)
        case "two classes":
            model = ClassificationRelevance(**QUICK).fit(X, y > 0)
        case _:
            model = OrdinalRelevance(**QUICK).fit(X, np.digitize(y, [-1, 1]))
    assert covered(model) == {"twin": ("cause",)}


@pytest.fixture(scope="module")
def copies() -> OrdinalRelevance:
    X, y, _ = PAPER_SETS[3].make(noise=0.0, random_state=0)
    return OrdinalRelevance(**QUICK).fit(X, y)


def test_copies_cover_for_one_another(copies: OrdinalRelevance) -> None:
    """Three strong features, four copies of one: without all other copies the last is needed."""
    group = {"x3", "x4", "x5", "x6"}
    assert {name: set(by) for name, by in covered(copies).items()} == {
        name: group - {name} for name in group
    }


def test_without_its_covers_a_feature_adds_to_the_others_and_not_before() -> None:
    """As ``what_if`` says, which shares the test but not the search."""
    X, y, _ = PAPER_SETS[4].make(noise=0.5, random_state=0)
    model = OrdinalRelevance(tolerance=1.0, **QUICK).fit(X, y)
    found = {name: by for name, by in covered(model).items() if by}
    assert found
    for name, by in found.items():
        for gone in (by, *(tuple(each for each in by if each != back) for back in by)):
            then = model.what_if({gone: "absent"}) if gone else model.result_
            p = then.p_needed[then.feature_names.index(name)]
            assert (p <= PROVED) == (gone == by)


def test_what_depends_on_nothing_else_is_covered_by_nobody() -> None:
    """Small effects of independent columns are relevant alone, whether or not they are needed."""
    rng = np.random.RandomState(0)
    X = rng.standard_normal((400, 6))
    y = X @ [1, 1, 1, 0.25, 0.25, 0.25] + 2 * rng.standard_normal(400)
    model = RegressionRelevance(confidence=0.8, **QUICK).fit(X, y)
    assert not any(covered(model).values())


def test_nothing_is_said_where_columns_are_too_many() -> None:
    rng = np.random.RandomState(0)
    X = rng.standard_normal((40, 20))
    X[:, 1] = X[:, 0] + 0.1 * rng.standard_normal(40)
    model = RegressionRelevance(C=1.0, **QUICK).fit(X, X[:, 0])
    assert model.covers().names == ()


def test_numbers_of_workers_change_nothing(copies: OrdinalRelevance) -> None:
    alone = covered(copies)
    assert covered(copies.set_params(n_jobs=2)) == alone
    copies.set_params(n_jobs=None)


def test_a_frame_has_a_row_for_each_pair() -> None:
    found = Covers(("a", "b", "c"), (("x", "y"), (), ("x",)))
    assert found.to_frame().to_numpy().tolist() == [["a", "x"], ["a", "y"], ["c", "x"]]


def test_features_with_the_same_covers_share_a_sentence() -> None:
    found = Covers(("a", "b", "c"), (("x",), (), ("x",)))
    assert of_covers(found) == [
        "a and c are covered by x.",
        "What covers for b was not found.",
    ]
    assert of_covers(Covers((), ())) == []


def test_of_many_only_the_first_are_told() -> None:
    names = tuple(f"x{k}" for k in range(20))
    said = of_covers(Covers(names, tuple((f"y{k}",) for k in range(20))))
    assert len(said) == 13
    assert said[-1] == "8 more are covered by others."


def test_names_of_classes_without_order_change_no_covers() -> None:
    """Near-copies tell one class from the rest, whichever place its name has."""
    rng = np.random.RandomState(1)
    code = rng.randint(3, size=200)
    tells = 2.0 * (code == 1) + 0.7 * rng.standard_normal(200)
    X = np.column_stack(
        [
            tells + 0.05 * rng.standard_normal(200),
            tells + 0.05 * rng.standard_normal(200),
            1.5 * (code == 2) + rng.standard_normal(200),
        ]
    )
    for names in ("abc", "bac"):
        model = ClassificationRelevance(C=0.1, **QUICK).fit(X, np.array(list(names))[code])
        found = covered(model)
        assert (found["x0"], found["x1"]) == (("x1",), ("x0",))


def test_what_patients_have_in_common_hides_no_covers() -> None:
    """Twins of a small effect within patients, who differ much."""
    rng = np.random.RandomState(5)
    patient = np.repeat(np.arange(40), 5)
    x = rng.standard_normal(200)
    X = np.column_stack([x, x + 0.05 * rng.standard_normal(200), rng.standard_normal(200)])
    y = 0.6 * x + 2 * rng.standard_normal(40)[patient] + 0.7 * rng.standard_normal(200)
    model = RegressionRelevance(C=0.1, epsilon=0.1, **QUICK).fit(X, y, groups=patient)
    assert covered(model) == {"x0": ("x1",), "x1": ("x0",)}
