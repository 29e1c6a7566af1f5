"""What unfolds below the line of a feature, and where do names lead to?"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from relbounds.results.answers import Covers
from relbounds.results.columns import ColumnFacts
from relbounds.results.follow_ups import FollowUps
from relbounds.results.other_data import Stability
from relbounds.wording.columns import of_column
from relbounds.wording.other_data import again, again_in_words

Shown = dict[str, Any]
"""What is shown of one side, or of one line of its table, as plain values."""


def unfold(sides: Sequence[Shown], asked: FollowUps, columns: Mapping[str, ColumnFacts]) -> None:
    """Add to the lines of tables what is known of their features beyond relevance."""
    covers = _covers(asked.covers)
    for number, side in enumerate(sides):
        for row in _rows(side):
            facts = columns.get(row["made_from"] or row["name"])
            row["id"] = f"f{number}-{row['given']}"
            row["facts"] = of_column(facts) if facts else ""
            row["reference"] = (facts.reference or "") if facts else ""
            row["covered_by"] = covers.get(row["name"], ())
            row.update(_again(asked.stability if side["name"] == "regular" else None, row["name"]))
            for level, each in enumerate(row["levels"]):
                each["id"] = f"{row['id']}-{level}"
                each["label"] = each["name"].removeprefix(f"{row['name']}=")


def anchors(sides: Sequence[Shown]) -> dict[str, str]:
    """Where on the page each feature is, and each level of a column; regular ones win."""
    lines = [row for side in reversed(sides) for row in _rows(side)]
    levels = [level for row in lines for level in row["levels"]]
    return {each["name"]: each["id"] for each in (*lines, *levels)}


def _rows(side: Shown) -> Iterator[Shown]:
    """The lines of a side's table, if it has one."""
    yield from side["table"]["rows"] if "table" in side else ()


def _covers(found: Covers | None) -> dict[str, tuple[str, ...]]:
    return {} if found is None else dict(zip(found.names, found.by, strict=True))


def _again(found: Stability | None, name: str) -> dict[str, str]:
    """Whether other data would say the same; nothing if that was not asked."""
    if found is None or name not in found.names:
        return {"again": "", "share": "", "again_in_words": ""}
    k = found.names.index(name)
    return {
        "again": again(found, k),
        "share": f"{found.relevant[k]:.3f}",
        "again_in_words": again_in_words(found, k),
    }
