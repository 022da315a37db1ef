"""Tests of `fairlead.base`: records, files, source texts."""
