"""Counting processes instead of telling them apart."""
