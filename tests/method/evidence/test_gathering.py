"""What is needed beside columns that tell all: nothing. And which evidence waits for no model."""

import numpy as np
import pandas as pd
import pytest
from small_fits import estimator, table

import relbounds
from relbounds import ClassificationRelevance, OrdinalRelevance
from relbounds.method.evidence.gathering import gather, without_models
from relbounds.method.parallel import Workers
from relbounds.wording.further import of_covers

rng = np.random.default_rng(0)
n = 120
WORKS = rng.random(n) < 0.5
AGE = rng.normal(size=n) + 0.8 * WORKS
HOURS, WAGE = (WORKS * rng.gamma(2.0, size=n) + 0.01 * WORKS for _ in range(2))


def p_needed(X, y, estimator=ClassificationRelevance) -> list[float]:
    return estimator(random_state=0).fit(np.column_stack(X), y).result_.p_needed.tolist()


def test_of_two_columns_that_each_tell_all_neither_is_needed() -> None:
    """Who works has hours and a wage, and nobody else: given one, the other says nothing new.

    The likelihood of a logistic regression is one without either, so that its ratio is zero.
    """
    assert p_needed([HOURS, WAGE, AGE], WORKS) == [1.0, 1.0, 1.0]


def test_one_column_that_tells_all_is_needed_and_nothing_beside_it() -> None:
    hours, age = p_needed([HOURS, AGE], WORKS)
    assert hours < 1e-6
    assert age == 1.0


def test_a_column_that_misses_one_sample_leaves_something_to_tell() -> None:
    nearly = np.where(np.arange(n) == WORKS.argmax(), 0.0, HOURS)
    assert p_needed([nearly, AGE], WORKS)[1] < 1.0


@pytest.mark.parametrize("turned", [1, -1])
def test_ordered_classes_are_told_by_a_column_that_rises_or_falls_with_them(turned: int) -> None:
    stage = rng.integers(0, 3, size=n)
    told, other = stage + 0.9 * rng.random(n), stage + rng.normal(size=n)
    assert p_needed([turned * told, other], stage, OrdinalRelevance)[1] == 1.0


def test_of_two_columns_that_each_tell_all_one_covers_for_the_other() -> None:
    found = ClassificationRelevance(random_state=0).fit(np.column_stack([HOURS, WAGE, AGE]), WORKS)
    assert not found.result_.needed.any()
    covered = of_covers(found.covers())
    assert "x0 is covered by x1." in covered
    assert "x1 is covered by x0." in covered


def test_a_text_adds_nothing_beside_a_number_that_tells_all() -> None:
    town = np.where(rng.random(n) < 0.3 + 0.5 * WORKS, "north", "south").astype(object)
    town[rng.random(n) < 0.3] = "west"
    frame = pd.DataFrame({"town": town, "hours": HOURS, "works": np.where(WORKS, "yes", "no")})
    answer = relbounds.analyze(frame, "works", further=False, random_state=0)
    assert answer.to_frame().loc["town", "p_needed"] == 1.0
    assert answer.to_frame().loc["hours", "p_needed"] < 1e-6


@pytest.mark.parametrize(
    ("task", "n_classes"), [("ordinal", 4), ("regression", 4), ("classification", 3)]
)
def test_evidence_without_models_is_what_it_is_with_one(task: str, n_classes: int) -> None:
    X, y, _ = table("ordinal" if n_classes == 3 else task, n_classes=n_classes)
    study = estimator(task).fit(X, y)._study
    is_unordered = study.best.has_a_score_a_class
    assert is_unordered == (task == "classification")
    found = without_models(study.data, unordered=is_unordered, workers=Workers())
    [expected] = gather(study.engine, study.data, study.best, Workers())
    assert found is not None
    assert found.to_dict() == expected.to_dict()


def test_where_columns_are_too_many_a_model_tells_which_are_tested() -> None:
    X, y, _ = table(n_samples=20, n_irrelevant=12)
    study = estimator("ordinal").fit(X, y)._study
    assert without_models(study.data, unordered=False, workers=Workers()) is None
