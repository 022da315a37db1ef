"""Types and functions that users write in Python: the protocol, what goes wrong in them, who may run them."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

import fairlead
from fairlead.base.diagnostics import InputError
from fairlead.cli.main import run
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from tests.support.asking.faults import without_fault
from tests.support.steps import compare_network, explore_reference

LIBRARY = """
    from __future__ import annotations

    from dataclasses import dataclass
    from typing import Self


    @dataclass(frozen=True)
    class Account:
        balance: int = 0
        open: bool = True

        def Deposit(self, amount: int) -> Self:
            return Account(self.balance + amount, self.open)

        def Withdraw(self, amount: int) -> tuple[bool, Self]:
            if amount > self.balance:
                return False, self
            return True, Account(self.balance - amount, self.open)

        def History(self) -> tuple[int, ...]:
            return tuple(range(self.balance))

        def Richer(self, other: Account) -> Account:
            return max(self, other, key=lambda account: account.balance)

        @property
        def Double(self) -> int:
            return 2 * self.balance

        def __str__(self) -> str:
            return f"<{self.balance}>"

        def _hidden(self) -> int:
            return 1


    def maximum(first: int, second: int) -> int:
        return max(first, second)


    def total(numbers: tuple[int, ...], start: int = 0) -> int:
        return sum(numbers, start)


    def shifted(numbers: tuple[int, ...]) -> tuple[int, ...]:
        return (*numbers[1:], numbers[0])


    def flags(numbers: tuple[int, ...]) -> tuple[bool, ...]:
        return tuple(number > 1 for number in numbers)


    def is_rich(account: Account) -> bool:
        return account.balance >= 3
