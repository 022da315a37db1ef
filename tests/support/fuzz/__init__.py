"""Fuzzing of everything that reads what others wrote: `python -m tests.support.fuzz`, or `make fuzz`."""
