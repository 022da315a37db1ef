"""Tests of `fairlead.checker`: questions, strategies and results."""
