"""The documentation is true: code runs and prints what is said, links lead somewhere."""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path for path in (ROOT / "docs").rglob("*.md") if "_build" not in path.relative_to(ROOT).parts
)
LINKING = [*PAGES, *ROOT.glob("*.md"), *(ROOT / "experiments").rglob("*.md")]
FENCED = re.compile(
    r"(?:^<!-- (?P<remark>.*?) -->\n)?^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.M | re.S
)
LINK = re.compile(r"\]\(([^)\s]+)\)")
NUMBER = re.compile(r"-?\d+\.\d+")


@dataclass
class Block:
    """A fenced block: its language, its text, and the remark in the line before it."""

    language: str
    text: str
    remark: str


def blocks(page: Path) -> list[Block]:
    found = FENCED.finditer(page.read_text(encoding="utf-8"))
    return [Block(each["language"], each["text"], each["remark"] or "") for each in found]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def runs(block: Block) -> bool:
    return block.language == "python" and not block.remark.startswith("not run: ")


def assert_prints(printed: str, said: str) -> None:
    """The same words; numbers with decimals may differ a little, as processors do."""
    assert NUMBER.sub("0", printed).split() == NUMBER.sub("0", said).split()
    numbers = [[float(each) for each in NUMBER.findall(text)] for text in (printed, said)]
    assert numbers[0] == pytest.approx(numbers[1], abs=0.02, rel=0.02)


@pytest.mark.parametrize(
    "page",
    [page for page in (ROOT / "README.md", *PAGES) if any(map(runs, blocks(page)))],
    ids=name,
)
def test_code_of_a_page_runs_and_prints_what_follows_it(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    printed = None
    for block in blocks(page):
        if runs(block):
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exec(compile(block.text, name(page), "exec"), names)
            printed = out.getvalue()
        elif block.language == "text" and printed and not block.remark:
            assert_prints(printed, block.text)
            printed = None


PRINTED_BY = re.compile(r"(?P<part>part )?printed by (?P<command>.*)")
LONG = (
    *("clinic_draws", "select_then_ridge", "why_not_boruta", "why_not_importance"),
    "why_not_lasso",
)
QUOTED = [
    pytest.param(
        block,
        id=f"{name(page)}-{block.remark}",
        marks=pytest.mark.slow if any(each in block.remark for each in LONG) else (),
    )
    for page in (ROOT / "README.md", *PAGES)
    for block in blocks(page)
    if PRINTED_BY.fullmatch(block.remark)
]


def like(said: str, printed: str) -> str:
    """The part of what was printed that begins with the same words, and is as long."""
    words = [NUMBER.sub("0", line).split() for line in printed.splitlines()]
    lines = said.splitlines()
    start = words.index(NUMBER.sub("0", lines[0]).split())
    return "\n".join(printed.splitlines()[start : start + len(lines)])


@pytest.mark.parametrize("block", QUOTED)
def test_what_a_page_quotes_is_what_is_printed(block: Block, tmp_path: Path) -> None:
    if "boruta" in block.remark:
        pytest.importorskip("boruta", reason="Boruta comes with the extra relbounds[reproduce]")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    remark = PRINTED_BY.fullmatch(block.remark)
    what, *arguments = shlex.split(remark["command"])
    program = ["-m", "relbounds"] if what == "relbounds" else [what]
    ran = subprocess.run(
        [sys.executable, *program, *arguments],
        capture_output=True,
        encoding="utf-8",
        check=True,
        cwd=tmp_path,
        env={**os.environ, "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"},
    )
    assert_prints(like(block.text, ran.stdout) if remark["part"] else ran.stdout, block.text)


@pytest.mark.parametrize("page", LINKING, ids=name)
def test_every_relative_link_leads_to_something_that_exists(page: Path) -> None:
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    here = [target.partition("#")[0] for target in targets if "://" not in target]
    lost = [target for target in here if target and not (page.parent / target).exists()]
    assert not lost


def test_every_page_is_in_the_contents() -> None:
    listed = {
        page.parent / f"{line.strip()}.md"
        for page in PAGES
        for contents in re.findall(r"```\{toctree\}(.*?)```", page.read_text(), re.S)
        for line in contents.splitlines()
        if line.strip()
    }
    assert set(PAGES) - {ROOT / "docs" / "index.md"} <= listed


def test_the_command_reference_names_every_option_of_the_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    import command_reference

    from relbounds.cli.main import parser

    text = command_reference.reference()
    (commands,) = (each for each in parser()._actions if command_reference._has_commands(each))
    for command, its_parser in commands.choices.items():
        assert f"## relbounds {command}" in text
        for action in its_parser._actions:
            assert all(option in text for option in action.option_strings)


def test_the_citation_names_the_paper_and_its_authors() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert "Feature relevance determination for ordinal regression" in citation
    for author in ("Pfannschmidt", "Jakob", "Hinder", "Biehl", "Tino", "Hammer"):
        assert f"family-names: {author}" in citation
