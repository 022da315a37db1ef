"""The command line: thin, written on the public API."""

import io
import os
import sys


def main() -> None:
    """Runs the command line and exits."""
    from fairlead.cli.signals import listen, stop_listening

    listen()
    _prepare_streams()
    from fairlead.base.allowance import own_process
    from fairlead.cli.guard import settle_output
    from fairlead.cli.main import run
    from fairlead.cli.status import ended_by_signal

    own_process()
    status = run()
    settle_output()
    stop_listening()
    if ended_by_signal(status):
        # an interrupt while a module was being loaded would have Python end itself by the signal instead
        os._exit(status)
    sys.exit(status)


def _prepare_streams() -> None:
    """Has streams that were closed when the process started read and write nothing.

    Otherwise the next file that is opened would take the place of the stream. With PYTHONUNBUFFERED, the
    stream is given a buffer all the same: without one, Python drops what does not fit into a pipe at once.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123
        elif isinstance(stream, io.TextIOWrapper) and isinstance(stream.buffer, io.RawIOBase):
            encoding, errors = stream.encoding, stream.errors
            buffer = io.BufferedWriter(stream.detach())
            setattr(sys, name, io.TextIOWrapper(buffer, encoding, errors, line_buffering=True))
