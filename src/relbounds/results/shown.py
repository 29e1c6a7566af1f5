"""How does an answer show itself: as a text of a screen, and in notebooks?"""

from relbounds.results.record import Record


class Shown(Record):
    """Base of records that people ask for; ``to_dict`` has all of them."""

    def __repr__(self) -> str:
        from relbounds.wording.screen import text_of  # noqa: PLC0415 - sentences read results

        return text_of(self)

    def _repr_html_(self) -> str:
        """What a notebook shows: sentences and a table; names stay text."""
        from relbounds.report import answer_view  # noqa: PLC0415 - a page reads results

        return answer_view(self)
