"""By which rule is a feature called relevant, and with which error rate?

Knows no results, so that the help of the command line need not wait for them.
"""

RULES = {
    "evidence": "each feature by itself, with the confidence of the fit",
    "fdr": "a false discovery rate over all features",
    "fwer": "a probability of any false discovery among all features",
    "probe": "the paper's: more weight in good models than permuted columns get, nothing else",
}
"""What each selection goes by, in a few words."""


def rule(selection: str, confidence: float, level: float, kinds: str = "three") -> str:
    """What had to be proved for a feature to be called relevant, and with which error."""
    alarm, rate = share(1 - confidence), share(level)
    needed = (
        f"Needed is what adds to all others, with a false discovery rate of at most {rate} over "
        "all features."
    )
    if selection == "probe":
        return (
            "The paper's rule: relevant is what good models can give more weight than a permuted "
            f"column gets with a probability of {share(confidence)}; other evidence does not "
            f"count. {needed}"
        )
    if selection == "fdr":
        return (
            f"Of all features called relevant, at most {rate} are expected to be of no use; the "
            "same holds for those called needed."
        )
    if selection == "fwer":
        return (
            f"With a probability of {share(1 - level)}, none of the features called relevant is of "
            "no use; the same holds for those called needed."
        )
    return (
        f"Relevant is what one of the {kinds} kinds of evidence proves: a feature that is of no "
        f"use passes each with a probability of at most {alarm}. {needed}"
    )


def share(value: float) -> str:
    """``0.1 %``, ``99.9 %``: with all digits that were asked for."""
    return f"{100 * value:.6g} %"
