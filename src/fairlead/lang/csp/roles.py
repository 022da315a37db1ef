"""Distinguishes the tokens that look the same and mean different things, by their neighbours in the list.

CSP# uses `;`, `(`, `.` and `{` for several purposes that one token of look-ahead cannot separate. With
brackets matched, a look at the tokens around is enough:

* `;` ends a definition (END) iff a new declaration or the end of the text follows; between the indices of an
  operator and after a statement it is SEMI; else it composes processes (SEQ). One before `}`, before the
  next branch of a `case` or after the end of a declaration means nothing and is dropped.
* `(` with `->` after its `)` where a process begins opens a list of events (EVENTS_OPEN).
* `.` in `v.Method(` is a METHOD_DOT; any other is a DOT between the arguments of an event or a message.
* `f`, `wf`, `sf`, `wl`, `sl` where a process begins, before `(…) ->` or `(…){…} ->`, are an ANNOTATION.
* the `(` after the name in a `#define` opens parameters (PARAMETERS_OPEN) iff it holds names only and a body
  follows; before `+` or `-`, which may begin a body or continue with it, iff no blank separates it from the
  name.
* a BRANCH of no width stands before each condition of a `case` but the first, since nothing else separates it
  from the process before.
* a SEMI of no width is put before the `}` of a program whose last statement lacks it.
* `counter` before a name, where a declaration may begin, declares a variable (COUNTER).
* words such as `deadlockfree`, `min` or `define` are keywords in their place only, and names elsewhere.
"""

from __future__ import annotations

from enum import Enum, auto

from fairlead.lang.csp.lexing import DIRECTIVES, END_OF_TEXT, Lexed, Token
from fairlead.model.assertion import SIMPLE_QUESTIONS

_DECLARATION_STARTS = {"HASH", "VAR", "HVAR", "COUNTER", "CHANNEL", "ENUM"}
_EXPRESSION_STARTS = {"ID", "INT", "TRUE", "FALSE", "LPAR", "BANG", "CALL", "NEW", "IF", "LBRACE"}
# fmt: off
BINARY_OPERATORS = {
    "OROR", "ANDAND", "XOR", "AMP", "BAR", "CARET", "EQ", "NE", "LT", "GT", "LE", "GE", "PLUS", "MINUS",
    "STAR", "SLASH", "PERCENT",
}
_BEFORE_A_PROCESS = {
    "ASSIGN", "LPAR", "ARROW", "SEQ", "SEMI", "CHOICE", "EXTERNAL", "INTERNAL", "INTERLEAVE", "OROR",
    "INTERRUPT", "AT", "COLON", "LBRACE", "RBRACK",
}
# fmt: on
_ENDS_OF_A_PROCESS = {"ID", "RPAR", "RBRACE", "SKIP", "STOP"}
_ANNOTATIONS = {"f", "wf", "sf", "wl", "sl"}
ASSERTION_WORDS = (*SIMPLE_QUESTIONS, "reaches", "refines")


class Inside(Enum):
    """What a pair of braces, or the top of a declaration, holds."""

    PROCESS = auto()
    CASE = auto()
    PROGRAM = auto()
    VALUE = auto()
    SET = auto()


def assign_roles(lexed: Lexed, start: str) -> list[Token]:
    """The tokens as the grammar wants them, for one of its start symbols."""
    return _Roles(lexed).run(start)


