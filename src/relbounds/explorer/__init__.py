"""Pull at one feature and watch the others move: a page that asks a fitted model."""
