"""What is asked of the data?"""

from dataclasses import dataclass

from relbounds.method.decision import ChanceRule
from relbounds.method.tolerance import GoodnessRule
from relbounds.problems import Problem


@dataclass(frozen=True)
class Question:
    """All that a user may set, and that the answer depends on.

    Attributes
    ----------
    task : str
    problems : tuple of Problem
        The learning problems to choose from.
    C : float or None
        None: to be tuned.
    gammas : tuple
        What gamma may be; None alone if there are no privileged features.
    slack : str or None
        "privileged" or "mixed"; None if there are no privileged features.
    free_slack_price : float or None
        What free slack costs with mixed slacks; None: from the data.
    rule : GoodnessRule
        What a good model is.
    probes : str
        How a probe enters the model,
    n_probes : int
        and how many are drawn at least.
    chance : ChanceRule
        What counts as more than chance.
    """

    task: str
    problems: tuple[Problem, ...]
    C: float | None
    gammas: tuple[float | None, ...]
    slack: str | None
    free_slack_price: float | None
    rule: GoodnessRule
    probes: str
    n_probes: int
    chance: ChanceRule

    @property
    def is_open(self) -> bool:
        """Whether anything is left to tune."""
        return self.C is None or len(self.gammas) > 1 or len(self.problems) > 1
