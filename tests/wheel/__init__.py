"""Installs the wheel where there is no compiler and runs tests there: `make test-wheel`."""
