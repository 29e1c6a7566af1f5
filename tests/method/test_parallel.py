"""The same answers on every number and kind of workers, and nothing copied that can be shared."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import worker_tasks
from joblib import parallel_config
from scipy import sparse
from small_fits import PROBES, estimator, facts, privileged_table, table, told_estimator
from threadpoolctl import threadpool_limits

from relbounds import OrdinalRelevance
from relbounds.engine import MarginRows, ModelSpace
from relbounds.exceptions import InfeasibleError
from relbounds.method import analysis, measuring
from relbounds.method.parallel import Workers, chunks
from relbounds.method.threads import FIRST, LATER, Threads
from relbounds.questions import what_if

SERIAL = Workers(n_jobs=1)
TWO = Workers(n_jobs=2)
BACKENDS = ["threading", "loky", pytest.param("multiprocessing", marks=pytest.mark.slow)]


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> str:
    """The name of a backend of joblib."""
    return str(request.param)


def large_space() -> ModelSpace:
    """A space whose arrays are large, except for the prices."""
    n = 20_000
    rows = MarginRows(
        point=np.arange(n),
        sign=np.ones(n),
        offset_matrix=sparse.csr_array(np.ones((n, 1))),
        margin=np.ones(n),
        weight=np.ones(n),
        surplus_weight=np.zeros(n),
    )
    return ModelSpace.unpriced(np.ones((n, 3)), rows)


def test_answers_come_in_the_order_of_the_pieces(backend: str) -> None:
    points = np.random.RandomState(0).standard_normal((30, 7))
    expected = [worker_tasks.weighted_sum(points, 2.0, k) for k in range(30)]
    with parallel_config(backend):
        assert TWO.map(worker_tasks.weighted_sum, (points, 2.0), range(30), "sums") == expected
    assert SERIAL.map(worker_tasks.weighted_sum, (points, 2.0), range(30), "sums") == expected


def test_no_pieces_give_no_answers(backend: str) -> None:
    with parallel_config(backend):
        assert TWO.map(worker_tasks.process, (), [], "nothing") == []


def fitted_alone(n_jobs: int) -> OrdinalRelevance:
    X, y, _ = table()
    return OrdinalRelevance(**PROBES, n_jobs=n_jobs).fit(X, y)


def fitted_with_a_teacher(n_jobs: int) -> OrdinalRelevance:
    data = privileged_table()
    return told_estimator("ordinal", n_jobs=n_jobs).fit(data.X, data.y, X_priv=data.X_priv)


@pytest.mark.parametrize("fitted", [fitted_alone, fitted_with_a_teacher])
def test_a_fit_has_the_same_digits_on_every_backend(
    fitted: Callable[[int], Any], backend: str
) -> None:
    with parallel_config(backend):
        found = facts(fitted(2))
    assert found == facts(fitted(1))


def test_further_questions_have_the_same_digits_on_every_backend(backend: str) -> None:
    model = fitted_alone(1)
    of_two = {"pair": ["x2", "x3"], "idle": ["x4", "x5"], "all": list(range(6))}
    expected = model.blocks(of_two).to_dict(), model.redundancy().to_dict()
    model.set_params(n_jobs=2)
    with parallel_config(backend):
        assert (model.blocks(of_two).to_dict(), model.redundancy().to_dict()) == expected


@pytest.mark.parametrize("question", ["blocks", "redundancy"])
def test_further_questions_are_asked_of_all_workers(
    monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    model = fitted_alone(1).set_params(n_jobs=2)
    asked = {"pair": ["x2", "x3"], "idle": ["x4", "x5"]}
    at_work, as_it_is = [], Workers.map

    def spied(self: Workers, *what: Any) -> list[Any]:
        at_work.append(self.n_jobs)
        return as_it_is(self, *what)

    monkeypatch.setattr(Workers, "map", spied)
    getattr(model, question)(*([asked] if question == "blocks" else []))
    assert set(at_work) == {2}


@pytest.mark.parametrize("task", ["ordinal", "classification", "regression"])
def test_a_table_that_is_shared_as_a_file_gives_the_same_digits(task: str) -> None:
    X, y, _ = table(task, n_samples=3000)
    alone = estimator(task, C=1e-3).fit(X, y)
    with parallel_config("loky"):
        together = estimator(task, C=1e-3, n_jobs=2).fit(X, y)
    assert facts(together) == facts(alone)


def test_workers_are_threads_unless_the_user_chooses() -> None:
    assert set(TWO.map(worker_tasks.process, (), range(8), "processes")) == {os.getpid()}
    with parallel_config("loky"):
        assert os.getpid() not in TWO.map(worker_tasks.process, (), range(8), "processes")


@pytest.mark.parametrize("context", [{"n_jobs": 2}, {"backend": "threading", "n_jobs": 2}])
def test_n_jobs_of_joblibs_context_counts(context: dict[str, Any]) -> None:
    """Tasks that wait for one another end only if they run at the same time."""
    with parallel_config(**context):
        met = Workers().map(worker_tasks.meet, (threading.Barrier(2),), range(2), "meetings")
    assert sorted(met) == [0, 1]


def test_n_jobs_of_the_workers_goes_before_joblibs_context() -> None:
    with parallel_config(n_jobs=1):
        met = TWO.map(worker_tasks.meet, (threading.Barrier(2),), range(2), "meetings")
    assert sorted(met) == [0, 1]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_nothing_is_copied_within_a_process(n_jobs: int) -> None:
    points = np.ones(1_000_000)
    found = Workers(n_jobs).map(worker_tasks.address, (points,), range(6), "addresses")
    assert set(found) == {points.ctypes.data}


@pytest.mark.parametrize("processes", ["loky", "multiprocessing"])
def test_large_arrays_are_mapped_and_not_copied_into_processes(processes: str) -> None:
    with parallel_config(processes):
        found = TWO.map(worker_tasks.files, (large_space(),), range(6), "files")
    first = found[0]
    assert all(each == first for each in found)  # one file, whichever process looks
    assert first["prices"] is None
    del first["prices"]
    assert None not in first.values()
    assert not [name for name in first.values() if Path(str(name)).exists()]  # tidied up


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_blas_has_one_thread_in_a_task_and_its_own_number_afterwards(n_jobs: int) -> None:
    with threadpool_limits(limits=2, user_api="blas"):
        found = Workers(n_jobs).map(worker_tasks.blas_threads, (), range(20), "threads")
        assert worker_tasks.blas_threads(0) == {2}
    assert found == [{1}] * 20


def test_blas_has_one_thread_in_other_processes() -> None:
    with parallel_config("loky", inner_max_num_threads=2):
        assert TWO.map(worker_tasks.blas_threads, (), range(4), "threads") == [{1}] * 4


def test_blas_has_its_own_number_of_threads_after_an_error() -> None:
    with threadpool_limits(limits=2, user_api="blas"):
        with pytest.raises(InfeasibleError):
            TWO.map(worker_tasks.fail_at, (3,), range(6), "failures")
        assert worker_tasks.blas_threads(0) == {2}


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_blas_wakes_no_second_thread_between_tasks(
    n_jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread that is woken once waits busily, on the core that another worker needs."""
    seen: list[set[int]] = []

    def decide(*given: Any, **named: Any) -> Any:
        seen.append(worker_tasks.blas_threads(0))
        return measuring.decide(*given, **named)

    for module in (analysis, what_if):
        monkeypatch.setattr(module, "decide", decide)
    with threadpool_limits(limits=2, user_api="blas"):
        sample = table()
        model = estimator("ordinal", n_jobs=n_jobs).fit(sample.X, sample.y)
        model.what_if({0: "positive"})
        assert worker_tasks.blas_threads(0) == {2}
    assert seen == [{1}] * 2


