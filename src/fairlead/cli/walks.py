"""`simulate --random`: random walks through a model, told as text or as JSON."""

from __future__ import annotations

from collections.abc import Mapping

import click

from fairlead.api.model import Model
from fairlead.api.walking import MOST_STEPS, walk
from fairlead.base.diagnostics import Code, input_error
from fairlead.base.records import dataclass
from fairlead.checker.options import exclusive
from fairlead.cli.groups import option_group
from fairlead.cli.progress import ProgressLine
from fairlead.cli.session import write_record
from fairlead.cli.status import ExitStatus
from fairlead.outcome.events import Phase
from fairlead.outcome.limits import Limits
from fairlead.simulation.walks import RandomWalks
from fairlead.simulation.walks_text import walks_lines, walks_records


@dataclass(frozen=True)
class WalkOptions:
    """How a model is walked through, as it was given to the command."""

    random: int | None
    until: str | None
    walks: int | None

    def check(self, others: Mapping[str, object]) -> None:
        """Refuses what is for random walks where there are none, and the `others` where there are."""
        if self.random is None:
            for name in ("until", "walks"):
                if getattr(self, name) is not None:
                    raise input_error(Code.USAGE, f"--{name} is for --random")
            return
        for name, given in others.items():
            if given is not None:
                raise exclusive("--random", name)


walk_options = option_group(
    WalkOptions,
    "walks",
    click.option(
        "--random",
        type=click.IntRange(1, MOST_STEPS),
        metavar="N",
        help="Walk at random for up to N steps, without a session: for models too large to check.",
    ),
    click.option(
        "--until",
        metavar="CONDITION",
        help="For --random: stop where this is met, such as 'x == 3', an event, or both.",
    ),
    click.option(
        "--walks",
        type=click.IntRange(1, MOST_STEPS),
        metavar="W",
        help="For --random: up to W walks from the start, each of N steps (default 1).",
    ),
)


def walk_through(
    model: Model,
    process: str | None,
    options: WalkOptions,
    seed: int | None,
    limits: Limits,
    *,
    as_json: bool,
) -> ExitStatus:
    """Makes the walks, and shows what they have found."""
    assert options.random is not None
    reporter = ProgressLine(not as_json)
    with reporter:
        reporter.begin("", Phase.WALKING)
        found = walk(
            model,
            process,
            steps=options.random,
            walks=options.walks or 1,
            until=options.until,
            seed=seed,
            limits=limits,
            reporter=reporter,
        )
        reporter.clear()
    if as_json:
        for record in walks_records(found):
            write_record(record)
    else:
        for line in walks_lines(found):
            click.echo(line)
    return _status(found)


def _status(found: RandomWalks) -> ExitStatus:
    if found.ending.is_wrong:
        return ExitStatus.VIOLATED
    return ExitStatus.HOLDS if found else ExitStatus.UNKNOWN
