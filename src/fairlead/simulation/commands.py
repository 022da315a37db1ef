"""The commands of a simulation: their words, and what each does to the value."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import assert_never

from fairlead.base.diagnostics import Code, input_error, nearest
from fairlead.base.records import dataclass
from fairlead.model.attempts import attempts
from fairlead.model.labels import IDLE
from fairlead.simulation.value import (
    Simulation,
    back,
    choose_start,
    follow,
    jump_to,
    jump_to_loop,
    label,
    named,
    random_walk,
    redo,
    restart,
    take,
)


class Word(Enum):
    """The words that are commands; every other word is an event."""

    TAKE = "take"
    NEXT = "next"
    BACK = "back"
    REDO = "redo"
    RESTART = "restart"
    START = "start"
    GOTO = "goto"
    LOOP = "loop"
    RANDOM = "random"
    STATE = "state"
    TRACE = "trace"
    WHY = "why"
    SAVE = "save"
    HELP = "help"
    QUIT = "quit"


class Argument(Enum):
    """What may stand after a word."""

    NOTHING = "nothing"
    COUNT = "a number of steps"
    NUMBER = "a number"
    OPTIONAL_NUMBER = "a number, or nothing"
    EVENT = "an event or its number"
    NAME = "an event"
    FILE = "a file name"


@dataclass(frozen=True)
class Syntax:
    """How a command is written, and what it does."""

    argument: Argument
    usage: str
    help: str


SYNTAX = {
    Word.TAKE: Syntax(
        Argument.EVENT, "NUMBER, EVENT", "take an enabled event ('take EVENT' if a command has its name)"
    ),
    Word.NEXT: Syntax(Argument.COUNT, "next [K]", "follow the counterexample for a step, or K"),
    Word.BACK: Syntax(Argument.COUNT, "back [K]", "take back the last step, or the last K"),
    Word.REDO: Syntax(Argument.COUNT, "redo [K]", "take a step again that was taken back, or K"),
    Word.RESTART: Syntax(Argument.NOTHING, "restart", "back to the initial state"),
    Word.START: Syntax(
        Argument.OPTIONAL_NUMBER, "start [K]", "begin in initial state K; without K, list them"
    ),
    Word.GOTO: Syntax(Argument.NUMBER, "goto K", "to the state after step K"),
    Word.LOOP: Syntax(Argument.NOTHING, "loop", "to where the loop of the counterexample begins"),
    Word.RANDOM: Syntax(Argument.COUNT, "random [K]", "a random step, or K"),
    Word.STATE: Syntax(Argument.NOTHING, "state", "show the state, with nothing left out"),
    Word.TRACE: Syntax(Argument.NOTHING, "trace", "show the steps so far"),
    Word.WHY: Syntax(Argument.NAME, "why EVENT", "say why an event is not enabled"),
    Word.SAVE: Syntax(Argument.FILE, "save FILE", "write the steps so far as a script"),
    Word.HELP: Syntax(Argument.NOTHING, "help", "this list"),
    Word.QUIT: Syntax(Argument.NOTHING, "quit", "end (as does the end of input)"),
}

_WORDS = {word.value: word for word in Word}


@dataclass(frozen=True)
class Command:
    """A command as it was given; `number` is None where none was, `text` is an event or a file."""

    word: Word
    number: int | None = None
    text: str = ""


def parse_command(line: str, simulation: Simulation) -> Command | None:
    """The command on a line, or None if there is none; a word that is not a command must be an event."""
    text = _without_comment(line)
    if not text:
        return None
    first, _, rest = text.partition(" ")
    rest = rest.strip()
    if first == "?":
        return _with_argument(Word.HELP, rest)
    if first in _WORDS:
        return _with_argument(_WORDS[first], rest)
    if _is_number(text):
        return Command(Word.TAKE, int(text))
    if not named(simulation, text) and not _is_failing(text, simulation):
        words = [*_WORDS, *(step.event for step in simulation.enabled)]
        raise input_error(
            Code.USAGE,
            f"'{text}' is neither a command nor an enabled event",
            hint=nearest(text, words) or f"'why {text}' explains why; 'help' lists the commands",
        )
    return Command(Word.TAKE, text=text)


def _is_failing(text: str, simulation: Simulation) -> bool:
    """Whether a word is the name of an event that would be enabled, were it not for a failure."""
    return any(text in (f.event, (f.event or "").split(".")[0]) for f in simulation.failures)


def _without_comment(line: str) -> str:
    """The line up to a `#` that begins it or follows a blank."""
    text = " " + line.expandtabs(1)
    return text.partition(" #")[0].strip()


def _with_argument(word: Word, rest: str) -> Command:
    syntax = SYNTAX[word]
    match syntax.argument:
        case Argument.NOTHING if not rest:
            return Command(word)
        case Argument.OPTIONAL_NUMBER | Argument.COUNT if not rest:
            return Command(word)
        case Argument.OPTIONAL_NUMBER | Argument.COUNT | Argument.NUMBER if _is_number(rest):
            return Command(word, int(rest))
        case Argument.EVENT if rest:
            return Command(word, int(rest)) if _is_number(rest) else Command(word, text=rest)
        case Argument.FILE | Argument.NAME if rest:
            return Command(word, text=rest)
    given = f"'{rest}'" if rest else "nothing"
    raise input_error(Code.USAGE, f"after '{word.value}' comes {syntax.argument.value}, not {given}")


def _is_number(text: str) -> bool:
    # longer ones are not the number of a step, and Python refuses to read thousands of digits
    return text.isascii() and text.isdecimal() and len(text) <= 18


def perform(simulation: Simulation, command: Command) -> Simulation:
    """The simulation after a command; those that only show or store something leave it as it is."""
    count = 1 if command.number is None else command.number
    match command.word:
        case Word.TAKE:
            return take(simulation, command.text if command.number is None else command.number)
        case Word.NEXT:
            return follow(simulation, count)
        case Word.BACK:
            return back(simulation, count)
        case Word.REDO:
            return redo(simulation, count)
        case Word.RESTART:
            return restart(simulation)
        case Word.START:
            return simulation if command.number is None else choose_start(simulation, command.number)
        case Word.GOTO:
            return jump_to(simulation, count)
        case Word.LOOP:
            return jump_to_loop(simulation)
        case Word.RANDOM:
            return random_walk(simulation, count)
        case Word.STATE | Word.TRACE | Word.WHY | Word.SAVE | Word.HELP | Word.QUIT:
            return simulation
        case _:
            assert_never(command.word)


def script_lines(simulation: Simulation) -> Iterator[str]:
    """The commands that lead to the current state; idling changes nothing and is left out."""
    if simulation.start:
        yield f"{Word.START.value} {simulation.start + 1}"
    state = simulation.starts[simulation.start]
    for number, step in enumerate(simulation.path, 1):
        if step.event != IDLE:
            by = f" by {', '.join(sorted(step.processes))}" if step.processes else ""
            yield f"# {number}: {label(step.event)}{by}"
            yield str(attempts(simulation.system, state).steps.index(step) + 1)
        state = step.target


def help_lines() -> list[str]:
    """The commands, one on a line."""
    width = max(len(syntax.usage) for syntax in SYNTAX.values())
    return [f"  {syntax.usage:<{width}}  {syntax.help}" for syntax in SYNTAX.values()]
