"""Runs tests on an engine built with sanitizers: `make test-sanitized`."""
