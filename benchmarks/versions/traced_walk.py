"""Which modules does a fit, a question and a command walk through? Run inside a checkout.

    python benchmarks/versions/traced_walk.py

prints figures as JSON. A module is crossed if one of its functions is entered in the main thread;
what is compiled is not seen. Everything is run once before it is traced, so that no import counts.
"""

import json
import logging
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from itertools import groupby
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pandas as pd

from relbounds import OrdinalRelevance
from relbounds.cli import main as relbounds_main
from relbounds.datasets import make_ordinal

N_SAMPLES, N_FEATURES = 149, 11
"""Two primes: no other array has as many numbers as X by accident."""
LOOKS = 1000
"""So often an object of one class is looked at for X."""


@dataclass
class Walk:
    """The modules that were entered, one after another, and who had the numbers of X.

    An *owner* has an attribute with an array of X's size; a *holder* is or leads to an owner.
    """

    size: int = 0
    entered: list[str] = field(default_factory=list)
    owners: dict[str, str] = field(default_factory=dict)
    holders: set[str] = field(default_factory=set)
    _looks: Counter[str] = field(default_factory=Counter)

    def of(self, run: Callable[[], object]) -> "Walk":
        sys.setprofile(self._see)
        try:
            run()
        finally:
            sys.setprofile(None)
        return self

    def _see(self, frame: FrameType, event: str, _: object) -> None:
        name = frame.f_globals.get("__name__", "")
        if event not in ("call", "return") or not _is_own(name):
            return
        if event == "call":
            self.entered.append(name)
        if self.size and frame.f_code.co_varnames[:1] == ("self",):
            self._look_at(frame.f_locals["self"])

    def _look_at(self, thing: object) -> None:
        """A class is looked at until it is known to hold X, or was seen often enough."""
        name = _name(thing)
        if self._looks[name] < LOOKS and not (name in self.owners and name in self.holders):
            self._looks[name] += 1
            self.look_around(thing)

    def look_around(self, thing: object) -> None:
        """Whether a thing or what it leads to has an array of X's size."""
        for each in reachable(thing):
            for name, value in attributes(each):
                if any(array.size == self.size for array in _arrays(value)):
                    self.owners.setdefault(_name(each), name)
                    self.holders |= {_name(each), _name(thing)}

    @property
    def modules(self) -> set[str]:
        return set(self.entered)

    @property
    def n_transitions(self) -> int:
        return sum(1 for _ in groupby(self.entered))


def _is_own(module: str) -> bool:
    return module.partition(".")[0] == "relbounds"


def _name(thing: object) -> str:
    """The class of a thing, with its module: names can be used twice."""
    return f"{type(thing).__module__.rpartition('.')[2]}.{type(thing).__qualname__}"


def attributes(thing: object) -> Iterator[tuple[str, Any]]:
    yield from getattr(thing, "__dict__", {}).items()
    for kind in type(thing).__mro__:
        for name in vars(kind).get("__slots__", ()):
            if hasattr(thing, name):
                yield name, getattr(thing, name)


def _arrays(value: Any) -> list[np.ndarray]:
    """An array, or those of a list, tuple or dictionary."""
    return [each for each in (value, *_inside(value)) if isinstance(each, np.ndarray)]


def _inside(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list | tuple | set | frozenset) else ()


def reachable(thing: object, seen: set[int] | None = None) -> Iterator[object]:
    """Objects of own classes that a thing leads to, by attributes, lists, tuples, dictionaries."""
    seen = set() if seen is None else seen
    if id(thing) in seen:
        return
    seen.add(id(thing))
    inside = _inside(thing)
    if _is_own(type(thing).__module__):
        yield thing
        inside = [value for _, value in attributes(thing)]
    for each in inside:
        yield from reachable(each, seen)


def fitted() -> tuple[OrdinalRelevance, np.ndarray, np.ndarray]:
    X, y, _ = make_ordinal(
        N_SAMPLES, n_strong=3, weak_groups=(4,), n_irrelevant=4, noise=0.1, random_state=0
    )
    return OrdinalRelevance(random_state=0).fit(X, y), X, y


def analyze(folder: Path, *, with_text: bool) -> Callable[[], None]:
    """The command on a small file in a folder, where it also writes."""
    X, y, _ = make_ordinal(120, n_strong=2, weak_groups=(2,), n_irrelevant=2, random_state=0)
    table = pd.DataFrame(X, columns=list("abcdef")).assign(grade=y)
    if with_text:
        colours = ["red", "green", "blue"]
        table["colour"] = np.random.RandomState(0).choice(colours, len(y))
    table.to_csv(folder / "small.csv", index=False)
    typed = [str(folder / "small.csv"), "--target", "grade", "--out", str(folder / "out")]

    def run() -> None:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            code = relbounds_main(["analyze", *typed, "--jobs", "1"])
        if code:
            raise SystemExit(f"relbounds analyze ended with exit code {code}.")

    return run


def walk_of_analyze(*, with_text: bool) -> Walk:
    with tempfile.TemporaryDirectory() as folder:
        run = analyze(Path(folder), with_text=with_text)
        run()
        return Walk().of(run)


def figures() -> dict[str, Any]:
    logging.disable()  # the command would tell people what it does
    _, X, y = fitted()
    model = OrdinalRelevance(random_state=0)
    fit = Walk().of(lambda: model.fit(X, y))
    owning = Walk(X.size).of(lambda: model.fit(X, y))
    for each in reachable(model):
        owning.look_around(each)
    model.what_if({"x3": "absent"})
    question = Walk().of(lambda: model.what_if({"x3": "absent"}))
    return {
        "fit: modules crossed": len(fit.modules),
        "fit: transitions": fit.n_transitions,
        "what_if: modules crossed": len(question.modules),
        "analyze, numbers only: modules crossed": len(walk_of_analyze(with_text=False).modules),
        "analyze, a text column: modules crossed": len(walk_of_analyze(with_text=True).modules),
        "classes that own an array of X's size": len(owning.owners),
        "owners": ", ".join(f"{kind}.{name}" for kind, name in sorted(owning.owners.items())),
        "classes that own or lead to one": len(owning.holders),
        "holders": ", ".join(sorted(owning.holders)),
    }


if __name__ == "__main__":
    print(json.dumps(figures()))
