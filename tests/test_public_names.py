"""What the package shows, and what importing it does not do."""

import subprocess
import sys
import textwrap

import pytest

import relbounds


def test_the_public_names_are_these() -> None:
    """A change here is a change for users: it belongs in the changelog."""
    assert sorted(relbounds.__all__) == [
        "Answer",
        "ClassificationRelevance",
        "OrdinalRelevance",
        "RedundancyDisplay",
        "RegressionRelevance",
        "Relevance",
        "RelevanceDisplay",
        "RelevancePathDisplay",
        "RelevanceResult",
        "TableEncoder",
        "__version__",
        "analyze",
        "explore",
        "write_report",
    ]
    assert all(hasattr(relbounds, name) for name in relbounds.__all__)
    assert set(relbounds.__all__) <= set(dir(relbounds))


def test_a_file_that_is_missing_is_refused_before_tables_can_be_read() -> None:
    done = run(
        """
        import sys
        from relbounds.cli import main

        assert main(["analyze", "no_such_file.csv", "--target", "y"]) == 2
        assert "pandas" not in sys.modules
        """
    )
    assert done.returncode == 0, done.stderr


def test_names_are_loaded_when_they_are_asked_for() -> None:
    done = run(
        """
        import pickle, sys
        import relbounds

        assert "relbounds.estimators" not in sys.modules
        assert relbounds.exceptions.RelboundsError.__module__ == "relbounds.exceptions"
        from relbounds import OrdinalRelevance, Relevance
        assert pickle.loads(pickle.dumps(OrdinalRelevance)) is relbounds.OrdinalRelevance
        assert pickle.loads(pickle.dumps(Relevance.WEAK)) is relbounds.Relevance.WEAK
        """
    )
    assert (done.stdout, done.stderr) == ("", "")


def test_a_name_that_is_not_there_is_refused_as_by_any_module() -> None:
    with pytest.raises(AttributeError, match="module 'relbounds' has no attribute 'Nothing'"):
        _ = relbounds.Nothing
    with pytest.raises(ImportError, match="cannot import name 'Nothing'"):
        from relbounds import Nothing  # noqa: F401


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        check=True,
    )


def test_whatever_is_raised_or_warned_of_stands_in_one_module() -> None:
    """Which is the page of the reference."""
    done = run(
        """
        from importlib import import_module
        from pkgutil import walk_packages

        import relbounds
        from relbounds.exceptions import RelboundsError, RelboundsWarning

        for each in walk_packages(relbounds.__path__, "relbounds."):
            if each.name != "relbounds.__main__":
                import_module(each.name)
        own = RelboundsError.__subclasses__() + RelboundsWarning.__subclasses__()
        print(*{each.__module__ for each in own})
        """
    )
    assert done.stdout == "relbounds.exceptions\n"


def test_import_prints_nothing_configures_no_logging_and_leaves_matplotlib_alone() -> None:
    done = run(
        """
        import logging, sys
        import numpy as np
        state, warned = np.random.get_state()[1].copy(), np.geterr()

        import relbounds, relbounds.datasets, relbounds.metrics, relbounds.exceptions

        assert not logging.getLogger().handlers
        assert logging.getLogger().level == logging.WARNING
        assert "matplotlib" not in sys.modules
        assert (np.random.get_state()[1] == state).all()
        assert np.geterr() == warned
        """
    )
    assert (done.stdout, done.stderr) == ("", "")
