"""Judges evidence: runs that show a verdict, by code that shares nothing with the search."""
