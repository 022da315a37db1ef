"""Serves the language server protocol: a thin face of `service/`."""
