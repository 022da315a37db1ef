"""Smaller systems that are equivalent for what is asked."""
