"""Helpers of the tests of the benchmark."""
