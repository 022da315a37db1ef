"""Tests of the house itself: imports, sizes, sentences, and what the contributing guide says."""
