"""Formats `--help`: commands and options under headings, with examples, and suggestions for slips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

#: commands under headings, each in a line; others are described by their own docstrings
COMMANDS: Mapping[str, Mapping[str, str]] = {
    "Ask": {
        "check": "answer the assertions of a model, under notions of fairness",
        "advise": "find out which fairness an assertion needs",
        "validate": "validate stored counterexamples again, without the search",
        "certify": "check a certificate of what holds, without the engine",
        "grade": "compare the verdicts on a model with the expected ones",
    },
    "Look": {
        "simulate": "step through a model, or replay a counterexample",
        "graph": "write or draw the reachable states and transitions",
        "minimise": "write the smallest system that is equivalent",
        "ltl": "show how a formula is read, and its automaton",
    },
    "Serve": {
        "studio": "edit, check, simulate and draw models in the browser",
        "lsp": "run the language server for an editor",
        "mcp": "run the server of tools for agents",
    },
    "Learn": {
        "papers": "check the rows of the papers' tables, and compare them with the published results",
        "explain": "explain an error code, a notion of fairness or a verdict",
        "schema": "write the JSON Schema of what a command writes as JSON",
        "completion": "let the shell complete commands, options and models",
    },
}

#: the options of commands under headings, in the order in which they are shown
OPTIONS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "check": {
        "Question": (
            "--ltl",
            "--ctl",
            "--process",
            "--finite-paths",
            "--states",
            "--vacuity",
            "--shortest",
            "--seed",
            "--counterexamples",
            "--language",
            "-D",
            "--processes",
            "--allow-python",
        ),
        "Fairness": ("--fairness", "--fair"),
        "Limits": (
            "--max-states",
            "--max-memory",
            "--timeout",
            "--threads",
            "--disk",
            "--disk-limit",
            "--checkpoint",
            "--checkpoint-every",
            "--resume",
        ),
        "Reductions": ("--reduction", "--counters", "--cutoff", "--compositional"),
        "Output": (
            "--trace",
            "--json",
            "--html",
            "--junit",
            "--sarif",
            "--certificate",
            "--coverage",
            "--plot",
            "--watch",
            "--quiet",
            "--verbose",
            "--color",
            "-h",
        ),
    },
}

EXAMPLES: Mapping[str, Sequence[tuple[str, str]]] = {
    "check": (
        ("all assertions of a model, under every notion", "fairlead check model.csp --fairness all"),
        ("a formula, under weak fairness", 'fairlead check model.csp --ltl "[]<> a" --fairness pwf'),
        ("one assertion, with another constant", 'fairlead check model.csp "System() deadlockfree" -D N=4'),
        ("how the size grows with a constant", "fairlead check model.csp -D N=2..6 --plot growth.svg"),
        ("again whenever the file is saved", "fairlead check model.csp --watch"),
        ("a large system, for ten minutes at most", "fairlead check model.csp --timeout 600 --reduction por"),
        ("keep the counterexample, and step through it", "fairlead check model.csp 1 --json > found.json"),
        ("", "fairlead simulate --replay found.json"),
    ),
}  # fmt: skip


def write_definitions(formatter: click.HelpFormatter, heading: str, rows: Mapping[str, str]) -> None:
    """A heading with terms and what they mean."""
    with formatter.section(heading):
        formatter.write_dl(list(rows.items()), col_max=34)


class TeachingCommand(click.Command):
    """A command whose help has its options under headings, and examples at the end."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options; those that no heading has come last."""
        records = {
            name: record
            for parameter in self.get_params(ctx)
            if isinstance(parameter, click.Option) and (record := parameter.get_help_record(ctx)) is not None
            for name in (parameter.opts[0],)
        }
        for heading, names in OPTIONS.get(self.name or "", {}).items():
            rows = [records.pop(name) for name in names if name in records]
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)
        if records:
            with formatter.section("Other options"):
                formatter.write_dl(list(records.values()))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Exit statuses and examples."""
        write_definitions(formatter, "Exit status", _statuses())
        with formatter.section("Examples"):
            for what, command in EXAMPLES.get(self.name or "", ()):
                if what:
                    formatter.write(f"{'':{formatter.current_indent}}# {what}\n")
                formatter.write(f"{'':{formatter.current_indent}}{command}\n")


def _statuses() -> dict[str, str]:
    """What the exit statuses mean, in short."""
    from fairlead.present.explain import table_rows, topic  # only for help

    found = {number: text.partition(":")[0] for number, text in table_rows(topic("status"))}
    return {number: text.replace("`", "") for number, text in found.items()}


def write_group_help(group: click.Group, ctx: click.Context, formatter: click.HelpFormatter) -> None:
    """The help of `fairlead` itself: what it is, where to begin, what there is."""
    formatter.write_text(
        "fairlead checks models of concurrent and distributed systems: does every fair execution satisfy "
        "the property? If not, it shows one that violates it."
    )
    formatter.write_paragraph()
    formatter.write_text("Models are CSP# (.csp), FSP (.lts), Promela (.pml) or graphs (.aut, .json).")
    with formatter.section("Begin with"):
        for command in (
            "fairlead check examples/mutual_exclusion/peterson.csp --fairness all",
            "fairlead COMMAND --help",
        ):
            formatter.write(f"{'':{formatter.current_indent}}{command}\n")
    names = group.list_commands(ctx)
    for heading, commands in COMMANDS.items():
        rows = {name: line for name, line in commands.items() if name in names}
        write_definitions(formatter, heading, rows)
    told = {name for commands in COMMANDS.values() for name in commands}
    others: dict[str, str] = {}
    for name in names:
        found = None if name in told else group.get_command(ctx, name)
        if found is not None:
            others[name] = found.get_short_help_str(70)
    if others:
        write_definitions(formatter, "More", others)
    from fairlead.logic.fairness.notions import CLASSIC, Fairness  # only for help
    from fairlead.present.explain import topic

    notions = {notion.value: topic(notion.value).summary for notion in CLASSIC if notion is not Fairness.NONE}
    write_definitions(formatter, "Notions of fairness (--fairness NAME, or all)", notions)
    write_definitions(formatter, "Exit status of check", _statuses())
    write_definitions(
        formatter,
        "More help",
        {
            "fairlead explain": "every error code, notion and verdict, each with an example",
            "docs/index.md": "the documentation, with a tutorial",
        },
    )
    options = [record for parameter in group.get_params(ctx) if (record := parameter.get_help_record(ctx))]
    with formatter.section("Options"):
        formatter.write_dl(options)


def refuse_command(ctx: click.Context, name: str, known: Sequence[str]) -> None:
    """Complains about a command that there is not, and offers the nearest one."""
    from fairlead.base.diagnostics import nearest

    hint = nearest(name, known)
    said = f"{hint[0].upper()}{hint[1:]}" if hint else f"There are {', '.join(known)}."
    ctx.fail(f"No such command '{name}'. {said}")
