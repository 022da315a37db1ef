"""Writes certificates: what the search found out, put so that a small program can check it."""
