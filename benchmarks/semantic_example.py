"""The paper's example of a teacher who knows which samples are hard, over seeds.

Three strong features have noise (0.1, 0.5, 2) in a group of samples each; the privileged features
are that noise. 400 samples, five classes of equal size, explicit order, all settings at their
defaults unless told otherwise. Prints a line for each seed, and how many show the paper's picture.

    python benchmarks/semantic_example.py [--seeds 10] [--slack privileged] [--probes append]
                                          [--tolerance auto] [--jobs 2]
"""

import argparse
import warnings

import numpy as np
import pandas as pd
from joblib import Parallel, delayed

from relbounds import OrdinalRelevance
from relbounds.datasets import make_semantic
from relbounds.exceptions import DegenerateModelWarning


def one_run(seed: int, settings: dict[str, object]) -> dict[str, object]:
    data = make_semantic(random_state=seed)
    model = OrdinalRelevance(random_state=seed, **settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateModelWarning)  # counted below
        model.fit(data.X, data.y, data.X_priv)
    told = model.result_.privileged
    return {
        "seed": seed,
        "collapsed": model.result_.is_degenerate,
        "regular": model.relevance_.tolist(),
        "privileged": model.relevance_priv_.tolist(),
        "maxrel": told.intervals[:, 1].round(3).tolist(),
        "minrel": told.intervals[:, 0].round(3).tolist(),
        "threshold": round(told.thresholds.maxrel, 3) if told.thresholds else None,
        "needed": told.needed.astype(int).tolist(),
        "regular needed": model.result_.needed.astype(int).tolist(),
        "mmae": round(-model.score(data.X, data.y), 3),
        "seconds": round(sum(model.result_.seconds.values()), 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--slack", default="privileged")
    parser.add_argument("--free-slack-price", type=float)
    parser.add_argument("--probes", default="append")
    parser.add_argument("--tolerance", default="auto")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    tolerance = arguments.tolerance
    settings = {
        "slack": arguments.slack,
        "free_slack_price": arguments.free_slack_price,
        "probes": arguments.probes,
        "tolerance": tolerance if tolerance == "auto" else float(tolerance),
    }
    runs = pd.DataFrame(
        Parallel(n_jobs=arguments.jobs)(
            delayed(one_run)(seed, settings) for seed in range(arguments.seeds)
        )
    )
    print(settings)
    print(runs.to_string(index=False))
    learned = runs[~runs["collapsed"]]
    as_in_the_paper = {
        "strong features strong, others irrelevant": learned["regular"].map(
            lambda found: found == [2, 2, 2, 0, 0, 0]
        ),
        "privileged maxrel ascends with the noise": learned["maxrel"].map(
            lambda found: bool(np.all(np.diff(found) > 0))
        ),
        "noise 0.5 and 2 relevant": learned["privileged"].map(lambda found: min(found[1:]) > 0),
        "noise 0.1 relevant": learned["privileged"].map(lambda found: found[0] > 0),
        "every good model needs noise 0.1": learned["needed"].map(lambda found: found[0] == 1),
        "no idle feature needed": learned["regular needed"].map(lambda found: not any(found[3:])),
    }
    print(f"\ncollapsed: {runs['collapsed'].sum()} of {len(runs)}; of the others:")
    for what, holds in as_in_the_paper.items():
        print(f"  {what}: {int(holds.sum())} of {len(learned)}")


if __name__ == "__main__":
    main()
