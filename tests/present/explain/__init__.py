"""Tests of the texts of `fairlead explain`."""
