"""The command line: thin, written on the public API."""

import os
import sys

_INTERRUPTED = 130


def main() -> None:
    """Runs the command line and exits."""
    try:
        from fairlead.base.allowance import own_process
        from fairlead.cli.main import run

        own_process()
        status = run()
    except KeyboardInterrupt:  # while the program itself is being loaded
        print("interrupted", file=sys.stderr)
        status = _INTERRUPTED
    if status == _INTERRUPTED:
        # an interrupt while a module was being loaded would have Python end itself by the signal instead
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    sys.exit(status)
