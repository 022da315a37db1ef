"""Makes signals end a command as Ctrl-C does, at a moment at which the command notices.

A signal becomes an exception only inside `interruptible`, whose caller catches it. One that arrives earlier
is remembered until then; one that arrives later finds nothing to end.
"""

from __future__ import annotations

import _thread
import signal
import threading
import time
from collections.abc import Callable
from importlib.machinery import ExtensionFileLoader
from types import FrameType
from typing import TypeVar

T = TypeVar("T")
#: after how many seconds a signal is sent again that came at a bad moment
_LATER = 0.005


class Ended(KeyboardInterrupt):
    """A signal other than Ctrl-C asks the process to end: what may be stored is, and nothing continues."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    @property
    def name(self) -> str:
        """The name of the signal."""
        return signal.Signals(self.number).name


class _Early:
    """The signal that arrived before there was anything to interrupt."""

    number: int | None = None


def listen() -> None:
    """From now on Ctrl-C, SIGTERM and SIGHUP are heard, unless the process was started with them ignored."""
    usual = {"SIGINT": signal.default_int_handler, "SIGTERM": signal.SIG_DFL, "SIGHUP": signal.SIG_DFL}
    for name, handler in usual.items():
        number = getattr(signal, name, None)  # there is no SIGHUP on Windows
        if number is not None and signal.getsignal(number) == handler:
            signal.signal(number, _arrive)


def stop_listening() -> None:
    """From now on the signals that were listened to do nothing: all is done but to exit."""
    for number in _heard():
        signal.signal(number, signal.SIG_IGN)


def interruptible(work: Callable[[], T]) -> T:
    """Does the work; inside, signals are exceptions."""
    number, _Early.number = _Early.number, None
    if number is not None:
        raise _exception(number)
    return work()


def _heard() -> list[int]:
    return [number for number in signal.valid_signals() if signal.getsignal(number) is _arrive]


def _arrive(number: int, frame: FrameType | None) -> None:
    while frame is not None:
        if frame.f_code is interruptible.__code__:
            raise _exception(number)
        if isinstance(frame.f_locals.get("self"), ExtensionFileLoader) or _ignores_exceptions(frame):
            # the engine is being loaded, and an exception in the midst of that would abort the process
            threading.Thread(target=_send_later, args=(number,), daemon=True).start()
            return
        frame = frame.f_back
    _Early.number = number


def _ignores_exceptions(frame: FrameType) -> bool:
    """Whether Python ignores what is raised here: in the callback of a lock that an import has given back."""
    return frame.f_code.co_name == "cb" and frame.f_code.co_filename == "<frozen importlib._bootstrap>"


def _send_later(number: int) -> None:
    time.sleep(_LATER)
    _thread.interrupt_main(signal.Signals(number))


def _exception(number: int) -> KeyboardInterrupt:
    return KeyboardInterrupt() if number == signal.SIGINT else Ended(number)
