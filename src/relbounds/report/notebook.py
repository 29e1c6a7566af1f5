"""What does a notebook show of a result? The answer and the table, without a script."""

from relbounds.report.features import side_view, sides
from relbounds.report.rendering import rendered
from relbounds.result import RelevanceResult
from relbounds.wording import summary

_MOST_ROWS = 50


def notebook_view(result: RelevanceResult) -> str:
    """Markup for the output of a cell; its styles touch nothing else on the page."""
    tables = {} if result.is_degenerate else sides(result)
    return rendered(
        "notebook.html",
        sentences=summary(result),
        sides={
            name: side_view(result, side, most_rows=_MOST_ROWS) for name, side in tables.items()
        },
    )
