"""Trivial reasons why an assertion holds."""
