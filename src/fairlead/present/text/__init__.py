"""Presents evidence and advice as plain text."""
