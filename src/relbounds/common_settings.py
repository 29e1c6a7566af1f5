"""Which settings do all estimators have, and do they fit together?"""

from typing import Any

from relbounds import settings
from relbounds.decision import SELECTIONS
from relbounds.engine import ENGINES
from relbounds.probes import FEWEST_PROBES, PROBE_MODES

SLACKS = ("privileged", "mixed")


def check_settings(asked: Any) -> None:
    """Refuse what an estimator was asked for, if it makes no sense."""
    settings.one_of("budget", asked.budget, ("split", "joint"))
    settings.one_of("probes", asked.probes, PROBE_MODES)
    settings.one_of("engine", asked.engine, ENGINES)
    settings.one_of("standardize", asked.standardize, (True, False))
    settings.one_of("slack", asked.slack, SLACKS)
    if asked.C is not None:
        settings.positive("C", asked.C)
    if asked.gamma is not None:
        settings.positive("gamma", asked.gamma)
    if asked.free_slack_price is not None:
        settings.at_least("free_slack_price", asked.free_slack_price, 1, " or None")
        if asked.slack != "mixed":
            raise ValueError(
                "free_slack_price is for slack='mixed'; with slack='privileged' there is no "
                f"free slack. Leave it None; got {asked.free_slack_price!r}."
            )
    if asked.tolerance != "auto":
        settings.at_least("tolerance", asked.tolerance, 0, " or 'auto'")
    if asked.loss_tolerance not in (None, "auto"):
        settings.at_least("loss_tolerance", asked.loss_tolerance, 0, ", 'auto' or None")
    if asked.budget == "joint" and asked.loss_tolerance is not None:
        raise ValueError(
            "loss_tolerance is for budget='split'; a joint budget has one tolerance for norm "
            f"and loss together. Leave it None; got {asked.loss_tolerance!r}."
        )
    settings.share("confidence", asked.confidence)
    settings.one_of("selection", asked.selection, SELECTIONS)
    settings.share("level", asked.level)
    settings.whole("n_probes", asked.n_probes, FEWEST_PROBES, " to tell relevance from chance")
    settings.whole("min_features", asked.min_features, 0)
