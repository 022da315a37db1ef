"""Reads and writes explicit graphs: Aldebaran (.aut), JSON, and Graphviz (.dot, written only)."""
