"""Counts processes instead of distinguishing them (process counter abstraction)."""
