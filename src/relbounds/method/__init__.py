"""The paper's stages, from training data to a result."""
