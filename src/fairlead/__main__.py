"""Runs the command line as `python -m fairlead`."""

from fairlead.cli import main

main()
