"""Which characters are tables made of?"""

from dataclasses import dataclass

from relbounds.commands.terminal import Terminal


@dataclass(frozen=True)
class Marks:
    """The characters of tables: shapes of the classes of relevance, and parts of bars."""

    shapes: tuple[str, str, str]
    bar: str
    track: str
    chance: str
    ellipsis: str

    @classmethod
    def of(cls, terminal: Terminal) -> "Marks":
        """Those that a terminal can show."""
        return _UNICODE if terminal.has_unicode else _ASCII


_UNICODE = Marks(("○", "◆", "■"), "█", "·", "┆", "…")
_ASCII = Marks((".", "o", "#"), "=", "-", "|", "...")
