"""Elaborates the syntax tree of CSP# to a Network: names, types, programs, positions, compositions."""
