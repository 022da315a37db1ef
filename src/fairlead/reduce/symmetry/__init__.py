"""States that differ only in who is who, looked at as one (docs/explanation/reduction.md)."""
