"""The shell: turns arguments into calls, and errors into sentences."""

from relbounds.cli.main import main, parser

__all__ = ["main", "parser"]
