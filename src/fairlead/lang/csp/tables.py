"""The LALR(1) tables of the CSP# grammar: made by lark, kept between runs in the user's cache directory.

Making the tables takes a third of a second and importing lark a twentieth; loading them takes two
milliseconds and needs no lark. So lark runs only where no good copy is at hand, and every trouble with the
copy (none, damaged, unreadable, a directory that cannot be written) is answered by making the tables again.

Tables decide what a model means, and marshal is not safe on data of strangers. So a copy is signed with the
key of the user, and one that is not counts for nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import marshal
import os
import sys
from collections.abc import Iterator
from functools import cache
from hmac import compare_digest
from pathlib import Path

from fairlead.base.diagnostics import InputError
from fairlead.base.records import dataclass
from fairlead.base.user_key import user_key

STARTS = ("specification", "lone_expression", "lone_assertion")

_GRAMMAR = Path(__file__).with_name("grammar.lark")
_LAYOUT = "2"  # to be raised when the shape of the stored tables changes
_SIGNATURE_SIZE = 32


@dataclass(frozen=True)
class Rule:
    """One alternative of the grammar; `builder` is None where its only value is handed on."""

    origin: str
    size: int
    builder: str | None


@dataclass(frozen=True)
class Tables:
    """What an LALR(1) parser does in each state.

    `actions[state][terminal]` is a state to shift to, or `~rule` to reduce by; `gotos[state][origin]` is the
    state after a reduction. A text is accepted in state `ends[start]` at its end.
    """

    actions: list[dict[str, int]]
    gotos: list[dict[str, int]]
    rules: list[Rule]
    starts: dict[str, int]
    ends: dict[str, int]


@cache
def load_tables() -> Tables:
    """The tables, from the cache if they are there."""
    grammar = _GRAMMAR.read_text(encoding="utf-8")
    directory, key = _cache_directory(), _key()
    if directory is None or key is None:
        return make_tables(grammar)
    facts = "\n".join((_LAYOUT, sys.implementation.cache_tag or "", grammar)).encode()
    name = hashlib.blake2b(facts, digest_size=16, key=key, person=b"csp tables name").hexdigest()
    path = directory / f"csp-{name}.tables"
    tables = _read(path, key)
    if tables is None:
        tables = make_tables(grammar)
        _write(path, tables, key)
    return tables


def make_tables(grammar: str) -> Tables:
    """The tables of a grammar, made by lark."""
    from lark import Lark
    from lark.lexer import Lexer, Token

    class NoLexer(Lexer):
        """Tokens come from `lexing`; lark only wants to know that it need not make them."""

        def __init__(self, configuration: object) -> None:
            pass

        def lex(self, *_: object) -> Iterator[Token]:
            return iter(())

    parser = Lark(grammar, parser="lalr", lexer=NoLexer, start=list(STARTS))
    table = parser.parser.parser._parse_table
    number = {state: index for index, state in enumerate(table.states)}
    rules: list[Rule] = []
    rule_numbers: dict[object, int] = {}
    actions: list[dict[str, int]] = []
    gotos: list[dict[str, int]] = []
    for row in table.states.values():
        actions.append({})
        gotos.append({})
        for symbol, (action, argument) in row.items():
            if action.name == "Shift":
                (actions if symbol.isupper() else gotos)[-1][symbol] = number[argument]
                continue
            if argument not in rule_numbers:
                rule_numbers[argument] = len(rules)
                rules.append(Rule(str(argument.origin.name), len(argument.expansion), argument.alias))
            actions[-1][symbol] = ~rule_numbers[argument]
    return Tables(
        actions,
        gotos,
        rules,
        {start: number[state] for start, state in table.start_states.items()},
        {start: number[state] for start, state in table.end_states.items()},
    )


def _cache_directory() -> Path | None:
    variable = "LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME"
    given = os.environ.get(variable, "")
    if Path(given).is_absolute():
        return Path(given) / "fairlead"
    try:
        return Path.home() / ".cache" / "fairlead"
    except RuntimeError:  # no home directory
        return None


def _read(path: Path, key: bytes) -> Tables | None:
    """The stored tables, if the file is what was once written here."""
    try:
        data = path.read_bytes()
        signature, payload = data[:_SIGNATURE_SIZE], data[_SIGNATURE_SIZE:]
        if not compare_digest(_signature(payload, key), signature):
            return None
    except OSError:
        return None
    try:
        actions, gotos, rules, starts, ends = marshal.loads(payload)
        return Tables(actions, gotos, [Rule(*rule) for rule in rules], starts, ends)
    except (ValueError, TypeError, EOFError):
        return None


def _key() -> bytes | None:
    """The key of the user, if there is one."""
    try:
        return user_key()
    except InputError:
        return None


def _signature(payload: bytes, key: bytes) -> bytes:
    signed = hashlib.blake2b(payload, digest_size=_SIGNATURE_SIZE, key=key, person=b"csp tables")
    return signed.digest()


def _write(path: Path, tables: Tables, key: bytes) -> None:
    """Store the tables under a name of our own first, so that no process ever reads half a file."""
    import tempfile  # slow to import, rarely needed

    rules = [(rule.origin, rule.size, rule.builder) for rule in tables.rules]
    payload = marshal.dumps((tables.actions, tables.gotos, rules, tables.starts, tables.ends))
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            temporary = Path(file.name)
            file.write(_signature(payload, key) + payload)
        temporary.replace(path)
    except BaseException as error:
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink()
        if not isinstance(error, OSError):  # Ctrl-C, or a limit
            raise
