"""The tables of the README and of docs/tolerance.md are the results'."""

from pathlib import Path

import pytest

from experiments import readme

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("page", "table"),
    [
        ("README.md", readme.artificial_sets),
        ("README.md", readme.privileged_sets),
        ("docs/tolerance.md", readme.tolerance_rules),
    ],
)
def test_a_table_is_the_one_that_the_experiments_wrote(page: str, table) -> None:
    assert table() in (ROOT / page).read_text()
