"""What do the examples draw and print? They are run while the site is built, and so is the demo.

What is made lies in ``docs/_build/made`` and is copied to the top of the site: ``sample`` with the
report of ``relbounds demo``, and ``gallery`` with a folder for each example. What is newer than the
program and the example is not made again.
"""

import ast
import html
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
MADE = ROOT / "docs" / "_build" / "made"
EXAMPLES = ROOT / "examples"
PLACE = "<!-- gallery -->"
SHOWN = (
    "frame_to_decision",
    "diabetes_stages",
    "stand_ins",
    "tolerance_path",
    "hard_samples",
    "why_not_lasso",
    "why_not_importance",
    "why_not_boruta",
    "select_then_ridge",
    "clinic_draws",
    "on_a_cluster",
)
"""The examples, in the order of the gallery."""
_LINES = 9  # of what is printed, on a card without a picture


@dataclass(frozen=True)
class Example:
    """A script of the folder ``examples``, and what came of it."""

    name: str

    @property
    def script(self) -> Path:
        return EXAMPLES / f"{self.name}.py"

    @property
    def folder(self) -> Path:
        return MADE / "gallery" / self.name

    @property
    def told(self) -> tuple[str, str]:
        """Its question, and what else its docstring says."""
        question, mark, rest = (ast.get_docstring(ast.parse(self.source)) or "").partition("?")
        return question + mark, rest.strip()

    @property
    def source(self) -> str:
        return self.script.read_text(encoding="utf-8")

    @property
    def printed(self) -> str:
        return (self.folder / "printed.txt").read_text(encoding="utf-8").rstrip()

    @property
    def pictures(self) -> list[str]:
        """Where they are, seen from a page in ``docs``."""
        found = sorted((self.folder / "demo-output").glob("*.png"))
        return [f"../{path.relative_to(MADE).as_posix()}" for path in found]


def examples() -> list[Example]:
    return [Example(name) for name in SHOWN]


def make(app: Any) -> None:
    """Run the demo and the examples; a page without them is not built."""
    sample = MADE / "sample"
    if not _is_new(sample / "report.html", ROOT / "docs" / "gallery.py"):
        sample.mkdir(parents=True, exist_ok=True)
        _run(["-m", "relbounds", "demo", "--out", "."], sample)
    for example in examples():
        if not _is_new(example.folder / "printed.txt", example.script):
            example.folder.mkdir(parents=True, exist_ok=True)
            printed = _run([str(example.script)], example.folder)
            (example.folder / "printed.txt").write_text(printed, encoding="utf-8")


def _is_new(made: Path, script: Path) -> bool:
    """Whether it was made after the last change of the script, and of the program."""
    sources = [script, *(ROOT / "src").rglob("*.py")]
    return made.exists() and made.stat().st_mtime > max(each.stat().st_mtime for each in sources)


def _run(program: list[str], folder: Path) -> str:
    environment = {**os.environ, "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}
    environment["PYTHONPATH"] = str(ROOT / "src")
    ran = subprocess.run(
        [sys.executable, *program],
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
        cwd=folder,
        env=environment,
    )
    return ran.stdout


def fill_in(app: Any, page: str, source: list[str]) -> None:
    """Put the gallery in its place, wherever a page has one."""
    if PLACE in source[0]:
        source[0] = source[0].replace(PLACE, gallery())


def gallery() -> str:
    """A card for each example, and then a section for each."""
    shown = examples()
    cards = "\n".join(map(_card, shown))
    return "\n\n".join([f'<div class="cards">\n{cards}\n</div>', *map(_section, shown)])


def _card(example: Example) -> str:
    question, _ = example.told
    shown = [_picture(path, question) for path in example.pictures[:1]] or [_first_lines(example)]
    said = f"<span>{html.escape(question)}</span>"
    return f'<a class="card" href="#{_anchor(example)}">{shown[0]}{said}</a>'


def _first_lines(example: Example) -> str:
    lines = "\n".join(example.printed.splitlines()[:_LINES])
    return f"<pre>{html.escape(lines)}</pre>".replace("\n", "&#10;")


def _section(example: Example) -> str:
    question, rest = example.told
    parts = [
        f"({_anchor(example)})=\n## {question}",
        rest if ">" not in rest and "python " not in rest else f"```text\n{rest}\n```",
        *(_picture(path, question) for path in example.pictures),
        f"```text\n{example.printed}\n```",
        f"<details><summary>examples/{example.name}.py</summary>",
        f"```python\n{example.source.rstrip()}\n```",
        "</details>",
    ]
    return "\n\n".join(each for each in parts if each)


def _picture(path: str, says: str) -> str:
    return f'<img src="{path}" alt="{html.escape(says)}" loading="lazy">'


def _anchor(example: Example) -> str:
    return example.name.replace("_", "-")