"""

MODELS = {
    "type": """var<Account> a; var<Account> b = new Account(2, false); var ok = false;
        P() = [a.History() != b.History()] put.a.(a$Double){a.Deposit(1);} -> P()
           [] [call(is_rich, b)] Stop
           [] [a == new Account(2)] take.(b$open).b{ok = a.Withdraw(3); b = a.Richer(b);} -> P();""",
    "functions": """var x = [3, 1, 2]; var s = 0; var f[3] = [false, false, false]; var y = call(shifted, x0);
        #define x0 call(shifted, call(shifted, call(one, 0)));
        #define one(k) call(make, k);
        P() = [s < 40] e.x.s{x = call(shifted, x); s = call(total, x, call(maximum, s, x[0]));
                             f = call(flags, x);} -> P();""",
    "parameters": """var x = [1, 2, 3];
        Q(v, n) = [n > 0] e.v.(v[0]) -> Q(call(shifted, v), n - 1);
        P() = Q(x, 4);""",
}


def write(folder: Path, text: str, name: str = "lib.py") -> Path:
    path = folder / name
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    return path


def load(folder: Path, text: str, library: str = LIBRARY) -> fairlead.Model:
    return fairlead.loads(text, allow_python=[write(folder, library)])


def network_of(model: fairlead.Model) -> Network:
    network = model._loaded.system("P()")
    assert isinstance(network, Network)
    return network


@pytest.mark.parametrize("name", MODELS)
def test_both_step_relations_agree(name: str, tmp_path: Path) -> None:
    library = LIBRARY + "\n    def make(k: int) -> tuple[int, ...]:\n        return (7, 8, 9)\n"
    network = network_of(load(tmp_path, MODELS[name], library))
    expected = explore_reference(network, 500)
    assert not expected.faults
    assert len(expected.depth) > 3
    compare_network(network, expected)


def test_initial_values_come_from_functions(tmp_path: Path) -> None:
    library = "def make(k: int) -> tuple[int, ...]:\n    return (k, 8, 9)\n"
    model = load(tmp_path, "var y = call(make, 7); P() = e.y.(y[0]){y[1] = 0;} -> f.y -> Stop;", library)
    system = NetworkSystem(network_of(model))
    (state,) = system.initial_states()
    assert system.variables(state) == {"y": [7, 8, 9]}
    assert [step.event for step in system.steps(state)] == ["e.[7, 8, 9].7"]


def test_a_file_is_called_once_for_each_tuple_of_arguments(tmp_path: Path) -> None:
    library = """
        from pathlib import Path

        def slow(x: int) -> int:
            with Path(__file__).with_suffix(".log").open("a") as log:
                log.write(f"{x}\\n")
            return (x + 1) % 4
    """
    model = load(
        tmp_path,
        "var x; var y; P() = a{x = call(slow, x);} -> P() ||| b{y = call(slow, y);} -> P();",
        library,
    )
    model.check("P() deadlockfree", limits=fairlead.Limits(max_states=3000))
    called = (tmp_path / "lib.log").read_text().split()
    assert sorted(called) == sorted("00112233")  # each twice: the second call is compared with the first


# ---------------------------------------------------------------- misbehaving code

#: a library, the expression that calls it, the code, and words of the message
MISBEHAVING = {
    "raises": ("def f(x: int) -> int:\n    return 1 // x", "call-failed", "ZeroDivisionError"),
    "place": (
        "\ndef f(x: int) -> int:\n    raise ValueError('no good')",
        "call-failed",
        "no good (lib.py, line 3)",
    ),
    "silent": ("def f(x: int) -> int:\n    raise KeyError", "call-failed", "'f' failed: KeyError"),
    "exits": ("def f(x: int) -> int:\n    raise SystemExit(0)", "call-failed", "SystemExit"),
    "recursion": ("def f(x: int) -> int:\n    return f(x)", "call-failed", "RecursionError"),
    "text": (
        "def f(x: int) -> int:\n    return 'one'",
        "call-failed",
        "expected an integer, got a Python 'str'",
    ),
    "none": (
        "def f(x: int) -> int:\n    pass",
        "call-failed",
        "expected an integer, got a Python 'NoneType'",
    ),
    "boolean": ("def f(x: int) -> int:\n    return True", "call-failed", "got a Python 'bool'"),
    "float": ("def f(x: int) -> int:\n    return x / 2", "call-failed", "got a Python 'float'"),
    "too large": ("def f(x: int) -> int:\n    return 2**31", "overflow", "does not fit into 32 bits"),
    "too small": ("def f(x: int) -> int:\n    return -2**31 - 1", "overflow", "does not fit into 32 bits"),
    "random": (
        "import itertools\nn = itertools.count()\ndef f(x: int) -> int:\n    return next(n)",
        "call-failed",
        "different results for the same arguments",
    ),
    "no hints": ("def f(x):\n    return x", "library", "its parameter 'x' has no type hint"),
    "no result": ("def f(x: int):\n    return x", "library", "no type hint for what it returns"),
    "returns nothing": ("def f(x: int) -> None:\n    pass", "library", "returns None"),
    "strange hint": (
        "def f(x: int) -> float:\n    return 1.0",
        "library",
        "the hint 'float' is not a type of a model",
    ),
    "list": ("def f(x: list[int]) -> int:\n    return 1", "library", "is not a type of a model"),
    "unknown hint": (
        "from __future__ import annotations\ndef f(x: Zzz) -> int:\n    return 1",
        "library",
        "Zzz",
    ),
    "by name": ("def f(*, x: int) -> int:\n    return 1", "library", "cannot be passed by position"),
    "many": ("def f(*x: int) -> int:\n    return 1", "library", "cannot be passed by position"),
    "arity": ("def f(x: int, y: int) -> int:\n    return 1", "arity", "'f' takes 2 arguments, 1 given"),
    "imported": ("from math import isqrt as f", "unknown-name", "unknown function 'f'"),
    "private": ("def _f(x: int) -> int:\n    return 1\nf = _f", "unknown-name", "unknown function 'f'"),
}


@pytest.mark.parametrize("name", MISBEHAVING)
def test_misbehaving_functions(name: str, tmp_path: Path) -> None:
    library, code, words = MISBEHAVING[name]
    model = load(tmp_path, "var x;\nP() = go -> e.(call(f, x)) -> P();", library)
    expect(model, code, words)
    if code not in ("call-failed", "overflow"):
        return
    network = network_of(model)
    found = explore_reference(network, 10)
    assert {fault.code.value for fault in found.faults.values()} == {code}
    if name != "random":
        compare_network(network, found)


def expect(model: fairlead.Model, code: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        without_fault(model.check("P() deadlockfree"))
    problem = caught.value.diagnostics[0]
    assert problem.code.value == code
    assert words in problem.message
    assert problem.span is not None
    assert problem.span.line == 2


NUMBER = "@dataclass(frozen=True)\nclass T:\n    n: int = 0\n"

TYPES = {
    "by identity": ("class T:\n    pass", "library", "not compared by what they hold"),
    "unhashable": ("@dataclass\nclass T:\n    n: int = 0", "library", "not compared by what they hold"),
    "holds a list": (
        "@dataclass(frozen=True)\nclass T:\n    n: object = None\n    def __init__(self) -> None:\n"
        "        object.__setattr__(self, 'n', [])",
        "call-failed",
        "cannot be hashed",
    ),
    "no default": (
        "@dataclass(frozen=True)\nclass T:\n    n: int",
        "arity",
        "'new T' takes 1 argument, 0 given",
    ),
    "constructor raises": (
        f"{NUMBER}    def __post_init__(self):\n        raise ValueError('bad')",
        "call-failed",
        "'T' failed: ValueError: bad",
    ),
    "no text": (
        f"{NUMBER}    def __str__(self):\n        raise ValueError('bad')",
        "call-failed",
        "bad",
    ),
}


@pytest.mark.parametrize("name", TYPES)
def test_misbehaving_types(name: str, tmp_path: Path) -> None:
    library, code, words = TYPES[name]
    with pytest.raises(InputError) as caught:
        load(tmp_path, "var<T> t;\nP() = e.t -> P();", f"from dataclasses import dataclass\n{library}\n")
    problem = caught.value.diagnostics[0]
    assert problem.code.value == code
    assert words in problem.message
    assert problem.span is not None


METHODS = {
    "in place": (
        "def m(self) -> Self:\n        object.__setattr__(self, 'n', 5)\n        return self",
        "in place",
    ),
    "other class": ("def m(self) -> Self:\n        return 3", "expected a 'T', got a Python 'int'"),
    "no pair": ("def m(self) -> tuple[int, Self]:\n        return 3", "must return a pair"),
    "long pair": ("def m(self) -> tuple[int, Self]:\n        return 3, self, self", "must return a pair"),
    "wrong value": ("def m(self) -> tuple[int, Self]:\n        return self, self", "expected an integer"),
    "array of texts": ("def m(self) -> tuple[int, ...]:\n        return ('a',)", "expected an integer"),
    "array as a list": (
        "def m(self) -> tuple[int, ...]:\n        return [1]",
        "expected a tuple of integers",
    ),
}


@pytest.mark.parametrize("name", METHODS)
def test_misbehaving_methods(name: str, tmp_path: Path) -> None:
    method, words = METHODS[name]
    library = (
        "from dataclasses import dataclass\nfrom typing import Self\n"
        f"@dataclass(frozen=True)\nclass T:\n    n: int = 0\n    {method}\n"
    )
    used = "x = t.m()" if name == "wrong value" else "t.m()"
    model = load(tmp_path, f"var<T> t; var x;\nP() = e{{{used};}} -> P();", library)
    expect(model, "call-failed", words)


def test_hidden_methods_cannot_be_called(tmp_path: Path) -> None:
    model = load(tmp_path, "var<Account> a;\nP() = e.(a._hidden()) -> P();")
    expect(model, "unknown-name", "no method '_hidden'")


FILES = {
    "syntax": ("def f(:", "library", "SyntaxError", 1),
    "raises": ("x = 1\nraise ValueError('boom')", "library", "ValueError: boom (line 2)", 1),
    "exits": ("import sys\nsys.exit(3)", "library", "SystemExit", 1),
    "missing": (None, "file", "cannot read", 1),
    "twice": ("def f(x: int) -> int:\n    return 1", "name-clash", "'f' is defined in", 2),
}


@pytest.mark.parametrize("name", FILES)
def test_files_that_cannot_be_used(name: str, tmp_path: Path) -> None:
    text, code, words, count = FILES[name]
    paths = [tmp_path / f"lib{number}.py" for number in range(count)]
    if text is not None:
        for path in paths:
            path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        fairlead.loads("P() = Stop;", allow_python=paths)
    assert caught.value.diagnostics[0].code.value == code
    assert words in caught.value.diagnostics[0].message


def test_code_can_be_interrupted(tmp_path: Path) -> None:
    library = """
        interrupted = []

        def f(x: int) -> int:
            if x == 3 and not interrupted:
                interrupted.append(x)
                raise KeyboardInterrupt
            return (x + 1) % 5
    """
    model = load(tmp_path, "var x; P() = e.(call(f, x)){x = call(f, x);} -> P();", library)
    with pytest.raises(KeyboardInterrupt):
        without_fault(model.check("P() deadlockfree"))
    result = model.check("P() deadlockfree")
    assert result.verdict is fairlead.Verdict.HOLDS
    assert result.statistics.states == 5


def test_the_same_file_named_twice_is_one(tmp_path: Path) -> None:
    path = write(tmp_path, LIBRARY)
    model = fairlead.loads("P() = e.(call(maximum, 1, 2)) -> P();", allow_python=[path, str(path)])
    assert model.check("P() deadlockfree").verdict is fairlead.Verdict.HOLDS


def test_own_types_go_before_those_built_in(tmp_path: Path) -> None:
    library = """
        from dataclasses import dataclass

        @dataclass(frozen=True)
        class List:
            n: int = 0

            def Mine(self) -> int:
                return 7
    """
    model = load(tmp_path, "var<List> l; P() = e.(l.Mine()) -> Stop;", library)
    system = NetworkSystem(network_of(model))
    assert [step.event for step in system.steps(system.initial_states()[0])] == ["e.7"]


# ---------------------------------------------------------------- nothing is run without permission

TRAP = """
    from pathlib import Path

    Path(__file__).with_name("run").write_text("")

    def f(x: int) -> int:
        return x
