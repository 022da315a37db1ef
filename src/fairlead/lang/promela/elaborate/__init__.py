"""Turns the syntax tree of a Promela model into its Network."""
