"""Tests of `fairlead.advice`: which fairness a property needs."""
