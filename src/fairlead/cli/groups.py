"""Groups of options: a command gets them together, as one value."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]


def decorated(command: Command, *decorators: Decorator) -> Command:
    """The command with options, in this order in its help."""
    for decorator in reversed(decorators):
        command = decorator(command)
    return command


def option_group(
    value: type, name: str, *options: Decorator, renamed: Mapping[str, str] = MappingProxyType({})
) -> Decorator:
    """Adds options to a command, which gets a `value` with them as the argument `name`.

    The fields of the value have the names of the options, except those that are `renamed`, by field.
    """
    names = {field.name: renamed.get(field.name, field.name) for field in fields(value)}

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def with_group(*arguments: Any, **given: Any) -> Any:
            together = value(**{field: given.pop(option) for field, option in names.items()})
            return command(*arguments, **{name: together}, **given)

        return decorated(with_group, *options)

    return decorate
