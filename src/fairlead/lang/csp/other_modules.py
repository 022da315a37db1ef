"""Recognises the constructs of PAT's real-time and probabilistic modules, to refuse them by name.

A word such as `Wait` or `within` is a fine name in CSP#. So it is refused only where nothing else can be
meant: either its surroundings decide at once, or the parser could not make sense of the text there.
"""

from __future__ import annotations

from fairlead.base.diagnostics import Code, InputError, input_error
from fairlead.lang.csp.lexing import END_OF_TEXT, Lexed, Token

_TIMED = "PAT's real-time module (RTS)"
_PROBABILISTIC = "PAT's probabilistic modules (PCSP, PRTS)"
_SERVICES = "PAT's web service module"
_TIMED_OPERATORS = {"timeout", "deadline", "within", "waituntil"}
_SERVICE_WORDS = {"Chor", "Orch", "Role"}
_PROBABILITIES = {"prob", "pmin", "pmax"}
_ARITHMETIC = {"INT", "ID", "PLUS", "MINUS", "STAR", "SLASH", "PERCENT", "LPAR", "RPAR"}


def refuse_other_modules(lexed: Lexed, start: str) -> None:
    """Raise an `InputError` if a construct of another module is in the text beyond doubt."""
    in_assertion = start == "lone_assertion"
    constants = _integer_constants(lexed)
    for index, token in enumerate(lexed.tokens):
        following = lexed.text(index + 1)
        if token.kind == "HASH":
            in_assertion = following == "assert"
        elif token.kind == "TIMED_ARROW":
            raise _refusal(lexed, "'->>'", _TIMED, token, token)
        elif token.kind == "FORMULA":
            _refuse_probability_of_formula(lexed, token)
        elif token.kind == "INTERRUPT" and following == "[" and _is_duration(lexed, index + 1, constants):
            raise _refusal(lexed, "'interrupt[t]'", _TIMED, token, lexed.tokens[lexed.partner[index + 1]])
        elif token.kind == "ID":
            if token.text == "pcase" and following == "{" and lexed.kind(lexed.after(index + 1)) != "ARROW":
                raise _refusal(lexed, "'pcase'", _PROBABILISTIC, token, token)
            if token.text in _SERVICE_WORDS and _opens_service(lexed, index):
                raise _refusal(lexed, f"'{token.text}'", _SERVICES, token, token)
            if in_assertion and token.text == "with" and following in _PROBABILITIES:
                raise _refusal(lexed, f"'with {following}'", _PROBABILISTIC, token, lexed.tokens[index + 1])
            if in_assertion and token.text == "refines" and _is_timed_refinement(lexed, index + 1):
                raise _refusal(lexed, "'refines<T>'", _TIMED, token, lexed.tokens[index + 3])


def explain_by_other_module(lexed: Lexed, unexpected: Token) -> InputError | None:
    """The refusal of the construct at whose place the parser met an unexpected token, if there is one."""
    index = next(i for i, token in enumerate(lexed.tokens) if token is unexpected)
    opening = lexed.parent[index]  # the token may be inside the brackets: Wait[1, 2]
    if lexed.kind(index - 1) == "RBRACK":
        opening = lexed.partner[index - 1]  # or right after them: Wait[1];
    elif lexed.kind(index) == "ID" and lexed.kind(index + 1) == "LBRACK":
        opening = index + 1  # or it may be their word: P() timeout[1] Q()
    word = lexed.tokens[opening - 1] if opening > 0 else unexpected
    known = word.text in _TIMED_OPERATORS or word.text == "Wait"
    if lexed.kind(opening) != "LBRACK" or word.kind != "ID" or not known:
        return None
    return _refusal(lexed, f"'{word.text}[t]'", _TIMED, word, lexed.tokens[lexed.partner[opening]])


def _refuse_probability_of_formula(lexed: Lexed, formula: Token) -> None:
    words = formula.text.rsplit(maxsplit=2)
    if len(words) == 3 and words[1] == "with" and words[2] in _PROBABILITIES:
        place = Token("ID", words[2], formula.end - len(words[2]), formula.end)
        raise _refusal(lexed, f"'with {words[2]}'", _PROBABILISTIC, place, place)


def _is_duration(lexed: Lexed, opening: int, constants: set[str]) -> bool:
    """Whether brackets after `interrupt` hold a number; a condition would be the guard of what interrupts."""
    inner = range(opening + 1, lexed.partner[opening])
    if any(lexed.kind(index) not in _ARITHMETIC for index in inner):
        return False
    if len(inner) == 1 and lexed.kind(opening + 1) == "ID":
        return lexed.text(opening + 1) in constants
    return len(inner) > 0


def _integer_constants(lexed: Lexed) -> set[str]:
    return {
        lexed.text(index + 1)
        for index, token in enumerate(lexed.tokens)
        if token.text == "define" and lexed.kind(index + 2) == "INT"
    }


def _opens_service(lexed: Lexed, index: int) -> bool:
    """Whether `Chor name {`, `Orch name {` or `Role name {` stands here, where a declaration may begin."""
    if lexed.kind(index - 1) not in (END_OF_TEXT, "SEMI", "RBRACE", "LBRACE"):
        return False
    return lexed.kind(index + 1) == "ID" and lexed.kind(index + 2) == "LBRACE"


def _is_timed_refinement(lexed: Lexed, index: int) -> bool:
    kinds = (lexed.kind(index), lexed.kind(index + 2))
    return kinds == ("LT", "GT") and lexed.text(index + 1) == "T"


def _refusal(lexed: Lexed, construct: str, module: str, first: Token, last: Token) -> InputError:
    message = f"{construct} belongs to {module}, not to CSP#"
    return input_error(Code.OTHER_MODULE, message, lexed.source.span(first.start, last.end))
