"""Tests of `fairlead.engine`, the Python face of the C++ engine."""
