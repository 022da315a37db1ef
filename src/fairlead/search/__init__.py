"""Searches graphs of the engine: one module for each way to search."""