class _Roles:
    def __init__(self, lexed: Lexed) -> None:
        self.lexed = lexed
        self.tokens = lexed.tokens
        self.kind = lexed.kind
        self.after = lexed.after
        self.partner = lexed.partner
        self.defines: set[int] = set()  # where a #define begins
        self.branches: set[int] = set()  # where a condition of a case begins, but the first
        self.inside: dict[int, Inside] = {}  # of each open bracket
        self.idle: set[int] = set()  # the `;` between declarations that follow another `;`
        self.after_semicolons: dict[int, int] = {}  # of each `;`, the first other token after it

    def run(self, start: str) -> list[Token]:
        if start == "specification":
            self._declarations()
        elif start == "lone_assertion":
            self._assertion(0)
            if self.kind(len(self.tokens) - 2) == "SEMI":
                self.tokens[-2].kind = "END"
        self._brackets(Inside.VALUE if start == "lone_expression" else Inside.PROCESS)
        return self._emit()

    # ------------------------------------------------------------ declarations

    def _declarations(self) -> None:
        """Find where each declaration ends, and the words that are special in it."""
        begin = 0
        while self.kind(begin) != END_OF_TEXT:
            if self._declares_counter(begin):
                self.tokens[begin].kind = "COUNTER"
            is_process = self.kind(begin) not in _DECLARATION_STARTS
            if self.kind(begin) == "HASH":
                self._directive(begin)
            index = begin
            while self.kind(index) != END_OF_TEXT:
                if self.partner[index] > index:
                    index = self.after(index)
                    continue
                if self.kind(index) == "SEMI" and not self._separates_indices(index):
                    following = self._skip_semicolons(index)
                    if not is_process or self._begins_declaration(following):
                        self.tokens[index].kind = "END"
                        self.idle.update(range(index + 1, following))
                        index = following
                        break
                    for semicolon in range(index, following):
                        self.tokens[semicolon].kind = "SEQ"
                    index = following
                    continue
                index += 1
            begin = index

    def _skip_semicolons(self, index: int) -> int:
        while self.kind(index) == "SEMI":
            index += 1
        return index

    def _begins_declaration(self, index: int) -> bool:
        if self.kind(index) in _DECLARATION_STARTS or self.kind(index) == END_OF_TEXT:
            return True
        if self._declares_counter(index):
            return True
        if self.kind(index) != "ID":
            return False
        following = self.after(index + 1) if self.kind(index + 1) == "LPAR" else index + 1
        # the last two are common slips for `=`; the parser says so
        return self.kind(following) in ("ASSIGN", "EQ", "BECOMES")

    def _declares_counter(self, index: int) -> bool:
        """Whether `counter` is a word here: a process of that name continues in another way."""
        return self.lexed.text(index) == "counter" and self.kind(index + 1) in ("ID", "LT")

    def _directive(self, hash_index: int) -> None:
        word = self.tokens[hash_index + 1]
        if word.text not in DIRECTIVES:
            return
        word.kind = word.text.upper()
        if word.kind == "ASSERT":
            self._assertion(hash_index + 2)
        elif word.kind == "DEFINE":
            self.defines.add(hash_index)
            if self._opens_parameters(hash_index + 3):
                self.tokens[hash_index + 3].kind = "PARAMETERS_OPEN"

    def _opens_parameters(self, opening: int) -> bool:
        if self.kind(opening) != "LPAR":
            return False
        closing = self.partner[opening]
        for position, index in enumerate(range(opening + 1, closing)):
            if self.kind(index) != ("COMMA" if position % 2 else "ID"):
                return False
        if closing == opening + 1:
            return True
        following = self.kind(closing + 1)
        if following in ("PLUS", "MINUS"):
            return self.tokens[opening - 1].end == self.tokens[opening].start
        if following in ("ANDAND", "OROR", "XOR"):
            return self._begins_index(closing + 2)
        if following == "HASH":
            return self.lexed.text(closing + 2) not in DIRECTIVES
        return following in _EXPRESSION_STARTS

    def _assertion(self, begin: int) -> None:
        index = self.after(begin + 1) if self.kind(begin + 1) == "LPAR" else begin + 1
        if self.kind(index) != "ID" or self.tokens[index].text not in ASSERTION_WORDS:
            return
        word = self.tokens[index].text
        self.tokens[index].kind = "SIMPLE_QUESTION" if word in SIMPLE_QUESTIONS else word.upper()
        while self.kind(index) not in (END_OF_TEXT, "SEMI"):
            if self.partner[index] > index:
                index = self.after(index)
                continue
            optimum = self.lexed.text(index + 1)
            if self.kind(index) == "ID" and self.tokens[index].text == "with" and optimum in ("min", "max"):
                self.tokens[index].kind = "WITH"
                self.tokens[index + 1].kind = optimum.upper()
            index += 1

    # ------------------------------------------------------------ brackets

    def _brackets(self, top: Inside) -> None:
        """Find what each bracket holds, and in each `case` where its branches begin."""
        around = top
        for index, token in enumerate(self.tokens):
            parent = self.lexed.parent[index]
            if parent < 0 and top is not Inside.VALUE:
                if index in self.defines:
                    around = Inside.VALUE
                elif token.kind == "END":
                    around = top
            if self.partner[index] <= index:
                continue
            outer = self.inside[parent] if parent >= 0 else around
            self.inside[index] = self._brace(index, outer) if token.kind == "LBRACE" else outer
            if token.kind == "LBRACE" and self.inside[index] is Inside.CASE:
                self._case(index)

    def _brace(self, index: int, outer: Inside) -> Inside:
        before = self.kind(index - 1)
        if before in ("COLON", "INTERLEAVE"):  # `i:{0..2} @`, or a process that begins with a program
            return Inside.PROGRAM if self.kind(self.after(index)) == "ARROW" else Inside.SET
        if before in ("BACKSLASH", "ENUM") or self.kind(index - 2) == "ALPHABET":
            return Inside.SET
        if outer is Inside.PROGRAM:
            return Inside.PROGRAM
        if before == "CASE":
            return Inside.CASE
        if before == "ATOMIC":
            return Inside.PROCESS
        if before == "ELSE" or (before == "RPAR" and self._closes_condition(index - 1)):
            return Inside.VALUE if outer is Inside.VALUE else Inside.PROCESS
        return Inside.PROGRAM

    def _closes_condition(self, closing: int) -> bool:
        return self.kind(self.partner[closing] - 1) in ("IF", "IFA", "IFB", "WHILE")

    def _case(self, opening: int) -> None:
        previous = -1
        index = opening + 1
        while index < self.partner[opening]:
            if self.kind(index) == "COLON" and not self._begins_index(index - 1):
                if previous >= 0 and self.kind(index - 1) != "DEFAULT":
                    begin = self._condition_start(index, previous)
                    if begin >= 0:
                        self.branches.add(begin)
                previous = index
            index = self.after(index) if self.partner[index] > index else index + 1

    def _begins_index(self, index: int) -> bool:
        """Whether `i:{…}` of an indexed operator begins here, not a condition and a program."""
        return (
            self.kind(index) == "ID"
            and self.kind(index + 1) == "COLON"
            and self.kind(index + 2) == "LBRACE"
            and self.kind(self.after(index + 2)) != "ARROW"
        )

    def _separates_indices(self, semicolon: int) -> bool:
        return self.kind(semicolon - 1) == "RBRACE" and self._begins_index(semicolon + 1)

    def _condition_start(self, colon: int, low: int) -> int:
        """Where the condition before a colon begins, given that a process stands between `low` and it.

        Going back operand by operand, the longest expression is taken that leaves a whole process before it.
        """
        best = -1
        index = colon - 1
        while True:
            begin = self._operand_start(index, low)
            if begin <= low:
                return best
            while True:
                if self._ends_process(begin - 1, low):
                    best = begin
                if self.kind(begin - 1) == "AT":
                    begin = self._indexed_operator_start(begin - 1, low)
                elif self.kind(begin - 1) in ("BANG", "PLUS", "MINUS") and self.kind(begin - 2) != "RBRACK":
                    sign = begin - 1
                    if self._ends_process(sign - 1, low):
                        best = sign
                    if self.kind(sign) != "BANG" and self._operand_start(sign - 1, low) > low:
                        break
                    begin = sign
                else:
                    break
            if self.kind(begin - 1) not in BINARY_OPERATORS:
                return best
            index = begin - 2

    def _ends_process(self, index: int, low: int) -> bool:
        while index > low and self.kind(index) == "SEMI":
            index -= 1
        return index > low and self.kind(index) in _ENDS_OF_A_PROCESS

    def _indexed_operator_start(self, at: int, low: int) -> int:
        """Where `&& i:{…}; j:{…} @` begins, given its `@`."""
        index = at
        while index > low and self.kind(index) in ("AT", "SEMI") and self.kind(index - 1) == "RBRACE":
            index = self.partner[index - 1] - 3
        return max(index, low)

    def _operand_start(self, end: int, low: int) -> int:
        """Where the operand that ends with a token begins, or -1 if none does."""
        index = end
        if self.kind(index) == "RPAR":
            index = self.partner[index]
            before = self.kind(index - 1)
            if before == "CALL":
                return index - 1
            if before != "ID":
                return index
            if self.kind(index - 2) in ("NEW", "HASH"):
                return index - 2
            if self.kind(index - 2) != "DOT":
                # `P (x > 0) :`, the name belongs to the process before; `P() -x > 0 :`, the brackets too
                return index if index + 1 < end else -1
            index -= 3
        elif self.kind(index) == "ID" and self.kind(index - 1) == "DOLLAR":
            index -= 2
        elif self.kind(index) == "ID" and self.kind(index - 1) == "HASH":
            return index - 1
        elif self.kind(index) in ("INT", "TRUE", "FALSE"):
            return index
        while index > low and self.kind(index) == "RBRACK":
            index = self.partner[index] - 1
        return index if index > low and self.kind(index) == "ID" else -1

    # ------------------------------------------------------------ tokens

    def _emit(self) -> list[Token]:
        result: list[Token] = []
        for index in range(len(self.tokens) - 2, -1, -1):
            if self.kind(index) == "SEMI":
                self.after_semicolons[index] = self.after_semicolons.get(index + 1, index + 1)
        for index, token in enumerate(self.tokens):
            if index in self.branches:
                result.append(Token("BRANCH", "", token.start, token.start))
            if token.kind == "SEMI":
                if self._means_nothing(index):
                    continue
                token.kind = self._semicolon(index)
            elif token.kind == "DOT":
                if self._calls_method(index):
                    token.kind = "METHOD_DOT"
            elif token.kind == "LPAR":
                if self._opens_events(index):
                    token.kind = "EVENTS_OPEN"
            elif token.kind == "ID":
                if token.text in _ANNOTATIONS and self._annotates(index):
                    token.kind = "ANNOTATION"
            elif token.kind == "RBRACE" and self._lacks_semicolon(index):
                end = self.tokens[index - 1].end
                result.append(Token("SEMI", "", end, end))
            result.append(token)
        return result

    def _means_nothing(self, semicolon: int) -> bool:
        if semicolon in self.idle:
            return True
        opening = self.lexed.parent[semicolon]
        if opening < 0 or self.kind(opening) != "LBRACE":
            return False
        holds = self.inside[opening]
        following = self.after_semicolons[semicolon]
        if holds is Inside.CASE and (following in self.branches or self.kind(following) == "DEFAULT"):
            return True
        return holds in (Inside.CASE, Inside.PROCESS, Inside.VALUE) and self.kind(following) == "RBRACE"

    def _semicolon(self, index: int) -> str:
        opening = self.lexed.parent[index]
        if opening < 0 or self._separates_indices(index):
            return "SEMI"
        return "SEQ" if self.inside[opening] in (Inside.PROCESS, Inside.CASE) else "SEMI"

    def _calls_method(self, dot: int) -> bool:
        if self.kind(dot + 1) != "ID" or self.kind(dot + 2) not in ("LPAR", "EVENTS_OPEN"):
            return False
        return self.kind(dot - 1) in ("ID", "RBRACK")

    def _opens_events(self, opening: int) -> bool:
        if self.kind(self.after(opening)) != "ARROW" or self.kind(opening - 1) not in _BEFORE_A_PROCESS:
            return False
        # the `]` before may close the guard of an input, `c?[b](x) -> P`
        return self.kind(opening - 1) != "RBRACK" or self.kind(self.partner[opening - 1] - 1) != "QUESTION"

    def _annotates(self, index: int) -> bool:
        if self.kind(index + 1) != "LPAR" or self.kind(index - 1) not in _BEFORE_A_PROCESS:
            return False
        following = self.after(index + 1)
        if self.kind(following) == "LBRACE":
            following = self.after(following)
        return self.kind(following) == "ARROW" and self.kind(index + 2) in ("ID", "TAU")

    def _lacks_semicolon(self, closing: int) -> bool:
        if self.inside[self.partner[closing]] is not Inside.PROGRAM:
            return False
        before = self.kind(closing - 1)
        if before in ("SEMI", "LBRACE", "RBRACE", "ELSE"):
            return False
        return not (before == "RPAR" and self._closes_condition(closing - 1))
