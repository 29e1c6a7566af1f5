"""How is a result shown as a page? One file that stands alone, and a view for notebooks.

The way is: result -> plain dictionaries -> templates that escape whatever they are given.
"""

from relbounds.report.answers import answer_view
from relbounds.report.evidence import doubts
from relbounds.report.page import notebook_view, write_report

__all__ = ["answer_view", "doubts", "notebook_view", "write_report"]
