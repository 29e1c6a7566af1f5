"""The tables of docs/paper.md and docs/tolerance.md are the results'."""

from pathlib import Path

import pytest

from experiments import page_tables

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("page", "table"),
    [
        ("docs/paper.md", page_tables.artificial_sets),
        ("docs/paper.md", page_tables.privileged_sets),
        ("docs/tolerance.md", page_tables.tolerance_rules),
    ],
)
def test_a_table_is_the_one_that_the_experiments_wrote(page: str, table) -> None:
    assert table() in (ROOT / page).read_text()
