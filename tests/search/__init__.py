"""Tests of `fairlead.search`: each way to search, with threads, on disk, with checkpoints."""
