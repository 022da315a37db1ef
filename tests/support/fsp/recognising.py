"""Whether tokens are a text in FSP, told slowly from the grammar as it is written down.

Alternatives are tried in order and repetitions take as much as they can, as a reader without second
thoughts does: that is how LTSA reads, and where it matters the rules below say so.
"""

from __future__ import annotations

import re

from fairlead.lang.fsp.lexing import INTEGER, LOWER, STRING, UPPER, Token

GRAMMAR = r"""
text       = { definition } ;
definition = constant | range | set | progress | menu | import | animation | fluent | assert
           | process | composite ;

constant   = "const" UPPER "=" sum ;
range      = "range" UPPER "=" sum ".." sum ;
set        = "set" UPPER "=" body ;
progress   = "progress" UPPER [ indices ] "=" ( "if" label "then" label | label ) ;
menu       = "menu" UPPER "=" label ;
import     = "import" UPPER "=" STRING ;
animation  = "animation" UPPER "=" STRING [ "target" UPPER ]
             [ "compose" "{" animated { "||" animated } "}" ]
             [ "actions" relabels ] [ "controls" relabels ] ;
animated   = UPPER [ "/" relabels ] ;
fluent     = "fluent" UPPER [ indices ] "=" "<" label "," label ">" [ "initially" sum ] ;
assert     = ( "assert" | "constraint" ) UPPER [ params ] "=" unary_f [ "+" labels ] ;

modifiers  = [ "deterministic" ] [ "minimal" ] [ "compose" ] [ "property" ] ;
process    = modifiers UPPER [ params ] [ "@" ] "=" state { "," local }
             [ "+" labels ] [ "/" relabels ] [ ( "\" | "@" ) labels ] "." ;
local      = UPPER [ "@" ] [ "." local_at | & "[" local_at ] "=" state ;
local_at   = ( LOWER | labels ! "\" | index ) [ "." local_at | & "[" local_at ] ;
state      = "if" expr "then" state [ "else" state ] | "(" branch { "|" branch } ")" | goes_on ;
branch     = [ "when" expr ] label "->" { label "->" } state ;
goes_on    = { UPPER [ actuals ] ";" } UPPER { "[" expr "]" } ;

composite  = modifiers "||" UPPER [ params ] "=" parts
             [ ( ">>" | "<<" ) labels ] [ ( "\" | "@" ) labels ] "." ;
parts      = "if" expr "then" parts [ "else" parts ] | "forall" indices parts
           | [ label ( "::" [ label ":" ] | ":" ) ] ( "(" [ parts { "||" parts } ] ")" | UPPER [ actuals ] )
             [ "/" relabels ] ;

actuals    = "(" expr { "," expr } ")" ;
params     = "(" UPPER "=" expr { "," UPPER "=" expr } ")" ;
relabels   = "{" relabel { "," relabel } "}" ;
relabel    = "forall" indices relabels | label "/" label ;

label      = ( LOWER | labels [ "\" labels ] | index ) [ "." label | & "[" label ] ;
labels     = body | UPPER ;
body       = "{" label { "," label } "}" ;
indices    = index { index } ;
index      = "[" LOWER ":" ( expr ".." expr | labels ) "]" | "[" ( body | expr [ ".." expr ] ) "]" ;

expr       = and { "||" and } ;
and        = bits_or { "&&" bits_or } ;
bits_or    = bits_xor { "|" bits_xor } ;
bits_xor   = bits_and { "^" bits_and } ;
bits_and   = equal { "&" equal } ;
equal      = less { ( "==" | "!=" ) less } ;
less       = shift { ( "<" | "<=" | ">" | ">=" ) shift } ;
shift      = sum { ( "<<" | ">>" ) sum } ;
sum        = product { ( "+" | "-" ) product } ;
product    = signed { ( "*" | "/" | "%" ) signed } ;
signed     = [ "+" | "-" | "!" ] primary ;
primary    = INTEGER | LOWER | UPPER | "(" expr ")" | "'" label | "#" label | "@" "(" label "," expr ")" ;

formula    = once_f { "||" once_f } ;
once_f     = and_f [ ( "U" | "W" | "->" | "<->" ) and_f ] ;
and_f      = unary_f { "&&" unary_f } ;
unary_f    = ( "!" | "<>" | "[]" | "X" ) unary_f | ( "forall" | "exists" ) indices unary_f
           | "rigid" sum ! "+" | "(" formula ")" | ! "U" ! "W" ! "X" ( UPPER actuals | label ) ;
"""

_CLASSES = {"UPPER": UPPER, "LOWER": LOWER, "INTEGER": INTEGER, "STRING": STRING}


class Recogniser:
    """Follows the grammar, and remembers which rule reaches how far from which token."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.known: dict[tuple[str, int], int | None] = {}

    def accepts(self, rule: str) -> bool:
        return self.reach(RULES[rule], 0) == len(self.tokens)

    def reach(self, rule: Rule, start: int) -> int | None:
        """The index after what the rule matches from a token on, if it matches."""
        kind, *parts = rule
        match kind:
            case "terminal":
                return start + 1 if self._is(parts[0], start) else None
            case "rule":
                key = (parts[0], start)
                if key not in self.known:
                    self.known[key] = self.reach(RULES[parts[0]], start)
                return self.known[key]
            case "sequence":
                here: int | None = start
                for part in parts:
                    here = None if here is None else self.reach(part, here)
                return here
            case "choice":
                reached = (self.reach(part, start) for part in parts)
                return next((end for end in reached if end is not None), None)
            case "option":
                end = self.reach(parts[0], start)
                return start if end is None else end
            case "repetition":
                while (end := self.reach(parts[0], start)) is not None:
                    start = end
                return start
            case "ahead":
                return start if self.reach(parts[0], start) is not None else None
            case "not ahead":
                return start if self.reach(parts[0], start) is None else None
        raise AssertionError(kind)

    def _is(self, wanted: str, at: int) -> bool:
        if at >= len(self.tokens):
            return False
        token = self.tokens[at]
        return token.kind == _CLASSES[wanted] if wanted in _CLASSES else token.text == wanted


Rule = tuple  # a kind, and what belongs to it


def _read_grammar(grammar: str) -> dict[str, Rule]:
    words = re.findall(r'"[^"]+"|\w+|\S', grammar)
    rules: dict[str, Rule] = {}
    while words:
        name = words.pop(0)
        assert words.pop(0) == "=", name
        rules[name] = _read_choice(words)
        assert words.pop(0) == ";", name
    return rules


def _read_choice(words: list[str]) -> Rule:
    alternatives = [_read_sequence(words)]
    while words[0] == "|":
        words.pop(0)
        alternatives.append(_read_sequence(words))
    return ("choice", *alternatives)


def _read_sequence(words: list[str]) -> Rule:
    parts = []
    while words[0] not in ("|", ")", "]", "}", ";"):
        parts.append(_read_item(words))
    return ("sequence", *parts)


def _read_item(words: list[str]) -> Rule:
    word = words.pop(0)
    if word in ("&", "!"):
        return ("ahead" if word == "&" else "not ahead", _read_item(words))
    if word in ("(", "[", "{"):
        inner = _read_choice(words)
        assert words.pop(0) == {"(": ")", "[": "]", "{": "}"}[word]
        return inner if word == "(" else ("option" if word == "[" else "repetition", inner)
    if word in _CLASSES:
        return ("terminal", word)
    return ("terminal", word[1:-1]) if word.startswith('"') else ("rule", word)


RULES = _read_grammar(GRAMMAR)
