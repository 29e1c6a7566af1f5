"""ARCHITECTURE.md names the modules that there are."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "relbounds"
TEXT = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
ROOMS = sorted(path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists())
TABLE = re.compile(r"^\| `(\w+)/` \| [^|]+ \|\n\|---\|---\|\n((?:\|.*\n)+)", re.M)
TABLES = {room: rows for room, rows in TABLE.findall(TEXT) if room in ROOMS}


def test_every_module_that_is_named_exists() -> None:
    named = re.findall(rf"`((?:{'|'.join(ROOMS)})/[\w/]+)`", TEXT)
    assert len(named) > 30
    lost = [each for each in named if not list(PACKAGE.glob(f"{each}*"))]
    assert not lost


@pytest.mark.parametrize("room", TABLES)
def test_the_table_of_a_room_names_all_its_modules(room: str) -> None:
    first_cells = " ".join(row.split("|")[1] for row in TABLES[room].splitlines())
    named = {each.strip("/").split("/")[0] for each in re.findall(r"`([\w/]+)`", first_cells)}
    modules = {path.stem for path in (PACKAGE / room).iterdir() if path.name[0] != "_"}
    assert named == modules


def test_rooms_that_are_more_than_a_few_modules_have_a_table() -> None:
    assert {"answer", "engine", "intake", "method", "questions", "results"} <= set(TABLES)
