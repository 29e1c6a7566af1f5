"""What does the command line offer? Written from the program itself while the site is built."""

import argparse
from collections.abc import Iterator
from typing import Any

from relbounds.cli.main import parser as program

PLACE = "<!-- commands -->"


def fill_in(app: Any, page: str, source: list[str]) -> None:
    """Put the reference in its place, wherever a page has one."""
    source[0] = source[0].replace(PLACE, reference())


def reference() -> str:
    """A section for each command, in Markdown."""
    parser = program()
    (commands,) = (each for each in parser._actions if _has_commands(each))
    sections = [_section(name, commands.choices[name]) for name in commands.choices]
    return "\n\n".join([f"```text\n{parser.format_usage().strip()}\n```", *sections])


def _has_commands(action: argparse.Action) -> bool:
    return isinstance(action, argparse._SubParsersAction)


def _section(name: str, command: argparse.ArgumentParser) -> str:
    usage = f"```text\n{command.format_usage().strip()}\n```"
    described = [command.description or ""]
    groups = [part for group in command._action_groups for part in _group(group)]
    ending = [command.epilog] if command.epilog else []
    return "\n\n".join([f"## relbounds {name}", *described, usage, *groups, *ending])


def _group(group: argparse._ArgumentGroup) -> Iterator[str]:
    rows = [_row(each) for each in group._group_actions if each.help != argparse.SUPPRESS]
    if rows:
        yield f"**{(group.title or 'arguments').capitalize()}**"
        yield "\n".join(["| argument | meaning |", "|---|---|", *rows])


def _row(action: argparse.Action) -> str:
    formatter = argparse.HelpFormatter(prog="relbounds")
    called = formatter._format_action_invocation(action)
    meaning = formatter._expand_help(action) if action.help else ""
    return f"| `{_cell(called)}` | {_cell(meaning)} |"


def _cell(text: str) -> str:
    """Text that neither ends a cell nor turns into markup."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
