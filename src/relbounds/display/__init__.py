"""Pictures of a result. Reads results, computes nothing."""

from relbounds.display.path_display import RelevancePathDisplay
from relbounds.display.redundancy_display import RedundancyDisplay
from relbounds.display.relevance_display import RelevanceDisplay

__all__ = ["RedundancyDisplay", "RelevanceDisplay", "RelevancePathDisplay"]
