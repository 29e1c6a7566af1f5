"""From a file to numbers: what was handed in, and what has to be done to it?"""

from relbounds.intake.files import RawTable, read_table
from relbounds.intake.journal import Journal
from relbounds.intake.layout import Layout
from relbounds.intake.prepare import Prepared, Wishes, prepare

__all__ = [
    "Journal",
    "Layout",
    "Prepared",
    "RawTable",
    "Wishes",
    "prepare",
    "read_table",
]
