"""Provides library types and functions of CSP#: those built in, and those the user writes in Python."""
