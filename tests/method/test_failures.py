"""Whatever breaks a fit leaves nothing half-fitted and nothing running."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest
from small_fits import ESTIMATORS, FIXED, estimator, table
from small_sets import Array

from relbounds import OrdinalRelevance
from relbounds.engine import ENGINES, Model, ModelSpace, Simplex, full_range, relevance_range
from relbounds.engine.optimum import best_model
from relbounds.exceptions import SolverError
from relbounds.problems import OrdinalProblem

# A solver that is wrong


class Falsified:
    """Something prepared by the simplex engine, whose answers pass through ``falsify``."""

    def __init__(self, prepared, falsify) -> None:
        self._prepared, self._falsify = prepared, falsify

    def __getattr__(self, name: str):
        return getattr(self._prepared, name)

    def solve(self, *question, cold: bool, **options):
        answer = self._prepared.solve(*question, cold=cold, **options)
        return self._falsify(*answer, cold)


class FalsifiedPath(Falsified):
    def solve_many(self, Cs):
        return [self.solve(C, cold=False) for C in Cs.tolist()]


class FalsifiedSearch(Falsified):
    def ranges(self, weights):
        return [full_range(self, k) for k in weights]

    def relevances(self, weights):
        return [relevance_range(self, k) for k in weights]

    def appended(self, columns, price, asked=None):
        assert asked is None
        return [self._with(each, price) for each in columns]

    def _with(self, columns, price):
        space = self.feasible.space.with_columns(columns, price)
        among = FalsifiedSearch(
            Simplex().prepare(self.feasible.over(space), self.start), self._falsify
        )
        return among.relevances(range(self.feasible.space.n_weights, space.n_weights))


def honest(model: Model, multipliers: Array, cold: bool):
    return model, multipliers


def too_large(model: Model, multipliers: Array, cold: bool):
    """Weights that break the budget."""
    return Model(2 * model.weights, model.offsets), multipliers


def too_small(model: Model, multipliers: Array, cold: bool):
    """A good model, but not the one that reaches furthest."""
    return Model(0.5 * model.weights, model.offsets), multipliers


def unproved(model: Model, multipliers: Array, cold: bool):
    """The right model with prices that prove nothing."""
    return model, 0 * multipliers


def wrong_when_warm(model: Model, multipliers: Array, cold: bool):
    """What HiGHS issues #3194 and #3294 report."""
    return honest(model, multipliers, cold) if cold else too_small(model, multipliers, cold)


def install(monkeypatch: pytest.MonkeyPatch, *, ranges=honest, baselines=honest) -> None:
    """Offer ``engine="faulty"``."""

    class Faulty(Simplex):
        def prepare(self, feasible, start=None):
            return FalsifiedSearch(super().prepare(feasible, start), ranges)

        def path(self, space):
            return FalsifiedPath(super().path(space), baselines)

    monkeypatch.setitem(ENGINES, "faulty", Faulty)


@pytest.mark.parametrize("task", ESTIMATORS)
@pytest.mark.parametrize("fault", [too_large, too_small, unproved])
@pytest.mark.parametrize(
    ("faulty_part", "message"),
    [
        ("ranges", "value of weight \\d+ could not be proved"),
        ("baselines", "The best model at C=1 could not be proved"),
    ],
)
def test_wrong_answers_are_refused(
    monkeypatch: pytest.MonkeyPatch, faulty_part: str, message: str, fault, task: str
) -> None:
    install(monkeypatch, **{faulty_part: fault})
    X, y, _ = table(task)
    model = estimator(task, engine="faulty")
    before = dict(vars(model))
    with pytest.raises(SolverError, match=message):
        model.fit(X, y)
    assert vars(model) == before


UNEVEN = ModelSpace.unpriced(
    np.zeros((9, 1)), OrdinalProblem().margin_rows(np.repeat([0.0, 1.0, 2.0], [4, 1, 4]))
)
"""Without information, 4 + 1 + 4 samples of three classes want ``b_0 = 1`` and ``b_1 = -1``.

That would cost 4, both of the middle one's margins missed by 2. In order it costs 10 for every
``b_0 = b_1`` between -1 and 1: that one's 2, and 8 of the others.
"""


def out_of_order(model: Model, multipliers: Array, cold: bool):
    return Model(np.zeros(1), np.array([1.0, -1.0])), multipliers


def out_of_order_when_warm(model: Model, multipliers: Array, cold: bool):
    return honest(model, multipliers, cold) if cold else out_of_order(model, multipliers, cold)


