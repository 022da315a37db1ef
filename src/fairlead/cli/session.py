"""A session of the simulator: where commands come from, what is done with them, where answers go."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import click

from fairlead.base.diagnostics import (
    Diagnostic,
    FairleadError,
    InputError,
    InternalError,
    LimitReached,
    Related,
    counted,
)
from fairlead.base.files import not_utf8, read_utf8
from fairlead.base.forms import Form, identifier
from fairlead.base.source import Source, Span
from fairlead.base.writing import write_whole
from fairlead.cli.signals import Ended
from fairlead.outcome.events import Phase
from fairlead.outcome.limits import Limits, within
from fairlead.simulation.commands import (
    SYNTAX,
    Argument,
    Command,
    Word,
    help_lines,
    parse_command,
    perform,
    script_lines,
)
from fairlead.simulation.records import initial_records, state_record, step_records, why_record
from fairlead.simulation.text import (
    Role,
    start_lines,
    state_lines,
    trace_lines,
    walk_lines,
)
from fairlead.simulation.value import Simulation, label, why
from fairlead.simulation.view import steps_added

PROMPT = "> "
_STYLES = {
    Role.HEADING: {"bold": True},
    Role.CHANGED: {"fg": "yellow"},
    Role.EXPECTED: {"fg": "cyan"},
    Role.PROBLEM: {"fg": "red"},
    Role.REMARK: {"fg": "green"},
}


def is_terminal() -> bool:
    """Whether a person types the commands."""
    return sys.stdin is not None and sys.stdin.isatty()


# ---------------------------------------------------------------- answers


class Output(Protocol):
    """Where the answers go: every command ends with the state it leads to, or with what it asks for."""

    def begin(self, simulation: Simulation) -> None:
        """Shows the state the session begins in."""
        ...

    def echo(self, line: str) -> None:
        """Repeats a command that was not typed."""
        ...

    def answer(self, command: Command, before: Simulation, after: Simulation) -> None:
        """Shows what a command has done, or what it asks for."""
        ...

    def problem(self, error: FairleadError) -> None:
        """Says why a command was not carried out."""
        ...


class TextOutput:
    """Answers for people."""

    def begin(self, simulation: Simulation) -> None:
        """The state, in short."""
        self._show(state_lines(simulation, paint=_paint))

    def echo(self, line: str) -> None:
        """The command behind the prompt that a person would have seen."""
        self._show((PROMPT + printable(line.strip()),))

    def answer(self, command: Command, before: Simulation, after: Simulation) -> None:
        """One state, or the answer to a command."""
        match command.word:
            case Word.HELP:
                self._show(help_lines())
            case Word.TRACE:
                self._show(trace_lines(after, paint=_paint))
            case Word.STATE:
                self._show(state_lines(after, full=True, paint=_paint))
            case Word.START if command.number is None:
                self._show(start_lines(after))
            case Word.WHY:
                self._show(why(after, command.text).lines())
            case Word.SAVE:
                self._show((f"{counted(len(after.path), 'step')} written to {command.text}",))
            case Word.QUIT:
                pass
            case _:
                self._show(self._moved(command, before, after))

    def problem(self, error: FairleadError) -> None:
        """The problem, on the terminal like everything else."""
        self._show(str(error).splitlines())

    def _moved(self, command: Command, before: Simulation, after: Simulation) -> Iterator[str]:
        made = steps_added(before, after)
        if made > 1:
            yield from walk_lines(after, len(before.path))
        if command.word is Word.RANDOM and made < (command.number or 1):
            reason = "an event fails at run time here" if after.failures else "no step is possible here"
            yield f"stopped after {counted(made, 'step')}: {reason}"
        yield from state_lines(after, paint=_paint)

    def _show(self, lines: Iterable[str]) -> None:
        click.echo("\n".join(lines))


class JsonOutput:
    """Answers for programs: one object on a line; the last one for each command is the state."""

    def begin(self, simulation: Simulation) -> None:
        """The state."""
        self._write(state_record(simulation))

    def echo(self, line: str) -> None:
        """Nothing: the author of the command knows it."""

    def answer(self, command: Command, before: Simulation, after: Simulation) -> None:
        """The steps that were made or asked for, and the state."""
        match command.word:
            case Word.TRACE:
                records = step_records(after)
            case Word.WHY:
                records = [why_record(after, command.text)]
            case Word.START if command.number is None:
                records = initial_records(after)
            case Word.QUIT:
                return
            case _:
                records = step_records(after, len(after.path) - steps_added(before, after))
        for record in records:
            self._write(record)
        self._write(state_record(after))

    def problem(self, error: FairleadError) -> None:
        """Nothing: a problem ends a script, and is written when it does."""

    def _write(self, record: dict[str, object]) -> None:
        write_record(record)


def write_record(record: dict[str, object]) -> None:
    """Writes one line of JSON, which says what form it has."""
    click.echo(json.dumps({"schema": identifier(Form.SIMULATE), **record}, ensure_ascii=False))


def _paint(text: str, role: Role) -> str:
    return click.style(text, **_STYLES[role])  # type: ignore[arg-type]


def printable(text: str) -> str:
    """The text without characters that could do things to a terminal."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


