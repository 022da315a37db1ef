"""`fairlead certify`: checks what a certificate claims of a model, without the engine."""

from __future__ import annotations

from pathlib import Path

import click

from fairlead.base.files import cannot_read
from fairlead.certify.container import Rejected
from fairlead.certify.program import Bounds, Status, stored_choices
from fairlead.certify.program import certify as check_certificate
from fairlead.certify.questions import ModelFile
from fairlead.cli.model import ALLOW_PYTHON, DEFINITIONS, parse_definitions
from fairlead.cli.options import WorkLimitOptions, work_limit_options


@click.command()
@click.argument("model", type=click.Path(dir_okay=False))
@click.argument("certificate", type=click.Path(dir_okay=False))
@DEFINITIONS
@ALLOW_PYTHON
@work_limit_options
def certify(
    model: str,
    certificate: str,
    definitions: tuple[str, ...],
    allow_python: tuple[str, ...],
    limited: WorkLimitOptions,
) -> int:
    """Check a CERTIFICATE that `fairlead check --certificate` wrote.

    Every listed state, and all its steps, are examined on the reference semantics. Exit status: 0 all
    that is claimed is accepted, 1 something is rejected, 2 the files are wrong, 3 a limit was reached.
    """
    limits, path = limited.limits(), Path(certificate)
    try:
        stored, processes = stored_choices(path)
    except Rejected as problem:
        click.echo(f"REJECTED  {path}: {problem}")
        return Status.REJECTED
    except OSError as error:
        raise cannot_read(path, error) from None
    chosen = stored | parse_definitions(definitions)
    file = ModelFile(Path(model), chosen, processes, tuple(map(Path, allow_python)))
    return check_certificate(file, path, Bounds(limits.timeout, limits.memory(), limits.threads), click.echo)
