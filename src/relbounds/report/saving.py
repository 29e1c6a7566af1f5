"""How does a page get to its place? Whole, or not at all."""

import os
from pathlib import Path

from relbounds.exceptions import ReportError


def save(text: str, path: Path) -> None:
    """Write beside the place first, and then put it there in one step."""
    try:
        _refuse_what_is_no_file(path)
        _put(text, path)
    except ReportError:
        raise
    except OSError as error:
        raise ReportError(
            f"The report cannot be written to {str(path)!r}: {error.strerror}. "
            "Choose another place."
        ) from error


def _refuse_what_is_no_file(path: Path) -> None:
    if path.is_dir():
        raise ReportError(
            f"The report needs the name of a file; {str(path)!r} is a folder. "
            f"Add one, such as {str(path / 'report.html')!r}."
        )
    if not path.parent.is_dir():
        raise ReportError(
            f"The report cannot be written to {str(path)!r}: there is no folder "
            f"{str(path.parent)!r}. Create it, or choose another place."
        )


def _put(text: str, path: Path) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        # A lone surrogate, which no encoding has, becomes a reference that browsers can read.
        beside.write_bytes(text.encode(errors="xmlcharrefreplace"))
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
