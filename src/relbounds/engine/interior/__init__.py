"""The fast engine: interior points in batches."""
