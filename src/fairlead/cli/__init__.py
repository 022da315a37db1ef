"""The command line: thin, written on the public API."""

import sys


def main() -> None:
    """Runs the command line and exits."""
    try:
        from fairlead.cli.main import run

        status = run()
    except KeyboardInterrupt:  # while the program itself is being loaded
        print("interrupted", file=sys.stderr)
        status = 130
    sys.exit(status)
