"""Readers fed with damaged input; `make fuzz` does the same for an hour."""
