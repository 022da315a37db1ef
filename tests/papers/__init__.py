"""Tests of `fairlead.papers`: the published tables, checked again."""
