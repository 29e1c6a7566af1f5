"""Pictures of a result. Reads results, computes nothing."""

from relbounds.display.relevance_display import RelevanceDisplay

__all__ = ["RelevanceDisplay"]
