"""Symbolic search: sets of states as decision diagrams, and fixpoints over them."""
