"""Reads the languages of models: text to syntax tree to Network."""
