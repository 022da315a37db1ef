"""States that differ only in who is who, examined as one (docs/explanation/reduction.md)."""
