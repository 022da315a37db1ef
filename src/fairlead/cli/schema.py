"""`fairlead schema`: writes the JSON Schema of what a command writes as JSON."""

from __future__ import annotations

import click

from fairlead.base.forms import Form, identifier
from fairlead.present.schemas import schema_text


@click.command()
@click.argument("form", required=False, type=click.Choice([form.value for form in Form]))
def schema(form: str | None) -> int:
    """Write the JSON Schema of what a command writes as JSON, or list the schemas there are.

    advise, check, papers: what these commands write with --json. simulate: a line of what it writes. graph:
    graphs as JSON, as `graph` and `minimise` write them and every command reads them.
    """
    if form is None:
        for known in Form:
            click.echo(f"{known.value:<10} {identifier(known)}")
    else:
        click.echo(schema_text(Form(form)), nl=False)
    return 0