# Not "multiprocessing": joblib ends its pool after an error, and CPython's Pool.terminate can wait
# for ever then (seen once, on a busy machine).
@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_an_error_reaches_the_caller_as_it_is(backend: str) -> None:
    with parallel_config(backend), pytest.raises(InfeasibleError, match=r"^piece 3 cannot be$"):
        TWO.map(worker_tasks.fail_at, (3,), range(6), "failures")


def threads_of_pools() -> list[str]:
    return [
        each.name
        for each in threading.enumerate()
        if each.name.startswith(("ThreadPoolExecutor", "relbounds worker"))
    ]


def test_no_task_outlives_an_error_in_a_thread() -> None:
    with pytest.raises(InfeasibleError):
        TWO.map(worker_tasks.fail_at, (0,), range(1000), "failures")
    assert not threads_of_pools()


def sums(workers: Workers, factor: float) -> list[float]:
    """A stage that adds up six lines of ones."""
    return workers.map(worker_tasks.weighted_sum, (np.ones((6, 3)), factor), range(6), "sums")


@pytest.mark.parametrize("workers", [SERIAL, TWO], ids=["serial", "two"])
def test_stages_that_share_workers_give_what_each_gives(workers: Workers, backend: str) -> None:
    with parallel_config(backend), workers.shared() as shared:
        found = [shared.begin(sums, shared, factor) for factor in (1.0, 2.0)]
        assert [each() for each in found] == [[3.0] * 6, [6.0] * 6]
    assert not threads_of_pools()


def test_stages_on_threads_begin_before_others_end() -> None:
    """The first stage waits for the last, which would never begin if one came after the other."""
    begun = threading.Event()
    with TWO.shared() as workers:
        waited = workers.begin(workers.call, begun.wait, 60)
        workers.call(begun.set)
        assert waited()


