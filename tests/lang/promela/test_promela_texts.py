"""What is said about texts that are wrong, or not supported; and how macros are replaced."""

from __future__ import annotations

from pathlib import Path

import pytest

import fairlead
from fairlead.base.diagnostics import FairleadError, InputError, LimitReached


def problems(text: str) -> list[str]:
    """The codes with their lines."""
    with pytest.raises(FairleadError) as caught:
        fairlead.loads(text, "pml").check("safety")
    return [
        f"{problem.code.value}:{'' if problem.span is None else problem.span.line}"
        for problem in caught.value.diagnostics
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("init { x = 1 }", ["unknown-name:1"]),
        ("byte x\ninit { x = }", ["syntax:2"]),
        ("init { skip", ["syntax:1"]),
        ("init { if fi }", ["syntax:1"]),
        ("init { goto there }", ["unknown-name:1"]),
        ("init { break }", ["syntax:1"]),
        ("byte x, x; init { skip }", ["name-clash:1"]),
        ("init { run P() }", ["unknown-name:1"]),
        ("proctype P(byte x) { skip } init { run P() }", ["arity:1"]),
        ("byte x[0]; init { skip }", ["range:1"]),
        ("byte x; init { x[1] = 2 }", ["type:1"]),
        ("chan c = [1] of {byte}; init { c!1,2 }", ["arity:1"]),
        ("proctype P() { skip }", ["syntax:1"]),
        ("init { c_code { x = 1; } }", ["unsupported:1"]),
        ("c_decl {\n int x; \n}\ninit { skip }", ["unsupported:1"]),
        ("init { set_priority(0, 3) }", ["unsupported:1"]),
        ("proctype P() { skip } init { run P() priority 4 }", ["unsupported:1"]),
        ("inline f() { f() } init { f() }", ["unguarded-recursion:1"]),
        ("#if 1\ninit { skip }", ["syntax:1"]),
        ('#include "missing.pml"\ninit { skip }', ["file:1"]),
        ("init { /* never closed }", ["syntax:1"]),
        ("init { int x = 99999999999 }", ["syntax:1"]),
        ("byte x; ltl p { [] x == 1 } init { skip }", ["formula:1"]),
    ],
)
def test_each_problem_has_its_place(text: str, found: list[str]) -> None:
    assert problems(text) == found


def test_all_problems_are_told_at_once() -> None:
    text = """byte x;
proctype P() {
  y = 1;
  x = ;
  if :: z == 1 -> skip fi;
  x = 2
}
init { run P(); q!1 }
"""
    assert problems(text) == ["unknown-name:3", "syntax:4", "unknown-name:5", "unknown-name:8"]


def test_a_claim_that_is_not_checked_is_told() -> None:
    model = fairlead.loads("never { do :: skip od }\nnotrace { skip }\ninit { skip }", "pml")
    told = [(one.code.value, one.span and one.span.line) for one in model.warnings]
    assert told == [("unsupported", 1), ("unsupported", 2)]
    assert [question.text for question in model.assertions] == ["system safety"]


def test_a_hint_names_what_may_be_meant() -> None:
    with pytest.raises(InputError, match="did you mean 'total'"):
        fairlead.loads("byte total; init { totl = 1 }", "pml")


def test_macros() -> None:
    text = """
#define N 3
#define add(a, b) ((a) + (b))
#ifdef MORE
#define LIMIT 10
#elif N > 2 && !defined(MORE)
#define LIMIT add(N, \\
                  4)
#else
#define LIMIT 0
#endif
init { assert(LIMIT == 7) }
"""
    assert fairlead.loads(text, "pml").check("safety").verdict is fairlead.Verdict.HOLDS
    defined = fairlead.loads(text, "pml", definitions={"MORE": "1"})
    assert defined.check("safety").verdict is fairlead.Verdict.VIOLATED


def test_included_files(tmp_path: Path) -> None:
    (tmp_path / "part.h").write_text("byte x = 4;\n", encoding="utf-8")
    main = tmp_path / "model.pml"
    main.write_text('#include "part.h"\ninit { assert(x == 4) }\n', encoding="utf-8")
    assert fairlead.load(main).check("safety").verdict is fairlead.Verdict.HOLDS
    (tmp_path.parent / "other.h").write_text("byte x;", encoding="utf-8")
    main.write_text('#include "../other.h"\ninit { skip }\n', encoding="utf-8")
    with pytest.raises(InputError):
        fairlead.load(main)


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(
            ["#define A0 x x", *(f"#define A{n} A{n - 1} A{n - 1}" for n in range(1, 40)), "init { A39 }"]
        ),
        f"byte x; init {{ x = {'(' * 5000}1{')' * 5000} }}",
        f"init {{ {'if :: ' * 3000} skip {'fi ' * 3000} }}",
        '#include "self.pml"',
    ],
    ids=["macros that double", "parentheses", "choices", "a file"],
)
def test_limits(text: str, tmp_path: Path) -> None:
    path = tmp_path / "self.pml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises((LimitReached, InputError)):
        fairlead.load(path)
