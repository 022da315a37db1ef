"""Provides what `import fairlead` gives: models and the questions about them."""
