"""Which texts does a column hold, and do most of them say the same kind of thing?"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from relbounds.arrays import FloatArray, IntArray

MOSTLY = 0.9
"""A column of texts holds numbers (dates) if this share of its filled cells does."""
MOST_STRAYS = 3
"""With so few different other texts, such as '?' and '-', half of the cells are enough."""
_GAPS = (
    *("na", "n/a", "n.a", "n.a.", "nan", "null", "nil", "missing", "unknown", "unk", "undefined"),
    *("not available", "not applicable", "not known", "no data", "no answer", "tbd"),
    *("k.a.", "k. a.", "unbekannt", "inconnu", "desconocido", "sconosciuto"),
)
_ENOUGH = 1000  # texts to see that a column holds no numbers


@dataclass(frozen=True, eq=False)
class Texts:
    """The different texts of a column, none of them empty, and how often each occurs."""

    texts: Any
    counts: IntArray

    def mostly(self, there: Any) -> bool:
        """Whether other texts are rare, or few and fewer than the different ones that are there."""
        n_strays = int((~there).sum())
        few = n_strays <= MOST_STRAYS and n_strays < len(there) - n_strays
        least = 0.5 if few else MOSTLY
        return bool(self.counts[there].sum() >= least * self.counts.sum() > 0)

    def some(self) -> "Texts":
        """At most a thousand of them, from the first to the last."""
        step = -(-len(self.texts) // _ENOUGH) or 1
        return Texts(self.texts[::step], self.counts[::step])

    def once(self) -> "Texts":
        """The same texts, as if each occurred once."""
        return Texts(self.texts, np.ones_like(self.counts))

    def strays(self, values: FloatArray) -> tuple[str, ...]:
        """Texts that have no value among values."""
        return tuple(self.texts[np.isnan(values)])


def hopeless(cells: Texts, read: Callable[[Texts], object]) -> bool:
    """Whether a look at some of very many texts is enough; a frequent stray may be among them."""
    if len(cells.texts) <= _ENOUGH:
        return False
    some = cells.some()
    return read(some) is None and read(some.once()) is None


def means_a_gap(text: str) -> bool:
    """Whether a text says that there is no value: '?', '-', 'unknown'."""
    return text.casefold() in _GAPS or not any(map(str.isalnum, text))