# ---------------------------------------------------------------- commands


class Input(Protocol):
    """Where the commands come from."""

    def lines(self, session: Session) -> Iterator[str]:
        """The lines, one by one."""
        ...

    def failed(self, error: FairleadError, output: Output) -> None:
        """What a command that cannot be carried out leads to."""
        ...

    def interrupted(self) -> None:
        """What Ctrl-C during a command leads to."""
        ...


class ScriptInput:
    """Commands from a file or from standard input; the first wrong one ends the session."""

    def __init__(self, name: str) -> None:
        self._name = "<stdin>" if name == "-" else name
        self._stream = sys.stdin if name == "-" else io.StringIO(_read(name))
        self._read: list[str] = []

    def lines(self, session: Session) -> Iterator[str]:
        """The lines, repeated in the answers; standard input is read no further than needed."""
        while line := self._readline():
            self._read.append(line)
            if line.strip():
                session.output.echo(line)
            yield line

    def _readline(self) -> str:
        try:
            return self._stream.readline()
        except UnicodeDecodeError:
            raise not_utf8(self._name) from None

    def failed(self, error: FairleadError, output: Output) -> None:
        """The error, at its line of the script."""
        raise InputError(tuple(self._placed(problem) for problem in error.diagnostics)) from None

    def interrupted(self) -> None:
        """The end."""
        raise KeyboardInterrupt

    def _placed(self, problem: Diagnostic) -> Diagnostic:
        *earlier, line = self._read
        command = line.strip()
        offset = sum(map(len, earlier)) + line.index(command)
        place = Span(Source(self._name, "".join(self._read)), offset, offset + len(command))
        related = () if problem.span is None else (Related("here", problem.span),)
        return Diagnostic(problem.code, problem.message, place, problem.hint, related + problem.related)


def _read(name: str) -> str:
    return read_utf8(Path(name))


class TerminalInput:
    """Commands a person types, with history and completion where readline is to be had."""

    def lines(self, session: Session) -> Iterator[str]:
        """What is typed, up to the end of input."""
        _complete_with(session)
        while True:
            try:
                yield input(PROMPT)
            except EOFError:
                click.echo()
                return
            except UnicodeDecodeError:
                click.echo("this is not UTF-8")

    def failed(self, error: FairleadError, output: Output) -> None:
        """The problem; the session continues."""
        output.problem(error)

    def interrupted(self) -> None:
        """The command is given up; the session continues."""
        click.echo("\ninterrupted; nothing has changed")


def _complete_with(session: Session) -> None:
    with suppress(ImportError):
        import readline

        def complete(text: str, number: int) -> str | None:
            found = completions(session.simulation, text)
            return found[number] if number < len(found) else None

        # a whole line at once: events of internal steps have blanks and brackets in them
        readline.set_completer_delims("\n")
        readline.set_completer(complete)
        is_editline = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if is_editline else "tab: complete")


def completions(simulation: Simulation, text: str) -> list[str]:
    """The lines that a beginning can become: commands, and the enabled events."""
    events = list(dict.fromkeys(label(step.event) for step in simulation.enabled))
    words = [
        word.value + ("" if SYNTAX[word].argument is Argument.NOTHING else " ")
        for word in Word
        if word is not Word.TAKE
    ]
    takes = [f"{Word.TAKE.value} {event}" for event in events]
    offered = takes if text.startswith(Word.TAKE.value) else [*events, *words]
    return [line for line in offered if line.startswith(text)]


# ---------------------------------------------------------------- the session


class Session:
    """Reads commands and answers them until one says quit, or there are no more."""

    def __init__(
        self, simulation: Simulation, commands: Input, output: Output, limits: Limits | None = None
    ) -> None:
        """The limits hold for each command."""
        self.simulation = simulation
        self.output = output
        self._commands = commands
        self._limits = limits

    def run(self) -> None:
        """The whole session."""
        self.output.begin(self.simulation)
        for line in self._commands.lines(self):
            try:
                command = parse_command(line, self.simulation)
                if command is not None:
                    with within(self._limits, Phase.STEPPING):
                        self._carry_out(command)
                    if command.word is Word.QUIT:
                        return
            except InternalError:
                raise
            except (InputError, LimitReached) as error:
                self._commands.failed(error, self.output)
            except Ended:
                raise
            except KeyboardInterrupt:
                self._commands.interrupted()

    def _carry_out(self, command: Command) -> None:
        before = self.simulation
        after = perform(before, command)
        if command.word is Word.SAVE:
            _save(after, command.text)
        self.output.answer(command, before, after)
        self.simulation = after  # only now: an interrupted command has changed nothing


def _save(simulation: Simulation, name: str) -> None:
    write_whole(Path(name), "".join(f"{line}\n" for line in script_lines(simulation)))
