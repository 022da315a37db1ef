"""Applies limits to the questions about a model, and reads a model again after work on it was cut off."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from fairlead.base.allowance import Stopped
from fairlead.outcome.limits import Limits, limit_reached, within


class Renewable(Protocol):
    """Something that may have been left half changed."""

    def _renew(self) -> None:
        """Starts again if work was stopped at an arbitrary moment."""
        ...

    def _note_abrupt_stop(self) -> None:
        """Remembers that it was."""
        ...


M = TypeVar("M", bound=Renewable)
P = ParamSpec("P")
R = TypeVar("R")


def limited(phase: str) -> Callable[[Callable[Concatenate[M, P], R]], Callable[Concatenate[M, P], R]]:
    """A method that keeps the limits given as `limits`; reaching one is a `LimitReached` with the phase."""

    def decorate(method: Callable[Concatenate[M, P], R]) -> Callable[Concatenate[M, P], R]:
        @functools.wraps(method)
        def call(model: M, /, *arguments: P.args, **named: P.kwargs) -> R:
            model._renew()
            given = named.get("limits")
            allowance = None
            try:
                with within(given if isinstance(given, Limits) else None, phase) as allowance:
                    return method(model, *arguments, **named)
            except Stopped as stop:  # the watchdog raised it when the block was being left already
                raise limit_reached(stop) from None
            finally:
                if allowance is not None and allowance.was_abrupt:
                    model._note_abrupt_stop()

        return call

    return decorate