def test_stages_share_as_many_threads_as_there_are_workers() -> None:
    def stage(workers: Workers) -> list[str]:
        return workers.map(lambda piece: threading.current_thread().name, (), range(20), "names")

    with TWO.shared() as workers:
        names = [workers.begin(stage, workers) for _ in range(3)]
        assert len({name for each in names for name in each()}) <= 2


def test_what_can_wait_is_also_done_if_nothing_else_comes() -> None:
    with TWO.shared() as workers:
        assert workers.begin(workers.later.call, max, 1, 2)() == 2


def test_tasks_are_begun_by_rank_and_then_in_the_order_they_came() -> None:
    order: list[int] = []
    threads = Threads(1)
    blocked = threading.Event()
    futures = [threads.submit(FIRST, blocked.wait, 60)]
    for number, rank in enumerate([LATER, FIRST, LATER, FIRST]):
        futures.append(threads.submit(rank, order.append, number))
    blocked.set()
    for each in futures:
        each.result()
    threads.shutdown()
    assert order == [1, 3, 0, 2]


def test_threads_that_were_shut_down_take_no_task() -> None:
    threads = Threads(2)
    given_up = threads.submit(LATER, print)
    threads.shutdown()
    assert given_up.cancelled()
    with pytest.raises(RuntimeError, match="shut down"):
        threads.submit(FIRST, print)


def test_a_task_alone_is_done_here_unless_stages_share_workers() -> None:
    assert TWO.call(threading.get_ident) == threading.get_ident()
    with TWO.shared() as workers:
        assert workers.call(threading.get_ident) != threading.get_ident()


@pytest.mark.parametrize("workers", [SERIAL, TWO], ids=["serial", "two"])
def test_an_error_of_a_stage_is_that_of_whoever_asks_for_it(workers: Workers) -> None:
    def failing(workers: Workers) -> list[int]:
        return workers.map(worker_tasks.fail_at, (700,), range(1000), "failures")

    with (
        pytest.raises(InfeasibleError, match=r"^piece 700 cannot be$"),
        workers.shared() as shared,
    ):
        shared.begin(failing, shared)()
    assert not threads_of_pools()


def test_no_stage_goes_on_after_an_error_elsewhere() -> None:
    """One waits for a task that is given up, another would ask for more when there is nobody."""
    busy, ended = threading.Event(), []

    def stage(workers: Workers) -> None:
        for _ in range(1000):
            workers.map(worker_tasks.process, (), range(10), "processes")
            busy.set()
        ended.append("all done")

    def failing_meanwhile() -> None:
        with TWO.shared() as workers:
            workers.begin(stage, workers)
            assert busy.wait(60)
            workers.map(worker_tasks.fail_at, (0,), range(10), "failures")

    with pytest.raises(InfeasibleError):
        failing_meanwhile()
    assert not threads_of_pools()
    assert not ended


def test_no_workers_at_all_are_refused(backend: str) -> None:
    with parallel_config(backend), pytest.raises(ValueError, match="n_jobs == 0"):
        Workers(n_jobs=0).map(worker_tasks.process, (), range(2), "processes")


def test_a_bar_shows_how_far_the_work_is(capsys: pytest.CaptureFixture[str]) -> None:
    Workers(n_jobs=2, verbose=1).map(worker_tasks.process, (), range(6), "processes")
    assert "processes: 100%" in capsys.readouterr().err


def test_chunks_are_consecutive_and_leave_nothing_out() -> None:
    assert chunks(range(7), 3) == [range(1), range(1, 3), range(3, 5), range(5, 7)]
    assert chunks(range(0), 3) == []
    for n_items, size in product(range(1, 40), range(1, 12)):
        pieces = chunks(range(n_items), size)
        lengths = [len(piece) for piece in pieces]
        assert [item for piece in pieces for item in piece] == list(range(n_items))
        assert max(lengths) <= size
        assert min(lengths) >= max(1, max(lengths) - 1)


def test_blocks_are_even_in_number_unless_there_is_one() -> None:
    """Two workers then have as much to do; and there are no more than that takes."""
    for n_items, size in product(range(1, 40), range(1, 12)):
        n_pieces = len(chunks(range(n_items), size))
        assert n_pieces == 1 if n_items <= size else n_pieces % 2 == 0 or n_pieces == n_items
        assert n_pieces <= 1 or (n_pieces - 2) * size < n_items


WITHOUT_DASK = """
import sys
import numpy as np
from relbounds import OrdinalRelevance

X = np.random.RandomState(0).standard_normal((60, 3))
OrdinalRelevance(C=1.0, n_probes=10, n_jobs=2).fit(X, (X[:, 0] > 0) * 1)
assert not {"dask", "distributed"} & set(sys.modules)
"""


def test_dask_is_not_imported_unless_it_is_used() -> None:
    subprocess.run([sys.executable, "-W", "error", "-c", WITHOUT_DASK], check=True)
