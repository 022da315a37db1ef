"""Elaborates the syntax of FSP to machines, compositions and networks."""
