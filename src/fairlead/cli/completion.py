"""`fairlead completion`: the script by which a shell completes commands, options and models."""

from __future__ import annotations

import click

_SHELLS = ("bash", "zsh", "fish")
_INSTRUCTIONS = {
    "bash": 'to enable it, put this into ~/.bashrc:  eval "$(fairlead completion bash)"',
    "zsh": 'to enable it, put this into ~/.zshrc, after compinit:  eval "$(fairlead completion zsh)"',
    "fish": "to enable it:  fairlead completion fish > ~/.config/fish/completions/fairlead.fish",
}


@click.command()
@click.argument("shell", type=click.Choice(_SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> int:
    """Print the script that lets SHELL complete fairlead's commands.

    \b
    bash: put  eval "$(fairlead completion bash)"  into ~/.bashrc
    zsh:  put  eval "$(fairlead completion zsh)"  into ~/.zshrc, after compinit
    fish: fairlead completion fish > ~/.config/fish/completions/fairlead.fish
    """
    from fairlead.cli.completing import SHELLS
    from fairlead.cli.main import COMPLETING, cli

    script = SHELLS[shell](cli, {}, "fairlead", COMPLETING).source()
    first, _, rest = script.partition("\n")
    told = f"# completion of fairlead for {shell}; {_INSTRUCTIONS[shell]}"
    # zsh wants its own comment in the first line
    click.echo(f"{first}\n{told}\n{rest}" if first.startswith("#") else f"{told}\n{script}", nl=False)
    return 0
