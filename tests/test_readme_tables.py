"""The README's tables are the results'."""

from pathlib import Path

import pytest

from experiments import readme

README = (Path(__file__).parent.parent / "README.md").read_text()


@pytest.mark.parametrize("table", [readme.artificial_sets, readme.privileged_sets])
def test_a_table_is_the_one_that_the_experiments_wrote(table) -> None:
    assert table() in README
