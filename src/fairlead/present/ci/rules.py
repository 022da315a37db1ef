"""What SARIF calls rules: the kinds of questions, and the kinds of problems, each with a text that helps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairlead.base.diagnostics import Code
from fairlead.present.explain import topic

#: for each kind of question: what it asks, and what a violation means
QUESTIONS: Mapping[str, tuple[str, str]] = {
    "safety": (
        "Nothing bad ever happens",
        "The counterexample is a shortest run into a deadlock, or to a step that a process or property does "
        "not allow.",
    ),
    "progress": (
        "Something happens again and again, whatever has happened",
        "The counterexample leads into states that the system never leaves, where what should happen does "
        "not.",
    ),
    "ltl": (
        "Every fair execution satisfies the formula",
        "The counterexample is an execution that does not: finitely many steps, or a way into a loop that "
        "repeats for ever and is fair in the chosen sense. If the scheduler of the real system would never "
        "run like that, ask under a stronger notion of fairness.",
    ),
    "ctl": (
        "The formula of CTL or CTL* holds at the start",
        "Each run shows a part of the negated formula.",
    ),
    "deadlock": (
        "The system is never stuck",
        "The counterexample is a shortest run to a state in which nothing can happen, and which is no proper "
        "end.",
    ),
    "termination": (
        "The system never comes to an end",
        "The counterexample is a shortest run to a state in which nothing can happen.",
    ),
    "determinism": (
        "No event leads to two different states",
        "The counterexample is a shortest run to a state with two successors by one event.",
    ),
    "divergence": (
        "The system never makes internal steps for ever",
        "The counterexample leads into a loop of internal steps.",
    ),
    "reachability": (
        "The goal can be reached",
        "There is no counterexample: in none of the states that can be reached the goal is true.",
    ),
    "refinement": (
        "The process does only what its specification allows",
        "The counterexample is a shortest run that the specification does not allow.",
    ),
}


def question_rule(kind: str) -> dict[str, Any]:
    """The rule of a kind of question."""
    asks, help_text = QUESTIONS[kind]
    return _rule(kind, asks, f"{asks}. {help_text}", "verdict")


def problem_rule(code: Code) -> dict[str, Any]:
    """The rule of a kind of problem."""
    title = topic(code.value).summary.replace("`", "")
    help_text = f"{title}\n'fairlead explain {code.value}' shows an example, and how to mend it."
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
