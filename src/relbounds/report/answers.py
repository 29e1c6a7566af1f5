"""What does a notebook show of an answer to a further question? Plain sentences and a table."""

from relbounds.report.rendering import rendered
from relbounds.results.record import Record
from relbounds.wording.screen import view_of


def answer_view(answer: Record) -> str:
    """Markup for the output of a cell; whatever a name holds stays text."""
    view = view_of(answer)
    return rendered(
        "answer.html",
        view=view,
        columns=[str(each) for each in view.table.columns],
        rows=[(str(name), cells) for name, *cells in view.table.itertuples(name=None)],
    )
