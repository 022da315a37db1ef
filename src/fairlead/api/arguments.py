"""What the arguments of the public functions may be, by their names: each name means the same everywhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum

from fairlead.base.arguments import FILE, NOTHING, NUMBER, PROCESS, TEXT, Expected
from fairlead.checker.keywords import EXPECTED as OPTIONS
from fairlead.checker.options import CheckOptions
from fairlead.checker.result import Result
from fairlead.logic.fairness.notions import Fairness
from fairlead.model.assertion import Assertion, Refinement

#: more sets of assumptions are not useful to a reader
MOST_ALTERNATIVES = 1000
_LISTED = (list, tuple, Sequence)
_VALUES = Expected("a mapping from names to values, such as {'N': 3}", (Mapping, NOTHING))
_FILES = Expected("a list of files", _LISTED)
_RESULT = Expected("a Result, fresh or as JSON", (Result, Mapping, NOTHING))
_EXAMPLE = "such as model.check('System() deadlockfree') or model.check(ltl='[]<> a')"

EXPECTED: Mapping[str, Expected] = {
    "path": FILE,
    "text": TEXT,
    "language": TEXT,
    "definitions": _VALUES,
    "processes": _VALUES,
    "allow_python": _FILES,
    "process": PROCESS,
    "assertion": Expected(
        "an assertion, as text or from model.assertions", (str, Assertion, NOTHING), hint=_EXAMPLE
    ),
    "assertions": Expected("a list of assertions", (*_LISTED, NOTHING)),
    "question": Expected("an assertion", (str, Assertion, NOTHING)),
    "fairness": Expected(
        "the name of a notion of fairness, a Fairness, a list of them, or 'all'",
        (str, Fairness, *_LISTED, NOTHING),
        hint=f"the notions are {', '.join(notion.value for notion in Fairness)}",
    ),
    "fair": OPTIONS["fair"],
    "limits": OPTIONS["limits"],
    "options": Expected("a CheckOptions", (CheckOptions, NOTHING)),
    "reporter": Expected("a function that is called with a Progress", (Callable, NOTHING)),  # type: ignore[arg-type]
    "alternatives": Expected("a whole number", (int, NOTHING), least=0, most=MOST_ALTERNATIVES),
    "result": _RESULT,
    "refinement": Expected("'T', 'F', 'FD' or a Refinement", (str, Refinement)),
    "equivalence": Expected("the name of an equivalence, or an Equivalence", (str, Enum)),
    "hide": Expected("a list of events", _LISTED),
    "seed": NUMBER,
}
#: where several processes can be given
SEVERAL: Mapping[str, Expected] = {
    **EXPECTED,
    "process": Expected("the name of a process, or a list of them", (str, *_LISTED, NOTHING)),
}
