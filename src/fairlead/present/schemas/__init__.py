"""Provides a JSON Schema for each form of what commands write as JSON.

The schemas are data. Where they list the notions of fairness or the kinds of questions, they have a word such
as `$notions` instead, which stands for the names that there are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairlead.base.diagnostics import FAULT_CODES
from fairlead.base.forms import Form
from fairlead.checker.kinds import all_kinds
from fairlead.logic.fairness.notions import CLASSIC, Fairness, Subject

_REFERENCE = re.compile(r"#/\$defs/(\w+)")
_WORD = re.compile(r'"(\$[a-z_]+)"')


def _names() -> Mapping[str, Sequence[str]]:
    """What the words in the schemas stand for."""
    return {
        "$kinds": list(dict.fromkeys(kind.name for kind in all_kinds())),
        "$faults": [code.value for code in FAULT_CODES],
        "$notions": [notion.value for notion in Fairness],
        "$classic": [notion.value for notion in CLASSIC],
        "$demanding": [notion.value for notion in CLASSIC if notion is not Fairness.NONE],
        "$of_subjects": [notion.value for notion in CLASSIC if notion.subject is not Subject.NOBODY],
    }


def schema(form: Form) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a form; nothing else is needed to read it."""
    found = _read(form.value)
    shared, own = _read("shared")["$defs"], found["$defs"]
    while missing := set(_REFERENCE.findall(json.dumps(found))) - own.keys():
        own |= {name: shared[name] for name in sorted(missing)}
    return found


def schema_text(form: Form) -> str:
    """The same as text."""
    return json.dumps(schema(form), ensure_ascii=False, indent=2) + "\n"


def _read(name: str) -> dict[str, Any]:
    text = Path(__file__).with_name(f"{name}.json").read_text(encoding="utf-8")
    known = _names()

    def listed(match: re.Match[str]) -> str:
        return ", ".join(map(json.dumps, known[match[1]])) if match[1] in known else match[0]

    found: dict[str, Any] = json.loads(_WORD.sub(listed, text))
    return found
