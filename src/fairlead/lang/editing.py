"""Defines what every language offers to editors: names and their uses, tokens, and parts that fold.

An `Editing` reads a text that may be broken anywhere, which is the normal case while the user types: it never
raises. Whether the text is right is not its business; loading the model tells that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple, Protocol

from fairlead.base.records import dataclass


class SymbolKind(StrEnum):
    """What a name stands for; the value says it to people."""

    PROCESS = "process"
    COMPOSITE = "composite process"
    LOCAL_PROCESS = "local process"
    EVENT = "event"
    VARIABLE = "variable"
    CHANNEL = "channel"
    CONSTANT = "constant"
    MACRO = "macro"
    RANGE = "range"
    SET = "set"
    FLUENT = "fluent"
    PROGRESS = "progress property"
    ASSERTION = "assertion"
    PARAMETER = "parameter"
    INDEX = "index"
    RECEIVED = "received value"
    LOCAL_VARIABLE = "local variable"
    FILE = "file"
    OTHER = "definition"


#: what is declared for a part of the text only
LOCAL_KINDS = frozenset(
    (SymbolKind.PARAMETER, SymbolKind.INDEX, SymbolKind.RECEIVED, SymbolKind.LOCAL_VARIABLE)
)
#: kinds of names that a call can have arguments for
CALLABLE = frozenset((SymbolKind.PROCESS, SymbolKind.COMPOSITE, SymbolKind.MACRO, SymbolKind.ASSERTION))


class TokenKind(StrEnum):
    """What a piece of the text is, for colours; names have the kind of their symbol as well."""

    KEYWORD = "keyword"
    NUMBER = "number"
    STRING = "string"
    OPERATOR = "operator"
    BRACKET = "bracket"
    NAME = "name"
    COMMENT = "comment"
    UNKNOWN = "unknown"


@dataclass(slots=True)
class Lexeme:
    """A piece of the text, comments included; blanks are the rest between the pieces.

    There are thousands for each keystroke, so that it is not frozen, which would take longer to make.
    """

    kind: TokenKind
    text: str
    start: int
    end: int


class Extent(NamedTuple):
    """A part of a text, as offsets."""

    start: int
    end: int


@dataclass(frozen=True)
class Symbol:
    """A name that the text declares.

    `name_at` is where the name stands, `whole` the declaration, `scope` where the name can be used
    (everywhere if None). `parameters` are None if none can be given. `detail` is the type or range as
    written, and `container` the declaration around it. An event is declared where it is first written.
    """

    name: str
    kind: SymbolKind
    name_at: Extent
    whole: Extent
    parameters: tuple[str, ...] | None = None
    detail: str = ""
    container: str = ""
    scope: Extent | None = None
    #: whether the declaration cannot be read
    is_broken: bool = False


class Reference(NamedTuple):
    """A place where a name stands, and the symbol it means (None: nothing that is declared here)."""

    at: Extent
    name: str
    symbol: Symbol | None


class Question(NamedTuple):
    """Something that a text asks of its model.

    `at` is the place where it is shown, `whole` the declaration. It `has_formula` if its answer can depend on
    fairness; a declaration that `only_asks` changes no answer to another question.
    """

    text: str
    at: Extent
    whole: Extent
    has_formula: bool
    only_asks: bool = True


class Place(StrEnum):
    """Where in a text the user types: it decides what the language allows there."""

    TOP = "between declarations"
    PROCESS = "in a process"
    EXPRESSION = "in an expression"
    PROGRAM = "in a program"
    FORMULA = "in a formula"
    QUESTION = "after the process of an assertion"
    EVENTS = "in a set of events"
    NOTHING = "in a comment or a string"
    NEW_NAME = "where a new name is written"


@dataclass(frozen=True)
class Words:
    """What the language allows in a place besides names: keywords and operators, with their meanings."""

    keywords: tuple[str, ...] = ()
    operators: tuple[tuple[str, str], ...] = ()


#: the operators of formulas that the languages have in common
TEMPORAL_OPERATORS = (
    ("[]", "always"),
    ("<>", "eventually"),
    ("X", "in the next state"),
    ("U", "until"),
    ("W", "weak until"),
    ("!", "not"),
    ("&&", "and"),
    ("||", "or"),
    ("->", "implies"),
    ("<->", "iff"),
)


@dataclass(frozen=True)
class Analysis:
    """What a text declares and uses; all offsets are in this text."""

    text: str = field(repr=False)
    symbols: tuple[Symbol, ...]
    references: tuple[Reference, ...]
    lexemes: tuple[Lexeme, ...]
    folds: tuple[Extent, ...]
    #: the declarations, one after the other
    parts: tuple[Extent, ...]
    #: what the text includes, as it is written there
    includes: tuple[tuple[Extent, str], ...] = ()
    #: what it asks, in the order of the text
    questions: tuple[Question, ...] = ()

    @cached_property
    def outer(self) -> dict[str, Symbol]:
        """The names that can be used everywhere; the first declaration counts."""
        found: dict[str, Symbol] = {}
        for symbol in self.symbols:
            if symbol.scope is None and symbol.name:
                found.setdefault(symbol.name, symbol)
        return found


class Editing(Protocol):
    """What a language gives to editors. All functions take any text, and never raise."""

    @property
    def language(self) -> str:
        """The name of the language."""
        ...

    @property
    def reserved(self) -> frozenset[str]:
        """The words that no name can be."""
        ...

    def analyse(self, text: str, outer: Callable[[str], Symbol | None]) -> Analysis:
        """The names and tokens of a text; `outer` knows the names that included files declare."""
        ...

    def is_name(self, text: str, kind: SymbolKind) -> bool:
        """Whether a text can be the name of such a symbol."""
        ...

    def place(self, analysis: Analysis, offset: int) -> Place:
        """What can be written at an offset."""
        ...

    def words(self, place: Place) -> Words:
        """The keywords and operators that can be written in a place."""
        ...

    def formatted(self, text: str) -> str:
        """The text with its blanks in order; a text that cannot be read stays as it is."""
        ...
