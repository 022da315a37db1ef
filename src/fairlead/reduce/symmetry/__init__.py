"""Merges states that differ only by a permutation of processes (docs/explanation/reduction.md)."""
