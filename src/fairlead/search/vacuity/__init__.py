"""Searches for trivial reasons why an assertion holds."""
