"""What SARIF calls rules: the kinds of questions, and the kinds of problems, each with a text that helps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairlead.errors import Code

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

#: for each kind of problem, what it is
PROBLEMS: Mapping[Code, str] = {
    Code.SYNTAX: "The text cannot be read",
    Code.UNKNOWN_NAME: "A name is not declared",
    Code.NAME_CLASH: "A name is declared twice, or is reserved",
    Code.TYPE: "A value is of another type than is needed",
    Code.ARITY: "The number of arguments, indices or initial values is wrong",
    Code.NOT_CONSTANT: "Something has to be known before the model runs",
    Code.RANGE: "A declaration lacks a range that it needs",
    Code.UNSUPPORTED: "A part of the language that is read but not run",
    Code.OTHER_MODULE: "A construct of one of PAT's other modules",
    Code.OTHER_LANGUAGE: "The file is in another language",
    Code.UNGUARDED_RECURSION: "A process or definition needs itself, without a step in between",
    Code.ALPHABET: "The alphabet of a process cannot be computed",
    Code.EMPTY_RANGE: "A range without values, or no copies of a process",
    Code.OUT_OF_RANGE: "A variable would get a value outside its range",
    Code.INDEX_OUT_OF_BOUNDS: "An index is outside its array",
    Code.DIVISION_BY_ZERO: "A division by zero",
    Code.OVERFLOW: "A result does not fit into 32 bits",
    Code.ENDLESS_OPERATION: "A program makes too many rounds of loops",
    Code.ASSERTION: "The condition of an assert is false",
    Code.CALL_FAILED: "A call of a library has no value",
    Code.LIBRARY: "A library cannot be used",
    Code.FORMULA: "The text is not a formula",
    Code.PRECEDENCE: "Another tool would read this formula in another way",
    Code.NO_EFFECT: "Something has no effect",
    Code.COUNTERS: "Processes that cannot be counted",
    Code.SYMMETRY: "A question that symmetry might answer wrongly",
    Code.GRAPH: "The file is not a graph",
    Code.EVIDENCE: "The file has no evidence that can be read",
    Code.USAGE: "The command asks for something that is not there",
    Code.FILE: "A file cannot be read or written",
    Code.CHECKPOINT: "The file is no checkpoint of this check",
    Code.LIMIT: "A limit was reached",
    Code.INTERNAL: "An error of fairlead itself",
}


def question_rule(kind: str) -> dict[str, Any]:
    """The rule of a kind of question."""
    asks, help_text = QUESTIONS[kind]
    return _rule(kind, asks, f"{asks}. {help_text}", "verdict")


def problem_rule(code: Code) -> dict[str, Any]:
    """The rule of a kind of problem."""
    title = PROBLEMS[code]
    help_text = f"{title}. The page Diagnostics of the documentation of fairlead explains '{code.value}'."
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
