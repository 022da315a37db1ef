"""Reduces systems to smaller ones that are equivalent for the question."""
