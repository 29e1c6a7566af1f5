"""Does another version of relbounds give the same answers? Fits, questions and pages of both.

    python benchmarks/versions/same_answers.py --old PATH --new PATH [--quick] [--except NAME ...]
                                      [--only NAME ...] [--list]

A case is *identical* if every value is, bit by bit; *within proofs* if none differs by more than
the certificates of both sides and 1e-8 of the norm, and classes are equal; else *different*, and
the exit code is 1. Errors are answers too. Numbers of fall-backs and of programs, gaps, and numbers
in the sentences of errors may differ within proofs. Dictionaries are compared for information only.

Nothing is proved of a fold's errors while tuning, nor of the digits on a page: where an engine was
changed, `tuning.errors` and `page-...` may differ by a sample on a boundary and by a rounded digit.
"""

import argparse
import pickle
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np
from aligned import aligned
from checkouts import SIDES, add_checkouts, output
from named_values import INFORMATION, Value, Values

VERDICTS = ("identical", "within proofs", "different")
_SHOWN = 100  # characters of a text that differs


@dataclass(frozen=True)
class Difference:
    """One value that is not the same bit by bit."""

    name: str
    is_proved: bool
    what: str


@dataclass(frozen=True)
class Comparison:
    """Both answers to one case."""

    name: str
    old: Values
    new: Values

    @property
    def group(self) -> str:
        return self.name.partition("-")[0]

    @property
    def differences(self) -> list[Difference]:
        names = dict.fromkeys((*self.old, *self.new))
        found = (self._difference(name) for name in names if not name.endswith(INFORMATION))
        return [each for each in found if each]

    @property
    def verdict(self) -> str:
        if not self.differences:
            return VERDICTS[0]
        return VERDICTS[1] if all(each.is_proved for each in self.differences) else VERDICTS[2]

    @property
    def has_other_dictionary(self) -> bool:
        return self.old.get(INFORMATION) != self.new.get(INFORMATION)

    def _difference(self, name: str) -> Difference | None:
        if name not in self.old or name not in self.new:
            return Difference(name, False, f"only {'old' if name in self.old else 'new'}")
        return difference(name, self.old[name], self.new[name])


def difference(name: str, old: Value, new: Value) -> Difference | None:
    """None for the same bits."""
    if _bits(old.found) == _bits(new.found):
        return None
    if np.all(np.isinf(old.doubt)) and np.all(np.isinf(new.doubt)):
        return Difference(name, True, _told(old.found, new.found))
    try:
        before, now = (np.asarray(each.found, dtype=np.float64) for each in (old, new))
        same = (before == now) | (np.isnan(before) & np.isnan(now))
        with np.errstate(invalid="ignore"):
            moved = np.where(same, 0.0, np.abs(now - before))
        allowed = np.broadcast_to(np.add(old.doubt, new.doubt), moved.shape)
    except (TypeError, ValueError):
        return Difference(name, False, _told(old.found, new.found))
    worst = np.argmax(np.nan_to_num(moved - allowed, nan=np.inf), axis=None)
    told = f"{moved.flat[worst]:.2g} where {allowed.flat[worst]:.2g} is proved"
    return Difference(name, bool(np.all(moved <= allowed)), told)


def _bits(found: Any) -> Any:
    """What has to be equal for the same bits: of numbers their bytes, shape and type."""
    if isinstance(found, float | np.ndarray | np.generic):
        array = np.asarray(found)
        is_number = array.dtype.kind in "biufc"
        return array.dtype.kind, array.shape, array.tobytes() if is_number else array.tolist()
    if isinstance(found, list | tuple):
        return [_bits(each) for each in found]
    return found


def _told(old: Any, new: Any) -> str:
    """Both from shortly before where they begin to differ."""
    texts = [" ".join(str(each).split()) for each in (old, new)]
    first, second = texts
    shared = sum(1 for _ in takewhile(bool, (a == b for a, b in zip(first, second, strict=False))))
    begins = max(0, shared - _SHOWN // 2)
    return " -> ".join(repr(text[begins : begins + _SHOWN]) for text in texts)


def answers(root: Path, choice: list[str]) -> dict[str, Any]:
    """What a checkout answers; refused if it was another relbounds that did."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "answers.pickle"
        output(root, ["answers.py", str(file), *choice])
        found: dict[str, Any] = pickle.loads(file.read_bytes())
    if not Path(found["relbounds"]).is_relative_to(root):
        raise SystemExit(f"Expected the relbounds of {root}, came {found['relbounds']}.")
    return found


def summary(compared: list[Comparison]) -> str:
    groups = Counter(each.group for each in compared)
    rows = [
        _row(group, [each for each in compared if each.group == group], n)
        for group, n in groups.items()
    ]
    header = ["group", "cases", *VERDICTS, *(f"fall-backs {side}" for side in SIDES)]
    return aligned([*header, "dictionary differs"], [*rows, _row("all", compared, len(compared))])


def _row(name: str, compared: list[Comparison], n: int) -> list[str]:
    verdicts = Counter(each.verdict for each in compared)
    fallbacks = [sum(_fallbacks(getattr(each, side)) for each in compared) for side in SIDES]
    others = sum(each.has_other_dictionary for each in compared)
    return [name, *map(str, (n, *(verdicts[each] for each in VERDICTS), *fallbacks, others))]


def _fallbacks(values: Values) -> int:
    return int(values["fallbacks"].found) if "fallbacks" in values else 0


def details(compared: list[Comparison], *, with_proved: bool) -> Iterator[str]:
    """A line for each case that differs, and for each of its values that does."""
    for each in compared:
        shown = [one for one in each.differences if with_proved or not one.is_proved]
        if shown:
            yield f"{each.name}: {each.verdict}"
        yield from (f"    {one.name}: {one.what}" for one in shown)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_checkouts(parser)
    parser.add_argument(
        "--list", action="store_true", help="also what differs within proofs, value by value"
    )
    asked, choice = parser.parse_known_args()
    found = {}
    for side in SIDES:
        found[side] = answers(getattr(asked, side), choice)
        seconds = sum(found[side]["seconds"].values())
        print(f"{side}: {len(found[side]['answers'])} cases in {seconds:.0f} s", flush=True)
    old, new = (found[side]["answers"] for side in SIDES)
    compared = [Comparison(name, old[name], new[name]) for name in old]
    print(summary(compared))
    for line in details(compared, with_proved=asked.list):
        print(line)
    n_errors = sum("raised" in each.old for each in compared)
    print(f"{n_errors} cases are errors in the old version.")
    sys.exit(any(each.verdict == VERDICTS[2] for each in compared))


if __name__ == "__main__":
    main()
