"""What tests of several files start from."""

from collections.abc import Iterator

import pytest


@pytest.fixture
def no_figures() -> Iterator[None]:
    """No figure comes from other tests, and none is left to them."""
    from matplotlib import pyplot as plt

    plt.close("all")
    yield
    plt.close("all")
