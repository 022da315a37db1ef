"""Reads the atoms of formulas: events, propositions, comparisons, `enabled(x)` and `executed(x)`."""

from __future__ import annotations

from fairlead.base.diagnostics import Code, input_error
from fairlead.logic.ltl import FALSE, TRUE, Atom, AtomKind, Formula
from fairlead.logic.notation import LETTERS
from fairlead.logic.parsing.tokens import QUOTED_EVENTS, Cursor, Kind, Token

RELATIONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
ARITHMETIC = frozenset("+-*/%")
WANTED = "a proposition, an event or an opening parenthesis"


def quoting_hint(operator: str) -> str:
    """What to do if the name of an operator is meant as a name."""
    return f'{operator} is an operator; to use it as a name, write it in double quotes: "{operator}"'


class AtomReader(Cursor):
    """Reads one atom at a time."""

    def atom(self) -> Formula:
        """Reads an atom, or a constant."""
        first = self.token
        if first.kind is Kind.CALL:
            return self.call()
        if first.kind is Kind.QUOTED:
            self.advance()
            if not first.text[1:-1].strip():
                raise input_error(Code.FORMULA, "there is no event between these quotes", first.span)
            return Atom(first.text[1:-1].strip(), AtomKind.QUOTED, first.span)
        if first.kind is not Kind.NAME:
            return self.comparison()
        if first.text in LETTERS:
            self.fail(WANTED, quoting_hint(first.text))
        if self.following.text in RELATIONS | ARITHMETIC | {"["}:
            return self.comparison()
        if first.text in ("true", "false"):
            self.advance()
            return TRUE if first.text == "true" else FALSE
        return self.dotted_name()

    def call(self) -> Formula:
        """Reads `enabled(x)` or `executed(x)`; quotes around x are kept, for the model to know of them."""
        token = self.advance()
        kind = AtomKind.ENABLED if token.text.startswith("enabled") else AtomKind.EXECUTED
        return Atom(token.subject, kind, token.span)

    def dotted_name(self) -> Atom:
        """Reads a name with arguments, such as `eat.0`."""
        first = last = self.advance()
        text = first.text
        while self.token.text == ".":
            self.advance()
            if self.token.text == "(":
                argument = self._parenthesised_sum()
            elif self.token.text == "-" and self.following.kind is Kind.NUMBER:
                argument = self.advance().text + self.advance().text
            elif self.token.kind in (Kind.NAME, Kind.NUMBER):
                argument = self.advance().text
            else:
                self.fail("a number, a name or arithmetic in parentheses after '.'")
            text += f".{argument}"
            last = self.tokens[self.next - 1]
        return Atom(text, AtomKind.NAME, first.span.to(last.span))

    def _parenthesised_sum(self) -> str:
        self.advance()
        text = self._sum()
        if self.token.text != ")":
            self.fail("')' after this argument")
        self.advance()
        return f"({text})"

    def comparison(self) -> Atom:
        """Reads two sums with a relation between them."""
        first = self.token
        left = self._sum()
        if self.token.text not in RELATIONS:
            hint = None
            if self.token.text == ")":
                hint = "a comparison cannot start with a parenthesis: write x + 1 == 2"
            elif self.token.text in (".", "!", "?") and left.endswith("]"):
                hint = f'{QUOTED_EVENTS}: "{left}{self.token.text}1"'
            elif self.token.text == ".":
                hint = "events are compared by writing them alone, with their arguments: eat.0"
            self.fail("one of == != < <= > >= to make this a comparison", hint)
        relation = self.advance().text
        right = self._sum()
        if self.token.text in RELATIONS:
            self.fail("the end of this comparison", "join two comparisons by &&: 0 < x && x < 3")
        span = first.span.to(self.tokens[self.next - 1].span)
        return Atom(f"{left} {relation} {right}", AtomKind.COMPARISON, span)

    def _sum(self) -> str:
        """Reads integers, names and subscripts joined by + - * / %, and gives them without blanks."""
        parts: list[str] = []
        brackets: list[Token] = []
        operand_next = True
        while True:
            token, previous = self.token, parts[-1] if parts else ""
            if operand_next:
                if token.text == "-" or token.text == "(":
                    brackets += [token] if token.text == "(" else []
                elif token.kind in (Kind.NAME, Kind.NUMBER):
                    operand_next = False
                else:
                    self.fail("a number or a name")
            elif token.text in ARITHMETIC:
                operand_next = True
            elif token.text == "[" and (previous == "]" or self.tokens[self.next - 1].kind is Kind.NAME):
                brackets.append(token)
                operand_next = True
            elif brackets and token.text == {"(": ")", "[": "]"}[brackets[-1].text]:
                brackets.pop()
            elif brackets:
                self.fail(
                    f"{'a closing parenthesis' if brackets[-1].text == '(' else ']'} or an operator like +"
                )
            else:
                return "".join(parts)
            # two signs in a row would look like a decrement when the text is read again
            parts.append(f" {token.text}" if token.text == "-" and previous.endswith("-") else token.text)
            self.advance()
