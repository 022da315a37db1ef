"""Merges states that differ only in irrelevant variables (docs/explanation/reduction.md)."""
