"""What do the results say? Looks up and compares lines; tables and figures are its readers."""

from pathlib import Path

import numpy as np
import pandas as pd

AGREEMENT = 1e-5
"""Methods whose bounds differ from the yardstick's by more are not timed as equals."""
OURS = "relbounds-auto"
FRI = ("fri", "fri-sampled")
RESULTS = Path(__file__).parent / "results" / "results.csv"


class Results:
    """The lines of a results file, by problem, question and method."""

    def __init__(self, path: Path) -> None:
        self.lines = pd.read_csv(path)
        self._by_key = self.lines.set_index(["problem", "question", "method"])

    def problems(self, group: str) -> list[str]:
        """In the order of their size or, where names have one, of their number."""
        lines = self.lines[self.lines["group"] == group]
        number = lines["problem"].str.extract(r"set (\d+)", expand=False).astype(float)
        order = lines.assign(number=number).sort_values(["number", "size", "problem"])
        return list(dict.fromkeys(order["problem"]))

    def value(self, problem: str, question: str, method: str, column: str = "seconds") -> float:
        """NaN where there is none."""
        key = problem, question, method
        return float(self._by_key.loc[key, column]) if key in self._by_key.index else np.nan

    def of_fri(self, problem: str, question: str, column: str = "seconds") -> float:
        """fri's, from a whole fit if there is one, else from a sample."""
        whole, sampled = (self.value(problem, question, name, column) for name in FRI)
        return sampled if np.isnan(whole) else whole

    def times_faster_than_fri(self, problem: str, question: str) -> float:
        return self.of_fri(problem, question) / self.value(problem, question, OURS)

    def times_faster(
        self, problem: str, question: str, method: str, column: str = "seconds"
    ) -> float:
        """How many times as long as we a method takes."""
        theirs = self.value(problem, question, method, column)
        return theirs / self.value(problem, question, OURS, column)

    def curve(
        self, group: str, question: str, method: str, column: str = "seconds"
    ) -> tuple[np.ndarray, np.ndarray]:
        """Sizes of a group's problems that a method finished, and its values there."""
        lines = self.lines.query(
            "group == @group and question == @question and method == @method and status == 'ok'"
        ).sort_values("size")
        return lines["size"].to_numpy(), lines[column].to_numpy(dtype=float)

    def agree(self, problem: str, method: str) -> bool:
        """Whether bounds were compared, and those of a method and ours are the yardstick's."""
        compared = FRI if method in FRI else (method,)
        theirs = [self.value(problem, "fixed", name, "disagreement") for name in compared]
        ours = self.value(problem, "fixed", OURS, "disagreement")
        return bool(np.fmax.reduce([ours, *theirs]) <= AGREEMENT and not np.isnan(theirs).all())
