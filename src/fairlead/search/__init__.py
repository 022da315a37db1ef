"""Searches: one module for each way to search a graph of the engine."""
