"""Encodes configurations as bytes (docs/reference/canonical-encoding.md)."""
