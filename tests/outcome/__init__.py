"""Tests of `fairlead.outcome`: what checks report while they run."""
