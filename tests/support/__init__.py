"""Helpers of the tests: oracles, generators of random models, readers of output. No tests."""
