"""Checks certificates: a small program without the engine, which does not search."""
