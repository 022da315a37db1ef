"""Configurations as bytes that depend on the model alone (docs/reference/canonical-encoding.md)."""
