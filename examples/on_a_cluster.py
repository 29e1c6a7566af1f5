"""Which of many features does an outcome need? The fit runs on a Dask cluster.

python examples/on_a_cluster.py                         # two processes of this machine
python examples/on_a_cluster.py tcp://head-node:8786    # the cluster of that scheduler
"""

import argparse
from contextlib import ExitStack

from dask.distributed import Client, LocalCluster
from joblib import parallel_config

from relbounds import OrdinalRelevance
from relbounds.datasets import make_ordinal


def connected(address: str | None, open_until_the_end: ExitStack) -> Client:
    """A client of the scheduler at an address, or of two processes of this machine."""
    if address is None:
        address = open_until_the_end.enter_context(
            LocalCluster(
                n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0"
            )
        )
    return open_until_the_end.enter_context(Client(address))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("address", nargs="?", help="of a scheduler, such as tcp://head-node:8786")
    asked = parser.parse_args()

    X, y, _ = make_ordinal(
        300, n_strong=3, weak_groups=(2, 2), n_irrelevant=13, noise=0.3, random_state=0
    )
    with ExitStack() as open_until_the_end:
        client = connected(asked.address, open_until_the_end)
        print(f"{sum(client.ncores().values())} cores of {len(client.ncores())} workers")
        with parallel_config("dask"):
            model = OrdinalRelevance(random_state=0).fit(X, y)
    print(model.result_.to_frame().to_string(index=False, float_format="%.2f"))


if __name__ == "__main__":  # Dask's processes import this file
    main()
