"""The command line: thin, written on the public API."""

from fairlead.cli.main import main

__all__ = ["main"]
