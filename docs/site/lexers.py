"""Colours for models in the site: CSP# and FSP by the grammars that editors use.

The grammars are those of TextMate in `editors/vscode/syntaxes`. They use what is easy to do with Pygments:
rules with `match` and a name, rules with `begin` and `end`, and `include`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Text, _TokenType

GRAMMARS = Path(__file__).parents[2] / "editors/vscode/syntaxes"
#: from the beginnings of scopes to the tokens of Pygments; the first that fits counts
_TOKENS: Mapping[str, _TokenType] = {
    "comment.line": Comment.Single,
    "comment.block": Comment.Multiline,
    "string": String,
    "constant.numeric": Number,
    "constant.language": Keyword.Constant,
    "keyword.control.directive": Keyword.Declaration,
    "keyword.operator.temporal": Operator.Word,
    "keyword.operator": Operator,
    "keyword": Keyword,
    "storage": Keyword.Type,
    "entity.name.function": Name.Function,
    "entity.name.type": Name.Class,
    "variable": Name,
}
Rule = tuple[Any, ...]


def token_of(scope: str) -> _TokenType:
    """The token of Pygments for a scope of TextMate."""
    return next((token for start, token in _TOKENS.items() if scope.startswith(start)), Text)


def lexer_of(name: str) -> type[RegexLexer]:
    """A lexer that does what a grammar says."""
    grammar = json.loads((GRAMMARS / f"{name}.tmLanguage.json").read_text(encoding="utf-8"))
    states: dict[str, list[Rule]] = {}
    states["root"] = [*_rules(grammar, grammar["patterns"], states), *_rest(Text)]
    return type(f"{name.title()}Lexer", (RegexLexer,), {"name": grammar["name"], "tokens": states})


def _rules(
    grammar: Mapping[str, Any], patterns: list[dict[str, Any]], states: dict[str, list[Rule]]
) -> Iterator[Rule]:
    for pattern in patterns:
        if "include" in pattern:
            included = grammar["repository"][pattern["include"].removeprefix("#")]
            yield from _rules(grammar, included["patterns"], states)
        elif "match" in pattern:
            yield pattern["match"], token_of(pattern["name"])
        else:
            inner = token_of(pattern.get("name", ""))
            begin = token_of(pattern.get("beginCaptures", {}).get("0", pattern)["name"])
            state = f"state {len(states)}"
            states[state] = []
            end = (pattern["end"], inner, "#pop")
            states[state] = [end, *_rules(grammar, pattern.get("patterns", []), states), *_rest(inner)]
            yield pattern["begin"], begin, state


def _rest(token: _TokenType) -> list[Rule]:
    """What no rule names."""
    return [(r"\s+", token), (r".", token)]


#: by the language of a fenced block
LEXERS = {name: lexer_of(name) for name in ("csp", "fsp")}
