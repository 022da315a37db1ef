"""Draws graphs: what is shown, its place, and how it is written."""
