"""Tests of `fairlead.evidence`: the judges of runs, paths and demonstrations."""