def test_best_model_keeps_the_order_whatever_the_engine_says_first() -> None:
    """Offsets out of order cost less than any in order, so that no gap gives them away."""
    assert UNEVEN.loss(Model(np.zeros(1), np.array([1.0, -1.0]))) == 4
    found = best_model(FalsifiedPath(Simplex().path(UNEVEN), out_of_order_when_warm), C=1.0)
    first, second = found.model.offsets
    assert first <= second
    assert found.loss == pytest.approx(10)


def test_best_model_that_stays_out_of_order_is_refused() -> None:
    with pytest.raises(SolverError, match="The best model at C=1 could not be proved"):
        best_model(FalsifiedPath(Simplex().path(UNEVEN), out_of_order), C=1.0)


def test_answers_that_are_wrong_only_when_warm_are_put_right(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    install(monkeypatch, ranges=wrong_when_warm, baselines=wrong_when_warm)
    X, y, _ = table()
    faulty, sound = (estimator("ordinal", engine=each).fit(X, y) for each in ("faulty", "simplex"))
    # Both are proved to 1e-7 of the norm, but may end in different vertices.
    np.testing.assert_allclose(faulty.intervals_, sound.intervals_, rtol=0, atol=1e-6)


# An interrupted fit


@pytest.fixture
def interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while probes are solved."""

    def interrupt(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("relbounds.method.measuring.solve_probes", interrupt)


@pytest.mark.usefixtures("interrupted")
def test_an_interrupted_first_fit_leaves_an_unfitted_estimator() -> None:
    X, y, _ = table()
    model = OrdinalRelevance(**FIXED)
    before = dict(vars(model))
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert vars(model) == before
    with pytest.raises(ValueError, match="not fitted yet"):
        model.predict(X)


def test_an_interrupted_refit_leaves_the_first_fit(request: pytest.FixtureRequest) -> None:
    X, y, _ = table()
    model = OrdinalRelevance(**FIXED).fit(X, y)
    before, predicted = dict(vars(model)), model.predict(X)
    request.getfixturevalue("interrupted")
    with pytest.raises(KeyboardInterrupt):
        model.fit(X[:, :3], 4 - y)
    assert vars(model) == before
    np.testing.assert_array_equal(model.predict(X), predicted)


LONG_FIT = """
    import signal
    import sys
    import numpy as np
    from joblib import parallel_config
    from relbounds import OrdinalRelevance

    signal.signal(signal.SIGINT, signal.default_int_handler)  # tests in the background ignore it
    rng = np.random.RandomState(0)
    X = rng.standard_normal((600, 60))
    y = np.digitize(X[:, 0] + X[:, 1] + rng.standard_normal(600), [-1, 0, 1])
    with parallel_config(sys.argv[1]):
        OrdinalRelevance(C=1.0, n_probes=10, n_jobs=2).fit(X[:50, :8], y[:50])
        print("workers are there", flush=True)
        OrdinalRelevance(C=1.0, n_probes=100_000, n_jobs=2).fit(X, y)
"""


def processes_of_session(session: int) -> list[str]:
    """Command lines of the processes that belong to a session and still run."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, _, _, its_session = (folder / "stat").read_text().rpartition(")")[2].split()[:4]
            if int(its_session) == session and state != "Z":
                found.append((folder / "cmdline").read_text().replace("\0", " "))
        except (FileNotFoundError, ProcessLookupError):  # ended while we looked
            continue
    return found


def wait_until_none(session: int, seconds: float) -> list[str]:
    """What still runs once there is nothing left or the time is up."""
    end = time.monotonic() + seconds
    while (left := processes_of_session(session)) and time.monotonic() < end:
        time.sleep(0.05)
    return left


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads Linux's list of processes")
@pytest.mark.parametrize(
    ("reached", "backend"),
    [
        ("the first process", "threading"),
        pytest.param("the whole group", "loky", marks=pytest.mark.slow),
        pytest.param("the first process", "loky", marks=pytest.mark.slow),
        pytest.param("the whole group", "threading", marks=pytest.mark.slow),
    ],
)
def test_ctrl_c_ends_a_parallel_fit_and_leaves_no_process(reached: str, backend: str) -> None:
    """A terminal signals the whole group, an editor's stop button the first process."""
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(LONG_FIT), backend],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            assert process.stdout.readline() == "workers are there\n"
            time.sleep(0.5)  # into the long fit
            assert (len(processes_of_session(process.pid)) > 1) == (backend == "loky")
            if reached == "the whole group":
                os.killpg(process.pid, signal.SIGINT)
            else:
                process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)  # it takes 0.3 s on a quiet machine
            assert process.returncode == -signal.SIGINT
            assert "KeyboardInterrupt" in errors
            assert wait_until_none(process.pid, seconds=30) == []
        finally:
            if processes_of_session(process.pid):
                os.killpg(process.pid, signal.SIGKILL)
