"""Tests of `fairlead.reduce`: minimisation, counters, symmetry."""
