"""How far does a reader walk? Modules crossed, owners of X, lengths, chains and start-up.

    python benchmarks/versions/walk.py --root PATH
    python benchmarks/versions/walk.py --old PATH --new PATH

A function's lines are those of code, its signature among them: blank lines, comments and docstrings
do not count. A chain follows imports that happen when a module is imported; importing `a.b` counts
as `b`, not as the folder `a`. Entries at the top are modules and folders without an underscore.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

from aligned import aligned
from checkouts import SIDES, add_checkouts, checkout, output
from static_figures import static_figures

STARTS = ("exceptions", "intake", "cli")
HEAVY = ("highspy", "sklearn", "scipy.stats", "pandas", "matplotlib")
LONG = 30
"""Characters, beyond which a text has no place in a table."""
_LOADED = "import sys, json, {module}; print(json.dumps(list(sys.modules)))"


def start_up(root: Path) -> dict[str, Any]:
    """What an import loads: how many own modules, and which of the heavy packages."""
    found: dict[str, Any] = {}
    for name in STARTS:
        module = f"relbounds.{name}"
        loaded = json.loads(output(root, ["-c", _LOADED.format(module=module)]))
        found[f"import {module}: own modules"] = sum(
            each.partition(".")[0] == "relbounds" for each in loaded
        )
        found[f"import {module}: loads"] = _listed(loaded)
    return found


def _listed(loaded: Sequence[str]) -> str:
    return ", ".join(each for each in HEAVY if each in loaded) or "none of them"


def figures(root: Path) -> dict[str, Any]:
    return (
        static_figures(root / "src" / "relbounds")
        | start_up(root)
        | json.loads(output(root, ["traced_walk.py"]))
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=checkout, metavar="PATH", help="one checkout alone")
    add_checkouts(parser, required=False)
    asked = parser.parse_args()
    roots = {side: root for side in ("root", *SIDES) if (root := getattr(asked, side))}
    if not roots:
        parser.error("nothing to look at: give --root, or --old and --new")
    found = {side: figures(root) for side, root in roots.items()}
    names = list(next(iter(found.values())))
    rows = [[name, *(str(each[name]) for each in found.values())] for name in names]
    print(aligned(["", *found], [row for row in rows if not _is_long(row)]))
    for name, *texts in filter(_is_long, rows):
        print(f"\n{name}")
        for side, text in zip(found, texts, strict=True):
            print(fill(f"{side}: {text}", 100, initial_indent="  ", subsequent_indent="    "))


def _is_long(row: Sequence[str]) -> bool:
    return max(map(len, row[1:])) > LONG


if __name__ == "__main__":
    main()
