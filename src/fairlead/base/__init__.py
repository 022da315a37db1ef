"""Provides what every room uses: diagnostics, source texts, files, lazy data classes, schemas."""
