"""How is a result shown as a page? One file that stands alone, and a view for notebooks.

The way is: result -> plain dictionaries -> templates that escape whatever they are given.
"""

from relbounds.report.notebook import notebook_view
from relbounds.report.page import write_report
from relbounds.report.saving import ReportError
from relbounds.report.sureness import doubts

__all__ = ["ReportError", "doubts", "notebook_view", "write_report"]
