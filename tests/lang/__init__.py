"""Tests of `fairlead.lang`: the modelling languages."""
