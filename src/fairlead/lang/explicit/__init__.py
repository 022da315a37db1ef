"""Explicit graphs as files: Aldebaran (.aut), JSON, and Graphviz (.dot, written only)."""
