"""The same fit on a Dask cluster: real processes, the same digits, deaths that cost only time."""

import os
import runpy
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import worker_tasks
from joblib import parallel_config
from sklearn.model_selection import GridSearchCV
from small_fits import FIXED, PROBES, estimator, facts, privileged_table, table, told_estimator

from relbounds import OrdinalRelevance
from relbounds.exceptions import InfeasibleError
from relbounds.method.parallel import Workers

distributed = pytest.importorskip("distributed")

EXAMPLE = Path(__file__).parents[2] / "examples" / "on_a_cluster.py"


@pytest.fixture(scope="module")
def started() -> Iterator[Any]:
    """A client of two worker processes."""
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture
def client(started: Any) -> Iterator[Any]:
    """The same with joblib's tasks sent there; workers that a test has killed are back.

    Workers get clients of their own, for tasks that send tasks, while nothing else is going on:
    Dask's (2026.8) handshake fails if another message arrives with its answer.
    """
    started.wait_for_workers(2, timeout=30)
    for worker in started.scheduler_info()["workers"]:
        started.submit(worker_tasks.connected, workers=[worker], pure=False).result(timeout=30)
    with parallel_config("dask"):
        yield started


def test_answers_come_in_the_order_of_the_pieces_from_other_processes(client: Any) -> None:
    points = np.random.RandomState(0).standard_normal((30, 7))
    expected = [worker_tasks.weighted_sum(points, 2.0, k) for k in range(30)]
    assert Workers().map(worker_tasks.weighted_sum, (points, 2.0), range(30), "sums") == expected
    processes = Workers().map(worker_tasks.process, (), range(30), "processes")
    assert set(processes) == set(client.run(os.getpid).values())


@pytest.mark.usefixtures("client")
@pytest.mark.parametrize("task", ["ordinal", "classification", "regression"])
def test_a_fit_has_the_same_digits(task: str) -> None:
    X, y, _ = table(task)
    found = facts(estimator(task).fit(X, y))
    with parallel_config("sequential"):
        assert facts(estimator(task).fit(X, y)) == found


@pytest.mark.usefixtures("client")
def test_a_tuned_fit_has_the_same_digits() -> None:
    X, y, _ = table()
    found = facts(OrdinalRelevance(**PROBES).fit(X, y))
    with parallel_config("sequential"):
        assert facts(OrdinalRelevance(**PROBES).fit(X, y)) == found


@pytest.mark.usefixtures("client")
def test_a_fit_with_a_teacher_has_the_same_digits() -> None:
    data = privileged_table()
    found = facts(told_estimator("ordinal").fit(data.X, data.y, X_priv=data.X_priv))
    with parallel_config("sequential"):
        alone = told_estimator("ordinal").fit(data.X, data.y, X_priv=data.X_priv)
    assert facts(alone) == found


@pytest.mark.usefixtures("client")
def test_fits_inside_a_search_that_runs_on_the_cluster_do_not_wait_for_themselves() -> None:
    X, y, _ = table()
    search = GridSearchCV(OrdinalRelevance(**FIXED), {"C": [0.1, 1.0]}, cv=3)
    found = search.fit(X, y).cv_results_["mean_test_score"].tolist()
    with parallel_config("sequential"):
        assert search.fit(X, y).cv_results_["mean_test_score"].tolist() == found


@pytest.mark.usefixtures("client")
def test_what_is_shared_reaches_each_worker_once() -> None:
    found = Workers().map(worker_tasks.arrivals, (worker_tasks.Courier(),), range(40), "couriers")
    assert len(dict(found)) == 2
    assert {count for _, count in found} == {1}


@pytest.mark.usefixtures("client")
def test_arrays_are_where_numpy_would_put_them() -> None:
    """Elsewhere sums are taken in another order. Dask's own way of sending does not care."""
    shared = (np.ones(1001), np.ones((100, 6)))
    found = Workers().map(worker_tasks.aligned, shared, [np.ones(100)] * 40, "addresses")
    assert len({process for process, _ in found}) == 2
    assert all(is_aligned for _, is_aligned in found)


@pytest.mark.usefixtures("client")
def test_large_data_are_shipped_without_a_warning() -> None:
    points = np.ones((4, 1_000_000))  # 32 MB; Dask warns of 10 MB within a task
    found = Workers().map(worker_tasks.weighted_sum, (points, 1.0), range(4), "sums")
    assert found == [1e6] * 4


