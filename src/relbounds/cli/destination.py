"""In which formats is an answer wanted, and where does it go?"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from relbounds.cli.main import FORMATS
from relbounds.exceptions import WrongInputError

if TYPE_CHECKING:
    from relbounds.answer.answer import Answer

_PAGE = "html"


@dataclass(frozen=True)
class Destination:
    """Formats that are wanted, and the folder for them; without one it is standard output."""

    formats: tuple[str, ...]
    folder: Path | None

    @classmethod
    def of(cls, formats: Sequence[str], out: Path | None, table: Path) -> "Destination":
        """A single format for machines goes to standard output unless a folder is named.

        The folder is made and tried: what cannot be written is told before the long wait.
        """
        wanted = _formats(formats)
        if out is None and len(wanted) == 1 and wanted[0] != _PAGE:
            return cls(wanted, None)
        folder = out or Path(f"{table.stem}-relevance")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with TemporaryFile(dir=folder):
                pass
        except OSError as error:
            raise WrongInputError(
                f"Files cannot be written to {folder} ({why_not(folder, error)}); name another "
                "folder with --out."
            ) from error
        return cls(wanted, folder)

    def text(self, answer: "Answer") -> str:
        """What goes to standard output."""
        from relbounds.cli.formats import TEXTS  # noqa: PLC0415 - loads solvers

        return TEXTS[self.formats[0]](answer)

    def save(self, answer: "Answer") -> list[Path]:
        """Write the files; gives their paths."""
        from relbounds.cli.formats import TEXTS  # noqa: PLC0415 - loads solvers

        folder = self.folder or Path()
        for each in self.formats:
            path = folder / FORMATS[each]
            if each == _PAGE:
                answer.report(path)
            else:
                path.write_text(TEXTS[each](answer), encoding="utf-8", errors="backslashreplace")
        return [folder / FORMATS[each] for each in self.formats]


def why_not(folder: Path, error: OSError) -> str:
    """Why nothing can be written to a folder, in a few words."""
    return "it is a file, not a folder" if folder.is_file() else str(error.strerror)


def _formats(typed: Sequence[str]) -> tuple[str, ...]:
    names = [name.strip().lower() for each in typed for name in each.split(",")] or ["html"]
    if unknown := [name for name in names if name not in FORMATS]:
        raise WrongInputError(
            f"--format must be one of {', '.join(FORMATS)}, or several with commas in between; "
            f"got {unknown[0]!r}."
        )
    return tuple(dict.fromkeys(names))
