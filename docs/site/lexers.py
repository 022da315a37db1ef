"""Colours for models in the site: CSP#, FSP, and the languages that they are compared with."""

from __future__ import annotations

from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Text


class _ModelLexer(RegexLexer):
    """Comments, keywords, names and numbers, as languages in the manner of C have them."""

    tokens = {  # noqa: RUF012
        "common": [
            (r"//.*?$", Comment.Single),
            (r"/\*(?:.|\n)*?\*/", Comment.Multiline),
            (r'"[^"\n]*"', String),
            (r"\d+", Number),
            (r"\s+", Text),
            (r"[A-Z]\w*", Name.Class),
            (r"\w+", Name),
            (r"\W", Operator),
        ],
    }


class CspLexer(_ModelLexer):
    """CSP#."""

    name = "CSP#"
    tokens = {  # noqa: RUF012
        "root": [
            (r"#\w+", Keyword.Declaration),
            (
                words(
                    (
                        "var", "hvar", "channel", "enum", "if", "ifa", "ifb", "else", "case", "default",
                        "while", "atomic", "interrupt", "Skip", "Stop", "true", "false", "call", "new",
                        "deadlockfree", "nonterminating", "divergencefree", "deterministic", "reaches",
                        "refines", "with", "min", "max",
                    ),
                    prefix=r"\b",
                    suffix=r"\b",
                ),
                Keyword,
            ),
            *_ModelLexer.tokens["common"],
        ],
    }  # fmt: skip


class FspLexer(_ModelLexer):
    """FSP."""

    name = "FSP"
    tokens = {  # noqa: RUF012
        "root": [
            (
                words(
                    (
                        "const", "range", "set", "progress", "property", "fluent", "assert", "constraint",
                        "menu", "minimal", "deterministic", "compose", "when", "if", "then", "else", "forall",
                        "initially", "STOP", "END", "ERROR",
                    ),
                    prefix=r"\b",
                    suffix=r"\b",
                ),
                Keyword,
            ),
            *_ModelLexer.tokens["common"],
        ],
    }  # fmt: skip


#: by the language of a fenced block
LEXERS = {"csp": CspLexer, "fsp": FspLexer}
