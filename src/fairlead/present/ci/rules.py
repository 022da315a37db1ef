"""What SARIF calls rules: the kinds of questions, and the kinds of problems, each with a text that helps."""

from __future__ import annotations

from typing import Any

from fairlead.base.diagnostics import Code
from fairlead.checker.kinds import all_kinds
from fairlead.present.explain import topic


def question_rule(kind: str) -> dict[str, Any]:
    """The rule of a kind of question."""
    display = next(known.display for known in all_kinds() if known.name == kind)
    return _rule(kind, display.asks, f"{display.asks}. {display.violation}", "verdict")


def problem_rule(code: Code) -> dict[str, Any]:
    """The rule of a kind of problem."""
    title = topic(code.value).summary.replace("`", "")
    help_text = f"{title}\n'fairlead explain {code.value}' shows an example, and how to fix it."
    return _rule(code.value, title, help_text, "diagnostic")


def _rule(name: str, title: str, help_text: str, tag: str) -> dict[str, Any]:
    return {
        "id": name,
        "shortDescription": {"text": title},
        "fullDescription": {"text": help_text},
        "help": {"text": help_text},
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": [tag]},
    }
