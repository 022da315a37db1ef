"""Tests of the models in `examples/` and `bench/models`: verdicts and sizes."""
