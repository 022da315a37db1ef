"""The `fairlead` command and its subcommands."""

from __future__ import annotations

import os
from importlib import import_module

import click

from fairlead.base.version import __version__
from fairlead.cli.colour import COLOR, color_option
from fairlead.cli.guard import guarded

#: by this variable of the environment a shell asks what could come next
COMPLETING = "_FAIRLEAD_COMPLETE"
#: the subcommands; each is a function in the module of its name
_COMMANDS = (
    "advise", "certify", "check", "completion", "explain", "grade", "graph", "lsp", "ltl", "mcp",
    "minimise", "papers", "schema", "simulate", "validate",
)  # fmt: skip


class _Commands(click.Group):
    """Loads the module of a subcommand when it is asked for, and no other."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"fairlead.cli.{cmd_name}"), cmd_name)
        if not any(parameter.name == COLOR for parameter in command.params):
            command.params.append(color_option())
        if COMPLETING in os.environ:
            from fairlead.cli.completing import teach

            teach(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in _COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            from fairlead.cli.help import refuse_command

            refuse_command(ctx, args[0], _COMMANDS)
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from fairlead.cli.help import write_group_help

        write_group_help(self, ctx, formatter)


@click.group(
    cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, message="%(prog)s %(version)s")
def cli() -> None:
    """Check concurrent and distributed systems under fairness."""


def run(arguments: list[str] | None = None) -> int:
    """Runs the command line; the exit status."""
    if COMPLETING in os.environ:
        from fairlead.cli.completing import answer

        return guarded(lambda: answer(cli, COMPLETING, os.environ[COMPLETING]))
    return guarded(lambda: cli.main(arguments, prog_name="fairlead", standalone_mode=False))