"""


@pytest.mark.parametrize("imported", ["lib.py", "lib", "./lib.py", "PAT.Lib.lib", "lib.dll"])
def test_nothing_is_run_without_permission(
    imported: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, TRAP)
    model = tmp_path / "m.csp"
    model.write_text(f'#import "{imported}";\nP() = e.(call(f, 1)) -> P();\n#assert P() deadlockfree;\n')
    assert run(["check", str(model)]) == 2
    shown = capsys.readouterr().err
    assert f"--allow-python {path}" in shown
    assert "m.csp:1:1: error[library]" in shown
    assert not (tmp_path / "run").exists()
    assert run(["check", str(model), "--allow-python", str(path)]) == 0
    assert (tmp_path / "run").exists()


def test_every_command_takes_the_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(write(tmp_path, LIBRARY))
    model = tmp_path / "m.csp"
    model.write_text("var<Account> a; P() = e.a{a.Deposit(1);} -> Stop;\n#assert P() deadlockfree;\n")
    assert run(["check", str(model), "--json", "--allow-python", path]) == 1
    evidence = tmp_path / "evidence.json"
    evidence.write_text(capsys.readouterr().out, encoding="utf-8")
    assert run(["validate", str(model), str(evidence), "--allow-python", path]) == 0
    assert run(["validate", str(model), str(evidence)]) == 2
    assert run(["graph", str(model), "--allow-python", path]) == 0
    assert '"e.<0>"' in capsys.readouterr().out


def test_graphs_call_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a graph calls no functions"):
        fairlead.loads("des (0, 0, 1)", "aut", allow_python=[write(tmp_path, LIBRARY)])
