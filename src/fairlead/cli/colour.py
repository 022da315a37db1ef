"""Decides when to use colours: on a terminal, unless the user or the environment says otherwise."""

from __future__ import annotations

import os
from enum import Enum

import click

#: the name of the option among the parameters of a command
COLOR = "color"


class Colour(Enum):
    """When there are colours."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


def colour_choice(colour: Colour) -> bool | None:
    """Whether there are colours; None leaves it to whether a stream is a terminal.

    `NO_COLOR` (no-color.org) and `FORCE_COLOR` (force-color.org) count if they are not empty.
    """
    if colour is not Colour.AUTO:
        return colour is Colour.ALWAYS
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return False if os.environ.get("TERM") == "dumb" else None


def color_option() -> click.Option:
    """`--color`, which every command has: it decides for all that is printed from then on."""

    def choose(ctx: click.Context, parameter: click.Parameter, value: str) -> None:
        ctx.color = colour_choice(Colour(value))

    return click.Option(
        ["--color"],
        type=click.Choice([colour.value for colour in Colour]),
        default=Colour.AUTO.value,
        expose_value=False,
        is_eager=True,
        callback=choose,
        help="Use colours: on a terminal (auto; see NO_COLOR), always or never.",
    )
