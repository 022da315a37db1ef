"""Parses formulas."""
