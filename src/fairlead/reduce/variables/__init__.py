"""Variables that do not distinguish states (docs/explanation/reduction.md)."""
