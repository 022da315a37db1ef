"""Presents results for people and for other programs: one set of sentences, several forms."""
