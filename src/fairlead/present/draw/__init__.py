"""Drawings of graphs: what is shown, where it stands, and how it is written."""
