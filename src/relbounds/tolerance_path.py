"""How does the answer depend on how much worse than the best a good model may be?"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from relbounds import settings
from relbounds.absence import prices
from relbounds.arrays import FloatArray, IntArray
from relbounds.baseline import GoodnessRule
from relbounds.decision import Relevance
from relbounds.intervals import weight_ranges
from relbounds.parallel import Workers
from relbounds.probes import ProbeSetting, solve_probes
from relbounds.records import Record
from relbounds.result import RelevanceResult
from relbounds.study import Study, of_features
from relbounds.what_if import learned_body

TOLERANCES = (0.0, 0.001, 0.003, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0)
_SEED = 0
_SAME = 1e-9


@dataclass(frozen=True, eq=False)
class RelevancePath(Record):
    """Intervals and classes of regular features along the tolerance.

    Attributes
    ----------
    feature_names : tuple of str
    tolerances : (t,) array
        Of norm and loss alike. The one of the fit has the fit's own result, others the same probes
        among themselves.
    used : float
        The one of the fit.
    intervals : (t, d, 2) array
    thresholds : (t,) array
        What chance reaches with ``maxrel`` at each tolerance.
    relevance : (t, d) int array
    strong_until : (d,) array
        The tolerance from which on a good model does without a feature, exactly: its price. Zero
        if the best model does.
    """

    feature_names: tuple[str, ...]
    tolerances: FloatArray
    used: float
    intervals: FloatArray
    thresholds: FloatArray
    relevance: IntArray
    strong_until: FloatArray

    def to_frame(self) -> pd.DataFrame:
        """The class of each feature at each tolerance, and how long it is needed."""
        names = np.array([each.name.lower() for each in Relevance])
        table = pd.DataFrame(
            names[self.relevance].T,
            index=pd.Index(self.feature_names, name="feature"),
            columns=[f"{each:g}" for each in self.tolerances],
        )
        return table.assign(strong_until=self.strong_until)


def tolerance_path(
    study: Study, tolerances: Sequence[float] | None, workers: Workers
) -> RelevancePath:
    """The same best model, with more and less tolerance; the same probes for each."""
    learned_body(study)
    used = study.result.tolerances
    assert used is not None, "a body was learned"
    asked = [*_others(tolerances, used.norm), used.norm]
    asked.sort()
    results = [study.result if each == used.norm else _at(study, each, workers) for each in asked]
    d = len(study.result.feature_names)
    return RelevancePath(
        study.result.feature_names,
        np.array(asked),
        used.norm,
        np.array([each.intervals for each in results]),
        np.array([each.thresholds.maxrel for each in results if each.thresholds]),
        np.array([each.relevance for each in results]),
        prices(study, workers)["price"].to_numpy(dtype=np.float64)[:d],
    )


def _others(tolerances: Sequence[float] | None, used: float) -> list[float]:
    """What was asked for, beside the tolerance that was used."""
    asked = TOLERANCES if tolerances is None else tolerances
    for each in asked:
        settings.at_least("A tolerance", each, 0, "")
    return [float(each) for each in {*asked} if abs(each - used) > _SAME]


def _at(study: Study, tolerance: float, workers: Workers) -> RelevanceResult:
    """What would have been found with another tolerance."""
    rule = GoodnessRule(study.result.budget, tolerance)
    body, used = study.fit.good_models(rule, study.sampled.weight)
    start = study.engine.prepare(body).start
    ranges = weight_ranges(study.engine, body, start, workers)
    ends, gaps = of_features(study.fit, study.varying, 0, ranges)
    probes = study.result.probes
    assert probes is not None, "a body was learned"
    found = solve_probes(
        ProbeSetting(study.engine, study.fit, body, start, study.sampled.weight, rule),
        0,
        mode=probes.mode,
        n_probes=probes.asked,
        random_state=np.random.RandomState(_SEED),
        workers=workers,
    )
    return replace(
        study.result,
        weight_ranges=ends,
        certificate_gaps=gaps,
        probes=found,
        tolerances=used,
        privileged=None,
    )
