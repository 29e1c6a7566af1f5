"""From a file to numbers: what was handed in, and what has to be done to it?"""

from relbounds.intake.journal import Journal
from relbounds.intake.prepare import Prepared, Wishes, prepare
from relbounds.intake.readers import RawTable, read_table
from relbounds.intake.refusal import WrongInputError

__all__ = [
    "Journal",
    "Prepared",
    "RawTable",
    "Wishes",
    "WrongInputError",
    "prepare",
    "read_table",
]
