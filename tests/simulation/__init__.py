"""Tests of `fairlead.simulation`: stepping and replaying."""
