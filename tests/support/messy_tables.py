"""A small table with a known answer, and ways to spoil it."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd


def patients(n_rows: int = 60) -> pd.DataFrame:
    """``dose`` alone decides the outcome."""
    random = np.random.RandomState(0)
    dose = random.normal(size=n_rows).round(2)
    return pd.DataFrame(
        {
            "id": np.arange(1, n_rows + 1),
            "dose": dose,
            "height": random.normal(170, 10, n_rows).round(1),
            "color": random.choice(["red", "green", "blue"], n_rows),
            "sex": random.choice(["female", "male"], n_rows),
            "outcome": np.where(dose + 0.3 * random.normal(size=n_rows) > 0, "yes", "no"),
        }
    )


def as_text(
    frame: pd.DataFrame, *, delimiter: str = ",", decimal: str = ".", header: Sequence[str] = ()
) -> str:
    """The table as a text file, under a header of its own if one is given."""
    text: str = frame.to_csv(sep=delimiter, decimal=decimal, index=False, lineterminator="\n")
    if not header:
        return text
    return "\n".join([delimiter.join(header), *text.splitlines()[1:]]) + "\n"


def saved(path: Path, content: str | bytes, encoding: str = "utf-8") -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
    return path
