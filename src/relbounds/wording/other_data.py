"""Would other data say the same, and how do models do on them? In plain sentences."""

import numpy as np

from relbounds.results.findings import Findings, arranged
from relbounds.results.other_data import HeldOut, Stability
from relbounds.wording.text import listed

NOT_KNOWN = "\N{EN DASH}"
_SURE = 0.95
_DOUBTFUL = 0.5
HOW_ASKED = (
    "The data were divided into random halves{groups}, and each half, taken for as much as all of "
    "the data, was asked again: {count} halves in all. The shares are about how often fresh data "
    "of the same size would say so. What only weights in good models prove is not asked."
)


def how_asked(found: Stability, *, has_groups: bool) -> str:
    """How it was measured, and what the shares mean."""
    return HOW_ASKED.format(
        groups=", those that belong together as one" if has_groups else "", count=found.n_halves
    )


def of_stability(found: Stability, side: Findings) -> list[str]:
    """Which features other data would call relevant too, and which are in doubt."""
    if np.isnan(found.relevant).all():
        return ["There are too few samples to ask halves of them whether they say the same."]
    order = arranged(side).tolist()
    relevant, share = side.relevance > 0, found.relevant
    named = [
        ("Other data would very probably call {} relevant too.", relevant & (share >= _SURE)),
        (
            "Other data would rather call {} relevant again than not.",
            relevant & (share < _SURE) & (share >= _DOUBTFUL),
        ),
        (
            "{} might not be called relevant again: less than half of the halves do.",
            relevant & (share < _DOUBTFUL),
        ),
        (
            "{} might be called relevant by other data: at least half of the halves do.",
            ~relevant & (share >= _DOUBTFUL),
        ),
        (
            "That {} is needed might not be proved again: less than half of the halves do.",
            side.needed & (found.needed < _DOUBTFUL),
        ),
    ]
    return [
        sentence.format(listed([side.feature_names[k] for k in order if chosen[k]]))
        for sentence, chosen in named
        if chosen.any()
    ]


def again(found: Stability, position: int) -> str:
    """The share of halves in which a feature is relevant."""
    return _share(found.relevant[position])


def again_in_words(found: Stability, position: int) -> str:
    """``Relevant in 95 % of the halves of these data, needed in 60 %.``"""
    relevant, needed = found.relevant[position], found.needed[position]
    if np.isnan(relevant):
        return ""
    also = "" if np.isnan(needed) else f", needed in {_share(needed)}"
    return f"Relevant in {_share(relevant)} of the halves of these data{also}."


def _share(share: float) -> str:
    return NOT_KNOWN if np.isnan(share) else f"{100 * share:.0f} %"


def of_held_out(found: HeldOut) -> str:
    """What the counts are of."""
    asked = (
        "the samples that the best model was trained on, which flatters it"
        if found.has_seen
        else "samples that a model had not seen, in cross-validation"
    )
    what = "the class" if found.edges is None else "the outcome"
    return f"Of {asked}: each line is {what} that samples are of, each column what was said."
