"""Benchmarks: fairlead and SPIN on the same systems, taking turns. `python -m bench --help` says more."""
