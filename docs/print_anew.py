"""What pages quote, printed anew: ``python docs/print_anew.py [README.md docs/faq.md ...]``.

Runs the code and the commands of pages as tests/pages/test_docs.py does, and writes what they print
into the pages. Look at the difference: a sentence beside it may have become untrue.
"""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
FENCED = re.compile(
    r"(?P<head>(?:^<!-- (?P<remark>[^\n]*?) -->\n)?^```(?P<language>\w+)\n)(?P<text>.*?)^```$",
    re.M | re.S,
)


def printed_anew(page: str) -> str:
    """A page with all that it quotes as it is printed now."""
    names: dict[str, object] = {}
    printed = ""

    def block(match: re.Match[str]) -> str:
        nonlocal printed
        remark, text = match["remark"] or "", match["text"]
        if match["language"] == "python" and not remark.startswith("not run: "):
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exec(compile(text, "page", "exec"), names)
            printed = out.getvalue()
        elif "printed by " in remark:
            whole, _, command = remark.partition("printed by ")
            text = _part(text, _run(command)) if whole else _run(command)
        elif match["language"] == "text" and printed and not remark:
            text, printed = printed, ""
        return match["head"] + _tidy(text) + "```"

    return FENCED.sub(block, page)


def _run(command: str) -> str:
    what, *arguments = shlex.split(command)
    program = ["-m", "relbounds"] if what == "relbounds" else [what]
    environment = {**os.environ, "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}
    ran = subprocess.run(
        [sys.executable, *program, *arguments],
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
        env=environment,
    )
    return ran.stdout


def _part(said: str, printed: str) -> str:
    """As many lines, from the first that begins with the same two words."""
    begins = re.match(r"\S+\s+\S+", said)
    assert begins is not None, "the quoted part has a first line"
    lines = printed.splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith(begins[0]))
    return "\n".join(lines[start : start + len(said.splitlines())])


def _tidy(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.strip("\n").splitlines())


def main() -> None:
    given = sys.argv[1:] or ["README.md", *_pages()]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        Path("examples").symlink_to(ROOT / "examples")
        for name in given:
            page = ROOT / name
            before = page.read_text(encoding="utf-8")
            after = printed_anew(before)
            if after != before:
                page.write_text(after, encoding="utf-8")
                sys.stdout.write(f"changed: {name}\n")
        os.chdir(ROOT)


def _pages() -> list[str]:
    found = (path.relative_to(ROOT) for path in (ROOT / "docs").rglob("*.md"))
    return sorted(path.as_posix() for path in found if "_build" not in path.parts)


if __name__ == "__main__":
    main()
