"""Where on a common axis does a value stand, and how is it written?"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from relbounds.decision import RESOLUTION
from relbounds.result import Findings

_MOST_TICKS = 5  # beside zero
_STEPS = (0.02, 0.05, 0.1, 0.2, 0.5)  # of the next power of ten; the last for rounding


@dataclass(frozen=True)
class Axis:
    """From 0 to ``end``, a share of the best model's norm."""

    end: float

    @classmethod
    def of(cls, side: Findings) -> Self:
        """An axis that holds all intervals, all probes and the thresholds."""
        values = [side.intervals.max(initial=0.0), side.probe_intervals.max(initial=0.0)]
        if side.thresholds is not None:
            values += [side.thresholds.minrel, side.thresholds.maxrel]
        return cls(1.03 * float(max(values)) or 1.0)

    def place(self, value: float) -> float:
        """The position of a value, in percent of the axis's length."""
        return round(100 * float(value) / self.end, 2)

    @property
    def ticks(self) -> list[dict[str, Any]]:
        power = 10.0 ** np.ceil(np.log10(self.end))
        step = next(each * power for each in _STEPS if self.end / (each * power) <= _MOST_TICKS)
        values = np.arange(0, self.end, step)
        return [
            {"place": self.place(value), "label": f"{100 * value:g} %", "anchor": _anchor(share)}
            for value, share in zip(values, values / self.end, strict=True)
        ]

    @property
    def decimals(self) -> int:
        """How many decimals of a percentage tell the axis's values apart."""
        return max(1, 1 - int(np.ceil(np.log10(self.end))))

    def written(self, value: float) -> str:
        """A value as a percentage, in a column of others."""
        if abs(value) <= RESOLUTION:
            return "0 %"
        text = f"{100 * value:.{self.decimals}f}"
        return f"{text} %" if float(text) else f"< {10.0**-self.decimals:.{self.decimals}f} %"

    def written_signed(self, value: float) -> str:
        """A difference in points, which are percent of the best model's norm, with its sign."""
        if abs(value) <= RESOLUTION:
            return "0"
        sign = "+" if value > 0 else "\N{MINUS SIGN}"
        return f"{sign}{abs(100 * value):.{self.decimals}f}"


def _anchor(share: float) -> str:
    """Which part of a tick's label stands at the tick, so that labels stay on the axis."""
    return "start" if share < 0.02 else "end" if share > 0.94 else "middle"
