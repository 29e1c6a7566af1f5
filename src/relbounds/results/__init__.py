"""All that was found, frozen. Imports numpy and pandas only."""
