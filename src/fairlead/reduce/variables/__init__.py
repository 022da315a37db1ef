"""Variables that do not tell states apart (docs/explanation/reduction.md)."""
