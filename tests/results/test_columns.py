"""What is known of a column as it came."""

import json

import numpy as np

from relbounds.results.columns import ColumnFacts


def test_numbers_have_gaps_and_a_range():
    facts = ColumnFacts.of_numbers("age", np.array([3.0, np.nan, 1.0, 7.0]))
    assert (facts.n_missing, facts.least, facts.middle, facts.most) == (1, 1.0, 3.0, 7.0)


def test_a_column_without_any_value_has_no_range():
    facts = ColumnFacts.of_numbers("age", np.full(3, np.nan))
    assert (facts.n_missing, facts.least, facts.most) == (3, None, None)


def test_levels_stand_by_their_frequency():
    facts = ColumnFacts.of_levels("unit", ["a", "b", "c"], [2, 5, 2], reference="b")
    assert (facts.levels, facts.counts, facts.kind) == (("b", "a", "c"), (5, 2, 2), "text")


def test_facts_survive_a_file():
    facts = ColumnFacts.of_levels("unit", ["a", "b"], np.array([2, 5]), n_missing=1)
    assert ColumnFacts.from_dict(json.loads(json.dumps(facts.to_dict()))) == facts
