"""Which designs does the truth benchmark have? Each is a cell: one way to make data, many draws."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from experiments import truth_designs as designs
from experiments import truth_tables as tables
from experiments.truth_designs import Drawn, Random, Table
from relbounds.datasets import PAPER_SETS

INDEPENDENT, NEIGHBOURS, GROUPS = "independent", "neighbours", "idle groups"
TEXTS, RARE, SUPPRESSORS, SMALL = "texts", "rare dummies", "suppressors", "small effects"
REAL, PAPER, NOTHING = "real tables", "paper's sets", "nothing matters"
FAMILIES = (
    INDEPENDENT,
    NEIGHBOURS,
    GROUPS,
    TEXTS,
    RARE,
    SUPPRESSORS,
    SMALL,
    REAL,
    PAPER,
    NOTHING,
)
TASKS = ("ordinal", "classification", "regression")
MADE_FOR_OTHERS = TASKS[1:]
DRAWS = 100
SIZES, RHOS = (2, 8, 20), (0.5, 0.9, 0.99, 1.0)
REAL_R2 = {
    "diabetes": (0.2, 0.3, 0.6, 0.9),
    "wine": (0.2, 0.3, 0.6, 0.9),
    "winequality-red": (0.2, 0.3, 0.6, 0.9),
    "breast cancer": (0.3, 0.6),
    "eucalyptus": (0.3, 0.6),
}
REAL_DRAWS = {"winequality-red": 40, "breast cancer": 20, "eucalyptus": 8}
PAPER_NOISES = (0.0, 0.5, 1.0)
PAPER_DRAWS = dict.fromkeys(PAPER_SETS, 60) | {8: 20, 9: 3}


@dataclass(frozen=True)
class Design:
    """One way to make data.

    Attributes
    ----------
    family : str
        What it is an example of.
    line, column : str
        Where it stands in a table of its family.
    make : function of a random state
        A table, which gets an outcome, or what has one.
    options : dict
        Further arguments of ``make``.
    task : str
    r2 : float
        The share of the outcome that the columns explain; 1 is clean.
    draws : int
        In a full run.
    """

    family: str
    line: str
    column: str
    make: Callable[..., Table | Drawn]
    options: dict[str, Any] = field(default_factory=dict)
    task: str = "ordinal"
    r2: float = np.nan
    draws: int = DRAWS

    @property
    def name(self) -> str:
        return " ".join(
            part
            for part in (self.family, self.line, self.column, self.task)
            if part and part != "ordinal"
        )

    def draw(self, seed: int) -> Drawn:
        rng = Random(seed)
        made = self.make(rng, **self.options)
        if isinstance(made, Drawn):
            return made
        return designs.with_outcome(made, rng, self.task, self.r2)


@cache
def all_designs() -> dict[str, Design]:
    """By their names, the slowest first."""
    return {each.name: each for each in _slowest_first()}


def _slowest_first() -> Iterator[Design]:
    yield from _real()
    yield from _paper()
    yield from _small()
    yield from _independent()
    yield from _rare()
    yield from _groups()
    yield from _neighbours()
    yield from _texts()
    yield from _suppressors()
    yield from _nothing()


def _explained(r2: float) -> str:
    return "clean" if r2 == 1 else f"R2 {r2:g}"


def _real() -> Iterator[Design]:
    for name in sorted(REAL_R2, reverse=True, key=lambda name: name in REAL_DRAWS):
        draws = REAL_DRAWS.get(name, DRAWS)
        for r2 in REAL_R2[name]:
            yield Design(
                REAL, name, _explained(r2), tables.real, {"name": name}, r2=r2, draws=draws
            )
    for task in MADE_FOR_OTHERS:
        yield Design(REAL, "diabetes", "R2 0.6", tables.real, {"name": "diabetes"}, task, 0.6)


def _paper() -> Iterator[Design]:
    for number in sorted(PAPER_SETS, reverse=True):
        for noise in PAPER_NOISES:
            yield Design(
                PAPER,
                f"Set {number}",
                f"noise {noise:g}",
                designs.paper_set,
                {"number": number, "noise": noise},
                draws=PAPER_DRAWS[number],
            )


def _small() -> Iterator[Design]:
    for task in TASKS:
        options = {"n": 3000}
        yield Design(
            SMALL, "n 3000", "R2 0.7", designs.small_effects, options, task, r2=0.7, draws=20
        )


def _independent() -> Iterator[Design]:
    def design(
        n: int, r2: float, task: str = "ordinal", draws: int = DRAWS, **options: int
    ) -> Design:
        wide = f"{sum(options.values())} columns " if options else ""
        return Design(
            INDEPENDENT,
            f"{wide}n {n}",
            _explained(r2),
            designs.independent,
            {"n": n, **options},
            task,
            r2,
            draws,
        )

    yield design(5000, 0.2, draws=20)
    yield design(1000, 0.5, draws=50)
    yield design(60, 0.7, needed=5, idle=95, draws=40)
    yield design(100, 0.7, needed=5, idle=75, draws=60)
    for r2 in (0.2, 0.5, 0.9, 1.0):
        yield design(200, r2)
    for r2 in (0.5, 0.9, 1.0):
        yield design(60, r2)
    for task in MADE_FOR_OTHERS:
        yield design(200, 0.5, task)
        yield design(60, 0.5, task)
    yield design(60, 1.0, "classification")


def _rare() -> Iterator[Design]:
    for task in TASKS:
        for n, draws in ((2000, 20), (300, DRAWS)):
            yield Design(RARE, f"n {n}", "R2 0.5", designs.rare_dummies, {"n": n}, task, 0.5, draws)


def _groups() -> Iterator[Design]:
    def group(size: int, rho: float, r2: float, task: str = "ordinal") -> Design:
        options = {"n": 200, "size": size, "rho": rho}
        line, column = f"{size} columns {_explained(r2)}", f"rho {rho:g}"
        return Design(GROUPS, line, column, designs.idle_group, options, task, r2)

    def pairs(needed: int, rho: float, task: str) -> Design:
        options = {"n": 300, "needed": needed, "rho": rho}
        line, column = f"3 pairs beside {needed} needed R2 0.7", f"rho {rho:g}"
        return Design(GROUPS, line, column, designs.idle_pairs, options, task, 0.7)

    for size in reversed(SIZES):
        for r2 in (1.0, 0.7):
            yield from (group(size, rho, r2) for rho in RHOS)
    for task in MADE_FOR_OTHERS:
        yield from (group(8, rho, 0.7, task) for rho in (0.9, 1.0))
    for task in TASKS:
        yield pairs(12, 0.95, task)
    yield pairs(24, 0.9, "ordinal")


def _neighbours() -> Iterator[Design]:
    def design(n: int, rho: float, r2: float, task: str = "ordinal") -> Design:
        options = {"n": n, "rho": rho}
        line, column = f"rho {rho:g} n {n}", _explained(r2)
        return Design(NEIGHBOURS, line, column, designs.neighbours, options, task, r2)

    for rho in (0.5, 0.9):
        for n in (400, 60):
            for r2 in (0.3, 0.6):
                yield design(n, rho, r2)
        for task in MADE_FOR_OTHERS:
            yield design(200, rho, 0.6, task)
    yield design(60, 0.9, 1.0)


def _texts() -> Iterator[Design]:
    for n, draws in ((1000, 50), (200, DRAWS)):
        yield Design(TEXTS, f"n {n}", "R2 0.5", designs.texts, {"n": n}, r2=0.5, draws=draws)
    for task in MADE_FOR_OTHERS:
        yield Design(TEXTS, "n 200", "R2 0.5", designs.texts, {"n": 200}, task, 0.5)


def _suppressors() -> Iterator[Design]:
    for copied, line in ((1, "single"), (2, "two copies"), (4, "four copies")):
        for n in (500, 150):
            options = {"n": n, "copied": copied}
            yield Design(
                SUPPRESSORS, f"{line} n {n}", "R2 0.6", designs.suppressor, options, r2=0.6
            )
    for task in MADE_FOR_OTHERS:
        options = {"n": 150, "copied": 1}
        yield Design(SUPPRESSORS, "single n 150", "R2 0.6", designs.suppressor, options, task, 0.6)


def _nothing() -> Iterator[Design]:
    for name, draws in (("breast cancer", 30), ("diabetes", DRAWS), ("wine", DRAWS)):
        yield Design(NOTHING, name, "", tables.useless, {"name": name}, r2=0.0, draws=draws)
    for task in TASKS:
        for n, draws in ((1000, 50), (200, DRAWS), (60, DRAWS)):
            options = {"n": n, "size": 10}
            yield Design(NOTHING, f"n {n}", "", designs.noise_only, options, task, 0.0, draws)
    for n in (60, 200):
        options = {"n": n, "size": 8, "rho": 0.9}
        yield Design(NOTHING, f"n {n}", "rho 0.9", designs.noise_only, options, r2=0.0)
    yield Design(NOTHING, "50 columns n 60", "", designs.noise_only, {"n": 60, "size": 50}, r2=0.0)
