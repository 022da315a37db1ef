"""Reads HTML reports, as trees of elements and in a headless Chromium."""