def test_nothing_stays_on_the_cluster(client: Any) -> None:
    Workers().map(worker_tasks.process, (), range(6), "processes")
    wait_until(lambda: not client.run_on_scheduler(tasks_of), "tasks are forgotten")


@pytest.mark.usefixtures("client")
def test_blas_has_one_thread() -> None:
    assert Workers().map(worker_tasks.blas_threads, (), range(6), "threads") == [{1}] * 6


@pytest.mark.usefixtures("client")
def test_an_error_reaches_the_caller_as_it_is_and_the_cluster_lives_on() -> None:
    with pytest.raises(InfeasibleError, match=r"^piece 3 cannot be$"):
        Workers().map(worker_tasks.fail_at, (3,), range(6), "failures")
    assert Workers().map(worker_tasks.fail_at, (9,), range(6), "no failures") == list(range(6))


@pytest.mark.usefixtures("client")
def test_workers_that_die_in_their_tasks_lose_nothing(tmp_path: Path) -> None:
    """Both workers are killed, so that every copy of what is shared is lost on the way."""
    points = np.random.RandomState(0).standard_normal(100_000)
    pieces = [np.full(1000, k) for k in range(8)]
    found = Workers().map(worker_tasks.die_once, (tmp_path, points), pieces, "deaths")
    assert found == [float((points + k).sum()) for k in range(8)]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["0", "1"]


def tasks_of(dask_scheduler: Any) -> list[str]:
    """What a scheduler knows of."""
    return [str(key) for key in dask_scheduler.tasks]


def busy_with_probes(dask_scheduler: Any) -> tuple[int, list[str]]:
    """How many pieces of the probes are done, and the addresses of workers that are at others."""
    done = dask_scheduler.task_prefixes.get("probes")
    busy = [
        worker.address
        for worker in dask_scheduler.workers.values()
        if any("probes" in task.key for task in worker.processing)
    ]
    return (done.state_counts["memory"] if done else 0), busy


def wait_until(condition: Any, what: str, seconds: float = 30) -> Any:
    """The first true value of a condition."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.005)
    raise TimeoutError(f"{what}: not within {seconds} s")


class Killer(threading.Thread):
    """Kills a worker that is busy with probes once some of them are done."""

    def __init__(self, client: Any) -> None:
        super().__init__()
        self.client = client
        self.pids: dict[str, int] = client.run(os.getpid)
        self.done_before = self.look()[0]
        self.done_at_death = -1
        self.victim = ""

    def look(self) -> tuple[int, list[str]]:
        found: tuple[int, list[str]] = self.client.run_on_scheduler(busy_with_probes)
        return found

    def opportunity(self) -> tuple[int, str] | None:
        done, busy = self.look()
        return (done - self.done_before, busy[0]) if busy and done > self.done_before else None

    def run(self) -> None:
        self.done_at_death, self.victim = wait_until(self.opportunity, "some probes are done")
        os.kill(self.pids[self.victim], signal.SIGKILL)


@pytest.mark.slow
def test_a_worker_killed_in_the_middle_of_a_fit_costs_nothing_but_time(client: Any) -> None:
    X, y, _ = table(n_samples=200, n_irrelevant=14)
    model = OrdinalRelevance(C=0.05, tolerance=0.1, n_probes=200, random_state=0)
    killer = Killer(client)
    killer.start()
    found = facts(model.fit(X, y))
    killer.join()
    assert 0 < killer.done_at_death < 30  # of 40 pieces
    assert killer.pids[killer.victim] not in client.run(os.getpid).values()
    with parallel_config("sequential"):
        assert facts(model.fit(X, y)) == found


@pytest.mark.slow
def test_the_example_runs_on_a_given_cluster(
    client: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [str(EXAMPLE), client.scheduler.address])
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    printed = capsys.readouterr().out
    assert "2 cores of 2 workers" in printed
    assert printed.count("strong") == 3


@pytest.mark.slow
def test_the_example_starts_a_cluster_of_its_own() -> None:
    printed = subprocess.run(
        [sys.executable, str(EXAMPLE)], check=True, capture_output=True, text=True
    ).stdout
    assert "2 cores of 2 workers" in printed
    assert printed.count("strong") == 3
